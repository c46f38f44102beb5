import {
  ConformantError,
  type Data,
  encode,
  type KnownPredictor,
  type Predictions,
  type Table,
  train,
  type WatchOptions,
} from "conformant";
import { classifyRows, pickRows, readLabels, Watch } from "conformant/internal";
import { type MissingPattern, missingPatterns } from "./missing-patterns.ts";

/** Settings of {@link reducedModels}. */
export interface ReducedModelsOptions {
  /** The column to learn. */
  readonly label: string;
  /** Penalty of each model, as for `train`. Default: the classifier's own, or 1. */
  readonly l2?: number;
  /** Maximum number of patterns of missing columns: each costs a training run. Default 64. */
  readonly maxPatterns?: number;
}

/** One classifier per pattern of missing columns, trained at the first row with the pattern and then reused. */
export interface ReducedModels {
  /** How many have been trained so far. */
  readonly trained: number;
  /** Class probabilities in the order of the classifier's classes; one row or many. */
  predict(data: Data, options?: WatchOptions): Predictions;
}

/**
 * The strongest baseline: a separate classifier for every pattern of missing columns, trained on the same complete rows but only
 * on the known columns ("reduced-feature models", Saar-Tsechansky and Provost 2007). Where nothing is known the answer is the
 * share of each class.
 */
export function reducedModels(
  classifier: KnownPredictor,
  training: Data,
  options: ReducedModelsOptions,
): ReducedModels {
  const { maxPatterns = 64 } = options;
  const source = trainingRows(classifier, training, options);
  const models = new Map<string, Answer>();
  const predict = (data: Data, options: WatchOptions = {}): Predictions => {
    const watch = new Watch(options, "training");
    const table = encode(classifier.schema, data);
    const patterns = missingPatterns(table);
    checkCount(models, patterns, maxPatterns);
    const K = classifier.classes.length;
    const probabilities = new Float64Array(table.rows * K);
    for (const [at, pattern] of patterns.entries()) {
      const part = watch.part(at / patterns.length, (at + 1) / patterns.length);
      const answer = models.get(pattern.key) ?? reducedAnswer(classifier, source, pattern, part);
      models.set(pattern.key, answer);
      const answers = answer(pickRows(table, Int32Array.from(pattern.rows)));
      pattern.rows.forEach((r, at) => {
        probabilities.set(answers.subarray(at * K, (at + 1) * K), r * K);
      });
    }
    return { classes: classifier.classes, probabilities, unseen: table.unseen };
  };
  return {
    get trained() {
      return models.size;
    },
    predict,
  };
}

/** Rows of one pattern to rows × K probabilities. */
type Answer = (rows: Table) => Float64Array;

/** What every reduced model is trained on: the rows that the full classifier could use. */
interface Source {
  readonly table: Table;
  /** Per row the position of its label. */
  readonly labels: Int32Array;
  readonly labelNames: readonly string[];
  readonly label: string;
  readonly l2: number;
}

function trainingRows(classifier: KnownPredictor, training: Data, options: ReducedModelsOptions): Source {
  const { classes, codes } = readLabels(training, options.label);
  const table = encode(classifier.schema, training);
  const complete = missingPatterns(table).find(({ missing }) => missing.length === 0)?.rows ?? [];
  const rows = Int32Array.from(complete).filter((r) => codes[r] >= 0);
  if (rows.length === 0) {
    const message =
      "reduced models need complete rows to learn from, but each row lacks a value or its label";
    throw new ConformantError("empty-data", message);
  }
  return {
    table: pickRows(table, rows),
    labels: rows.map((r) => codes[r]),
    labelNames: classes,
    label: options.label,
    l2: options.l2 ?? (classifier.kind === "additive" ? classifier.training?.l2 : undefined) ?? 1,
  };
}

function reducedAnswer(
  classifier: KnownPredictor,
  source: Source,
  { missing }: MissingPattern,
  watch: WatchOptions,
): Answer {
  const { classes } = classifier;
  const places = [...source.table.columns.keys()].filter((i) => !missing.includes(i));
  if (missing.length === 0) return (rows) => classifyRows(classifier, rows);
  if (places.length === 0) return (rows) => classShares(classes, source, rows.rows);
  const { table, label, labels, labelNames, l2 } = source;
  const known: Table = {
    ...table,
    schema: {
      columns: [
        ...places.map((i) => table.schema.columns[i]),
        { name: label, kind: "categorical", values: labelNames },
      ],
    },
    columns: [...places.map((i) => table.columns[i]), labels],
  };
  const model = train(known, { label, l2, ...watch });
  return (rows) => {
    const probabilities = classifyRows(model, encode(model.schema, rows));
    return inOrderOf(classes, { classes: model.classes, probabilities, unseen: [] }).probabilities;
  };
}

/** The same share of each class for every row. */
function classShares(classes: readonly string[], { labels, labelNames }: Source, rows: number): Float64Array {
  const shares = classes.map((name) => {
    const own = labelNames.indexOf(name);
    return labels.filter((label) => label === own).length / labels.length;
  });
  return Float64Array.from({ length: rows * classes.length }, (_, at) => shares[at % classes.length]);
}

function checkCount(
  models: ReadonlyMap<string, Answer>,
  patterns: readonly MissingPattern[],
  limit: number,
): void {
  const count = new Set([...models.keys(), ...patterns.map(({ key }) => key)]).size;
  if (count <= limit) return;
  const message = `reduced models train one model per pattern of missing columns: expected at most ${limit} patterns, got ${count}`;
  throw new ConformantError("invalid-argument", message, {
    argument: "options.maxPatterns",
    value: count,
    hint: "leave the baseline out, or mask columns together so that fewer combinations of columns are missing",
  });
}

/** The same predictions with the classes in another order; a class that the other model does not know gets 0. */
export function inOrderOf(classes: readonly string[], predictions: Predictions): Predictions {
  const from = classes.map((name) => predictions.classes.indexOf(name));
  if (from.length === predictions.classes.length && from.every((at, k) => at === k)) return predictions;
  const [K, L] = [classes.length, predictions.classes.length];
  const rows = predictions.probabilities.length / L;
  const probabilities = Float64Array.from({ length: rows * K }, (_, at) => {
    const source = from[at % K];
    return source < 0 ? 0 : predictions.probabilities[Math.floor(at / K) * L + source];
  });
  return { ...predictions, classes, probabilities };
}
