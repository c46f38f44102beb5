import { classify, type Model, type Row } from "../../../src/index.ts";
import { logSumExp } from "../../../src/math/log-sum-exp.ts";
import { atomOf } from "../../../src/queries/component-scores.ts";
import { encode } from "../../../src/schema/encode.ts";
import { completions } from "../../support/random-model.ts";

/** More completions than this are not enumerated. */
const MOST = 600;
/** Scores beyond this leave no digits to compare. */
const LARGEST = 1e5;

/** A completion: its probability given the row, and the classifier's answer. */
export interface Completion {
  readonly probability: number;
  readonly answer: readonly number[];
}

/**
 * All completions of a row with P(completion | row), from the parameters and the definition alone:
 * P(x) = Σ_m π_m Π_i q_mi(x_i) · Σ_k exp( b_k + Σ_i s_ki(x_i) ) / Z_m. Undefined where there are too many, where numbers of a
 * Gaussian are missing, or where scores are so large that nothing can be compared.
 */
export function enumerate(model: Model, row: Row): readonly Completion[] | undefined {
  const { schema, classes, intercept, weights } = model.classifier;
  if (model.block || weights.some((w) => Math.abs(w) > LARGEST)) return undefined;
  const own = encode(schema, [row]);
  const missing = schema.columns.flatMap(({ kind }, i) => {
    const x = own.columns[i][0];
    return (kind === "numeric" ? Number.isNaN(x) : x < 0) ? [i] : [];
  });
  const count = missing.reduce((product, i) => product * model.atoms.columns[i].count, 1);
  const numbers = schema.columns.flatMap(({ kind }, i) =>
    kind === "numeric" ? [own.columns[i][0], ...(model.atoms.columns[i].values ?? [])] : [],
  );
  if (
    count > MOST ||
    numbers.some((x) => Math.abs(x) > LARGEST) ||
    intercept.some((b) => Math.abs(b) > LARGEST)
  )
    return undefined;
  const known = Object.fromEntries(
    schema.columns.flatMap(({ name }, i) => (missing.includes(i) ? [] : [[name, row[name]]])),
  ) as Row;
  const all = [...completions(model, known)].map((full) => {
    const table = encode(schema, [full]);
    const answers = classify(model.classifier, full);
    const scores = classScores(model, full);
    const logs = model.components.map(
      ({ logWeight, logQ, logNormaliser }) =>
        logWeight -
        logNormaliser +
        schema.columns.reduce((sum, _, i) => sum + logQ[atomOf(model.atoms, i, table.columns[i], 0)], 0) +
        scores,
    );
    return { log: logSumExp(logs), answer: classes.map((name) => answers[name]) };
  });
  const total = logSumExp(all.map(({ log }) => log));
  if (!Number.isFinite(total)) return undefined;
  return all.map(({ log, answer }) => ({ probability: Math.exp(log - total), answer }));
}

/** log Σ_k exp( b_k + Σ_i s_ki(x_i) ) of a complete row. */
function classScores({ classifier }: Model, full: Row): number {
  const { schema, intercept, weights } = classifier;
  const K = intercept.length;
  const table = encode(schema, [full]);
  const scores = Array.from(intercept);
  let slot = 0;
  schema.columns.forEach((column, i) => {
    const x = table.columns[i][0];
    const linear = column.kind === "numeric" || column.kind === "binary";
    for (let k = 0; k < K; k++) scores[k] += linear ? weights[slot * K + k] * x : weights[(slot + x) * K + k];
    slot +=
      column.kind === "categorical"
        ? column.values.length
        : column.kind === "binned"
          ? column.edges.length + 1
          : 1;
  });
  return logSumExp(scores);
}
