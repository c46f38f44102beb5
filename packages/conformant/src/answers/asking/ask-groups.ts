import { divergence } from "../../math/divergence.ts";
import type { Model } from "../../model/model.ts";
import { type AskNextOptions, type Question, readCosts } from "../../queries/asking/ask-next.ts";
import { missingFeatures } from "../../queries/explanation/features.ts";
import { decide, isAnother } from "../../queries/terms/decision.ts";
import { encodeRow } from "../../queries/terms/query-input.ts";
import type { Row } from "../../schema/data.ts";
import type { Watch } from "../../watch.ts";
import { predictColumns } from "../predict.ts";
import { type ImaginedRows, imagineRows } from "./imagine-rows.ts";

/** Rows that are drawn for what the columns of a group may turn out to be, about. */
const DRAWS = 256;

/**
 * The value of asking for columns together, as a panel of tests or a part of an image comes: rows are drawn given what is known, and the model
 * answers each with the columns of the group known. The mean divergence of these answers from the present one is the information of the
 * group; its standard error is told. Columns of no group, and groups of one missing column, have their exact value.
 *
 * @param ask the questions of a row, a column each
 */
export function askGroups(
  model: Model,
  row: Row,
  options: AskNextOptions,
  ask: (row: Row) => readonly Question[],
  watch: Watch,
): Question[] {
  const { groups = {}, costs = {}, ...reading } = options;
  const table = encodeRow(model, row, reading);
  const features = missingFeatures(model, table, 0, groups);
  const costOf = readCosts(model, costs, Object.keys(groups));
  const alone = features.some(({ columns }) => columns.length === 1) ? ask(row) : [];
  const prior = predictColumns(model, table).probabilities;
  const imagined = features.some(({ columns }) => columns.length > 1)
    ? imagineRows(model, table, DRAWS)
    : undefined;
  const { columns: schema } = model.classifier.schema;
  const questions = features.map(({ name, columns }, f): Question => {
    watch.step(f / features.length);
    const cost = costOf(name);
    const own = alone.find(({ column }) => columns.length === 1 && column === schema[columns[0]].name);
    const worth = own ?? worthOf(imagined as ImaginedRows, columns, prior);
    return { ...worth, column: name, cost, gainPerCost: worth.informationGain / cost };
  });
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
}

/** What answers to drawn rows say once they know the columns, beside the present one. */
function worthOf(
  { answersKnowing, weightOf, drawnFor }: ImaginedRows,
  columns: readonly number[],
  prior: Float64Array,
): Pick<Question, "informationGain" | "changesDecision"> & { readonly error: number } {
  const K = prior.length;
  const now = decide(prior).class;
  const answers = answersKnowing(columns);
  let changesDecision = 0;
  const gains = Float64Array.from(drawnFor, (_, r) => {
    const answer = answers.subarray(r * K, (r + 1) * K);
    const weight = weightOf(answer);
    if (isAnother(answer, now)) changesDecision += weight;
    return weight * divergence(answer, prior);
  });
  return {
    informationGain: Math.max(
      0,
      gains.reduce((sum, gain) => sum + gain, 0),
    ),
    changesDecision: Math.min(1, changesDecision),
    error: errorOfSum(gains, drawnFor, K),
  };
}

/** The standard error of a sum over draws, of which each class has n: the root of Σ_k n s², s² the variance within a class. */
function errorOfSum(gains: Float64Array, drawnFor: Int32Array, K: number): number {
  const [counts, sums, squares] = [0, 1, 2].map(() => new Float64Array(K));
  gains.forEach((gain, r) => {
    const k = drawnFor[r];
    counts[k]++;
    sums[k] += gain;
    squares[k] += gain * gain;
  });
  const variances = counts.map((n, k) =>
    n > 1 ? (Math.max(0, squares[k] - sums[k] ** 2 / n) * n) / (n - 1) : 0,
  );
  return Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0));
}
