import { type Classifier, createClassifier } from "../classifier/classifier.ts";
import { ConformantError, requireMade, show } from "../errors.ts";
import { offsets } from "../math/offsets.ts";
import { isDiscrete, type Schema, slotOffsets, valueCount, valueLabels } from "../schema/column.ts";
import { createAtoms } from "./atoms.ts";
import { GIVEN } from "./certificate.ts";
import { createComponent, logAtomGivenClass, type Model } from "./model.ts";
import { requireAdditive } from "./require-additive.ts";

/** A naive Bayes distribution over discrete columns, P(x, k) = P(k) Π_i P(x_i | k), in logs. */
export interface NaiveBayes {
  readonly schema: Schema;
  readonly classes: readonly string[];
  readonly label?: string;
  /** log P(k), K numbers. */
  readonly logPrior: Float64Array;
  /** log P(v | k): values × K, `logConditional[value * K + k]`, the values of all columns one after the other. */
  readonly logConditional: Float64Array;
}

/** Where each column's values start in `logConditional`; the last entry is the number of values. */
export function valueOffsets(schema: Schema): Int32Array {
  return offsets(
    schema.columns.map((column) => {
      if (isDiscrete(column)) return valueCount(column);
      const message = `column ${show(column.name)} is numeric; naive Bayes needs columns with finitely many values`;
      throw new ConformantError("invalid-schema", message, { column: column.name });
    }),
  );
}

/**
 * Lemma 1 of the paper, for any number of classes: the one logistic regression that a naive Bayes distribution conforms
 * with. Scores are relative to the first class: w_ki = log P(x_i|k)/P(x_i|0) − log P(x̄_i|k)/P(x̄_i|0) for 0/1 columns,
 * log P(v|k)/P(v|0) for the others, and b_k = log P(k)/P(0) + Σ_{i 0/1} log P(x̄_i|k)/P(x̄_i|0).
 */
export function logisticFromNaiveBayes(naiveBayes: NaiveBayes): Classifier {
  requireMade("naiveBayes", naiveBayes);
  const { schema, classes, label, logPrior, logConditional } = naiveBayes;
  const K = classes.length;
  const start = valueOffsets(schema);
  checkProbabilities(naiveBayes, start);
  const slots = slotOffsets(schema);
  const intercept = logPrior.map((p) => p - logPrior[0]);
  const weights = new Float64Array(slots[schema.columns.length] * K);
  const odds = (value: number, k: number): number =>
    logConditional[value * K + k] - logConditional[value * K];
  schema.columns.forEach(({ kind }, i) => {
    for (let k = 0; k < K; k++) {
      if (kind === "binary") {
        intercept[k] += odds(start[i], k);
        weights[slots[i] * K + k] = odds(start[i] + 1, k) - odds(start[i], k);
      } else {
        for (let v = start[i]; v < start[i + 1]; v++) weights[(slots[i] + v - start[i]) * K + k] = odds(v, k);
      }
    }
  });
  return createClassifier({ schema, classes, intercept, weights, ...(label !== undefined && { label }) });
}

/**
 * Lemma 2 of the paper: the one naive Bayes distribution that conforms with the classifier and has P(v | c) = θ_v for the
 * last class c.
 *
 * @param theta per column P(x = 1 | c) for 0/1 columns, or the list of P(v | c) for the others
 */
export function naiveBayesFromLogistic(
  classifier: Classifier,
  theta: readonly (number | readonly number[])[],
): NaiveBayes {
  requireMade("classifier", classifier);
  const { schema, classes } = classifier;
  const K = classes.length;
  const start = valueOffsets(schema);
  const atoms = createAtoms(
    classifier,
    schema.columns.map((_, i) => ({ count: start[i + 1] - start[i] })),
  );
  // P(v | c) ∝ q(v) e^{s_c(v)}, so q = θ e^{−s_c} up to a constant.
  const logTheta = checkTheta(schema, theta);
  const logQ = logTheta.map((t, v) => t - atoms.scores[v * K + K - 1]);
  return naiveBayesOf({
    classifier,
    atoms,
    components: [createComponent(classifier, atoms, { logWeight: 0, logQ })],
  });
}

