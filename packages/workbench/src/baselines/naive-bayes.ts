import {
  type Classifier,
  type Column,
  ConformantError,
  createClassifier,
  createModel,
  type Data,
  encode,
  type InferOptions,
  inferSchema,
  type Marginals,
  type Model,
  type Schema,
} from "conformant";
import { createAtoms, createComponent, GIVEN, isDiscrete, readLabels, valueCount } from "conformant/internal";
import { countMarginals, slotOffsets } from "conformant/remote";
import { quoted } from "../source/quoted.ts";

/** Settings of {@link trainNaiveBayes}. */
export interface NaiveBayesOptions extends InferOptions {
  /** The column to learn. */
  readonly label: string;
  /** Added to every count. With 0 a value that never occurs in a class is an error. Default 1. */
  readonly pseudocount?: number;
  /** Bins per numeric column. Default 32. */
  readonly bins?: number;
}

/**
 * Maximum-likelihood naive Bayes on labeled rows, as a model like any other: its classifier is the logistic regression
 * of Lemma 1. Numeric columns are cut into quantile bins. Rows with missing values count for the columns they have.
 */
export function trainNaiveBayes(data: Data, options: NaiveBayesOptions): Model {
  const { label, pseudocount = 1, bins, ...infer } = options;
  const { classes, codes } = readLabels(data, label);
  const guessed = inferSchema(data, { ...infer, exclude: [...(infer.exclude ?? []), label] });
  const labeled = Float64Array.from(codes, (code) => (code < 0 ? 0 : 1));
  const schema = binNumbers(
    countMarginals(guessed, data, { ...(bins !== undefined && { bins }), weights: labeled }),
  );
  const table = encode(schema, data);
  const perClass = classes.map((_, k) =>
    countMarginals(schema, table, { weights: Float64Array.from(codes, (code) => (code === k ? 1 : 0)) }),
  );
  const rows = perClass.reduce((sum, counts) => sum + counts.rows, 0);
  const logPrior = Float64Array.from(perClass, (counts) =>
    Math.log((counts.rows + pseudocount) / (rows + classes.length * pseudocount)),
  );
  return modelFromNaiveBayes(
    { schema, classes, label, logPrior, logConditional: logConditionals(schema, perClass, pseudocount) },
    rows,
    pseudocount,
  );
}

/** The schema with every numeric column cut at the edges of its marginal. */
function binNumbers({ schema, columns }: Marginals): Schema {
  return {
    columns: schema.columns.map((column, i): Column => {
      const marginal = columns[i];
      return marginal.kind === "numeric"
        ? { name: column.name, kind: "binned", edges: [...marginal.edges] }
        : column;
    }),
  };
}

function logConditionals(schema: Schema, perClass: readonly Marginals[], pseudocount: number): Float64Array {
  const start = valueOffsets(schema);
  const K = perClass.length;
  const logs = new Float64Array(start[schema.columns.length] * K);
  perClass.forEach(({ columns }, k) => {
    columns.forEach(({ counts }, i) => {
      const total = counts.reduce((sum, count) => sum + count + pseudocount, 0);
      counts.forEach((count, v) => {
        logs[(start[i] + v) * K + k] = Math.log((count + pseudocount) / total);
      });
    });
  });
  return logs;
}

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
  const starts = new Int32Array(schema.columns.length + 1);
  schema.columns.forEach((column, i) => {
    if (!isDiscrete(column)) {
      const message = `column ${quoted(column.name)} is numeric; naive Bayes needs columns with finitely many values`;
      throw new ConformantError("invalid-schema", message, { column: column.name });
    }
    starts[i + 1] = starts[i] + valueCount(column);
  });
  return starts;
}

/**
 * Lemma 1 of the paper, for any number of classes: the one logistic regression that a naive Bayes distribution conforms
 * with. Scores are relative to the first class: w_ki = log P(x_i|k)/P(x_i|0) − log P(x̄_i|k)/P(x̄_i|0) for 0/1 columns,
 * log P(v|k)/P(v|0) for the others, and b_k = log P(k)/P(0) + Σ_{i 0/1} log P(x̄_i|k)/P(x̄_i|0).
 */
export function logisticFromNaiveBayes(naiveBayes: NaiveBayes): Classifier {
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

/** A naive Bayes distribution as a model: it conforms with the logistic regression of Lemma 1. */
export function modelFromNaiveBayes(naiveBayes: NaiveBayes, rows = 0, pseudocount = 0): Model<Classifier> {
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
  const { schema } = naiveBayes;
  const components = [component];
  return createModel(classifier, {
    schema,
    tilt: classifier,
    atoms,
    components,
    rows,
    pseudocount,
    certificate: GIVEN,
  });
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