/** The naive Bayes parameters of a model with one component and discrete columns. */
export function naiveBayesOf(
  model: Pick<Model, "classifier" | "trees" | "atoms" | "components">,
): NaiveBayes {
  requireAdditive(model, "naiveBayesOf");
  const { classifier, atoms, components } = model;
  if (components.length !== 1) {
    const message = `a mixture of ${components.length} components is not one naive Bayes distribution`;
    throw new ConformantError("invalid-argument", message, { argument: "model", value: components.length });
  }
  const { schema, classes, label } = classifier;
  const K = classes.length;
  const start = valueOffsets(schema);
  const [component] = components;
  const logConditional = new Float64Array(atoms.scores.length);
  for (let i = 0; i < schema.columns.length; i++) {
    for (let v = start[i]; v < start[i + 1]; v++) {
      for (let k = 0; k < K; k++) logConditional[v * K + k] = logAtomGivenClass(atoms, component, i, v, k);
    }
  }
  return {
    schema,
    classes,
    ...(label !== undefined && { label }),
    logPrior: component.logPrior,
    logConditional,
  };
}

/** A naive Bayes distribution as a model: it conforms with the logistic regression of Lemma 1. */
export function modelFromNaiveBayes(naiveBayes: NaiveBayes, rows = 0, pseudocount = 0): Model {
  const classifier = logisticFromNaiveBayes(naiveBayes);
  const K = classifier.classes.length;
  const start = valueOffsets(naiveBayes.schema);
  const atoms = createAtoms(
    classifier,
    naiveBayes.schema.columns.map((_, i) => ({ count: start[i + 1] - start[i] })),
  );
  // The scores are relative to the first class, so q is the first class's distribution.
  const logQ = Float64Array.from(
    { length: start[start.length - 1] },
    (_, v) => naiveBayes.logConditional[v * K],
  );
  const component = createComponent(classifier, atoms, { logWeight: 0, logQ });
  return { classifier, atoms, components: [component], rows, pseudocount, certificate: GIVEN };
}

/** How far probabilities may sum from 1 before it is a mistake and not rounding. */
const ROUNDING = 1e-9;

function checkProbabilities(
  { schema, classes, logPrior, logConditional }: NaiveBayes,
  start: Int32Array,
): void {
  const K = classes.length;
  if (logPrior.length !== K || logConditional.length !== start[start.length - 1] * K) {
    const message = `naiveBayes must have ${K} prior and ${start[start.length - 1]} × ${K} conditional log-probabilities`;
    throw new ConformantError(
      "invalid-argument",
      `${message}, got ${logPrior.length} and ${logConditional.length}`,
    );
  }
  checkDistribution("naiveBayes.logPrior", logPrior);
  schema.columns.forEach((column, i) => {
    for (let k = 0; k < K; k++) {
      const given = Float64Array.from(
        { length: start[i + 1] - start[i] },
        (_, j) => logConditional[(start[i] + j) * K + k],
      );
      checkDistribution(`P(${column.name} | ${classes[k]})`, given);
    }
  });
}

function checkDistribution(what: string, logs: Float64Array): void {
  if (logs.some((x) => x === Number.NEGATIVE_INFINITY)) {
    const message = `${what} has a probability of 0, which no finite weight can express; use a pseudo-count`;
    throw new ConformantError("zero-probability", message, { value: 0 });
  }
  const sum = logs.reduce((total, x) => total + Math.exp(x), 0);
  if (!(Math.abs(sum - 1) <= ROUNDING)) {
    throw new ConformantError("invalid-argument", `${what} must sum to 1, got ${sum}`, { value: sum });
  }
}

function checkTheta(schema: Schema, theta: readonly (number | readonly number[])[]): Float64Array {
  if (theta?.length !== schema.columns.length) {
    const message = `theta must have one entry for each of the ${schema.columns.length} columns, got ${show(theta)}`;
    throw new ConformantError("invalid-argument", message, { argument: "theta", value: theta });
  }
  const logs = schema.columns.flatMap((column, i) => {
    const entry = theta[i];
    const given = typeof entry === "number" ? [1 - entry, entry] : [...entry];
    const need = isDiscrete(column) ? valueLabels(column).length : 0;
    const sum = given.reduce((total, p) => total + p, 0);
    if (given.length !== need || given.some((p) => !(p > 0 && p < 1)) || Math.abs(sum - 1) > ROUNDING) {
      const message = `theta for column ${show(column.name)} must be ${need} probabilities between 0 and 1 that sum to 1`;
      throw new ConformantError("invalid-argument", `${message}, got ${given.join(", ")}`, {
        argument: "theta",
        column: column.name,
      });
    }
    return given.map(Math.log);
  });
  return Float64Array.from(logs);
}
