import { type Column, type IndicatorComparison, type Table, train } from "conformant";
import {
  columnsWithGaps,
  missingEffects,
  pickRows,
  type ScoredBoosting,
  scoreTrees,
} from "conformant/internal";
import { count } from "../source/count.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutLast } from "../source/without-columns.ts";
import { type Estimate, meanWithError } from "../verdict/standard-error.ts";
import { hasOneClass, imputeRows, rowLosses } from "./choose-penalty.ts";
import { dealFolds, type OutOfFold, rowsWhere } from "./out-of-fold.ts";
import type { TimeLimit } from "./time-limit.ts";
import type { TrainingOptions } from "./training-options.ts";
import { withIndicators } from "./with-indicators.ts";

/** The mean log loss of both models on the same rows. */
interface ModelLosses {
  readonly logistic: number;
  readonly trees: number;
}

/** How logistic regression and boosted trees predict rows that they were not trained on. */
export interface ModelComparison {
  readonly chosen: "logistic" | "trees";
  /** Rows that were predicted. */
  readonly rows: number;
  /** On rows as they are. */
  readonly logLoss: ModelLosses;
  /** On the same rows with {@link MASKED} of their known values masked; undefined where the rows as they are decided. */
  readonly maskedLogLoss?: ModelLosses;
  /** The loss of trees minus that of logistic regression, the mean of both kinds of rows where both were predicted. */
  readonly difference: Estimate;
}

/** What was chosen, and why there is no comparison where there is none. */
export type ModelChoice = ModelComparison | { readonly chosen: "logistic"; readonly untried: string };

/** The share of known values that is masked. */
export const MASKED = 0.3;
/** Tables with fewer rows need all folds for a first trial; of others two are held out. */
const [FEW_ROWS, TRIED_FOLDS] = [1000, 2];
/** Cells × classes of a table beyond which trees are not tried, because one iteration would take longer than a pass of the regression. */
const MOST_WORK = 2e7;
/** Tables with fewer rows tell too little for a choice. */
const FEWEST_ROWS = 50;
/** With fewer rows per class on average no leaf of a tree holds enough rows of one class. */
const FEWEST_PER_CLASS = 5;
/** Trees are clearly better where their loss is lower by so many standard errors, and lower than this share of the other. */
const [CLEAR, CLEAR_SHARE] = [4, 0.8];
/** Where both models are nearly certain, the difference is smaller and a matter of the penalty. */
const CLEAR_DIFFERENCE = 0.05;
/** The penalties of a first comparison, of which the better one counts. */
const FEW_PENALTIES = [1, 0.01];
/** Where fewer held-out rows are outside the largest class, nothing is clear. */
const FEWEST_OTHERS = 10;
/** Trees are fitted in full where a first comparison favors them by so many standard errors: it has fewer rows than the final one. */
const PROMISING = 0.5;
/** A comparison does not have to be as exact as a final training. */
const TOLERANCE = 1e-4;

/** Why trees are not tried on rows; undefined where they are. */
export function whyTreesUntried(
  { rows, schema }: Table,
  { crossValidation, bounds }: TrainingOptions,
): string | undefined {
  if (!crossValidation) return "they are compared by cross-validation";
  if (rows < FEWEST_ROWS) return `fewer than ${FEWEST_ROWS} rows`;
  const label = schema.columns[schema.columns.length - 1];
  if (rows < FEWEST_PER_CLASS * classCount(label)) return `fewer than ${FEWEST_PER_CLASS} rows per class`;
  const classes = label.kind === "categorical" && label.values.length > 2 ? label.values.length : 1;
  const work = Math.min(rows, bounds.triedRows) * (schema.columns.length - 1) * classes;
  return work > MOST_WORK ? `more than ${count(MOST_WORK)} values` : undefined;
}

/** Trees that were boosted on a part of the rows and send missing values where they learned to. */
export interface TriedTrees extends Pick<ScoredBoosting, "held" | "losses"> {
  /** The number of iterations that suits all rows, where these were tried. */
  readonly iterations: number | undefined;
  /** By how much the loss may fall with all rows, where fewer were tried: as much for each doubling as for the last one. */
  readonly promise: number;
  /** A comparison with a logistic regression of the same rows whose missing values are imputed by the mean, beside indicators. */
  readonly first: ModelComparison;
  /** Whether the trees are so much better that the regression need not be fitted in full. */
  readonly isClear: boolean;
}

/**
 * Tries boosted trees on rows as they are, some of the folds held out.
 *
 * @param table the columns to train on and, last, the label
 */
export function tryTrees(
  table: Table,
  { label, seed, l2, bounds }: Pick<TrainingOptions, "seed" | "l2" | "bounds"> & { readonly label: string },
  messages: Pick<Reporter, "progress" | "tried">,
  limit: TimeLimit,
): TriedTrees {
  const { fold, count, scored } = dealFolds(table, { seed, bounds });
  const options = {
    label,
    ...(l2 !== "auto" && { l2 }),
    ...limit.watch(watchWork(messages, 0, 1, "trying trees")),
  };
  const folds = table.rows < FEW_ROWS ? scored : Math.min(scored, TRIED_FOLDS);
  const tried = Math.min(count, scored + Math.ceil((count * bounds.triedRows) / table.rows));
  const [rows, some, foldOf] = firstFolds(table, fold, tried);
  const trees = scoreTrees(some, foldOf, folds, options);
  const first = compare([scoreImputed(some, foldOf, folds, label)], [trees.losses]);
  const isAll = tried === count;
  const { mean, standardError } = first.difference;
  const isClear =
    mean < -Math.max(CLEAR * standardError, CLEAR_DIFFERENCE) &&
    first.logLoss.trees < CLEAR_SHARE * first.logLoss.logistic &&
    outsideLargest(table, trees.held) >= FEWEST_OTHERS;
  return {
    iterations: isAll ? trees.iterations : undefined,
    promise: isAll || isClear ? 0 : promiseOf(trees.losses),
    held: trees.held.map((r) => rows[r]),
    losses: trees.losses,
    first,
    isClear,
  };

  /** The gain by the last doubling of the rows, for each doubling up to all rows: what more rows gain becomes less and less. */
  function promiseOf(losses: Float64Array): number {
    const half = scored + Math.ceil((tried - scored) / 2);
    const [, fewer, own] = firstFolds(table, fold, half);
    const before = scoreTrees(fewer, own, folds, options).losses;
    const gain = meanWithError(before).mean - meanWithError(losses).mean;
    const doublings = Math.log2((count - scored) / (tried - scored));
    return (Math.max(0, gain) * doublings) / Math.log2((tried - scored) / (half - scored));
  }
}

/** The rows of the first folds, a table of them and the fold of each. */
function firstFolds(table: Table, fold: Int32Array, count: number): [Int32Array, Table, Int32Array] {
  const rows = rowsWhere(fold, (f) => f < count);
  return [rows, rows.length === table.rows ? table : pickRows(table, rows), rows.map((r) => fold[r])];
}

/** How many of some rows are not of the class that most of them have. */
function outsideLargest({ columns }: Table, rows: Int32Array): number {
  const counts = new Map<number, number>();
  for (const r of rows) {
    const code = columns[columns.length - 1][r];
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return rows.length - Math.max(...counts.values());
}

/** The losses of held-out rows, fold by fold, under a logistic regression of the others, with imputed values and indicators. */
function scoreImputed(table: Table, fold: Int32Array, folds: number, label: string): Float64Array {
  const all = Int32Array.from(fold.keys());
  const names = columnsWithGaps(withoutLast(table), all).map(({ name }) => name);
  const rows = imputeRows(withIndicators(table, names));
  const K = classCount(table.schema.columns[table.columns.length - 1]);
  const scores = FEW_PENALTIES.map((l2) => scorePenalty(l2));
  return scores.reduce((best, own) => (meanWithError(own).mean < meanWithError(best).mean ? own : best));

  function scorePenalty(l2: number): Float64Array {
    const losses = Array.from({ length: folds }, (_, f) => {
      const [held, others] = [true, false].map((isHeld) =>
        pickRows(
          rows,
          all.filter((r) => (fold[r] === f) === isHeld),
        ),
      );
      if (hasOneClass(others)) return onlyClassLosses(held, others, K);
      return rowLosses(train(others, { label, l2, tolerance: TOLERANCE }), held, K);
    });
    return Float64Array.from(losses.flatMap((one) => [...one]));
  }
}

/** Losses where the other rows are all of one class: (n + 1) / (n + K) for it and 1 / (n + K) for every other. */
function onlyClassLosses(held: Table, others: Table, K: number): Float64Array {
  const [codes, [only]] = [held, others].map(({ columns }) => columns[columns.length - 1]);
  const total = others.rows + K;
  return Float64Array.from(codes, (code) => -Math.log((code === only ? others.rows + 1 : 1) / total));
}

function classCount(label: Column): number {
  return label.kind === "categorical" ? label.values.length : 2;
}

/** Compares the tried trees with the out-of-fold predictions of a logistic regression for the same rows. */
export function compareTried(logistic: OutOfFold, { held, losses }: TriedTrees): ModelComparison {
  const placeOf = new Map(Array.from(logistic.held, (r, at) => [r, at]));
  const all = lossesOf(logistic);
  return compare([Float64Array.from(held, (r) => all[placeOf.get(r) ?? 0])], [losses]);
}

/** Whether trees may turn out better once they are fitted in full. */
export function mayBeBetter(
  { difference: { mean, standardError } }: ModelComparison,
  { promise }: TriedTrees,
): boolean {
  return mean - promise < -PROMISING * standardError;
}

/** Compares the out-of-fold predictions of both models for rows as they are and with masked values. */
export function compareModels(logistic: OutOfFold, trees: OutOfFold, seed: number): ModelComparison {
  const masking = { rate: MASKED, seed };
  const [ofLogistic, ofTrees] = [logistic, trees].map((own) => [
    lossesOf(own),
    lossesOf({ ...own, answers: own.answersMasked(masking) }),
  ]);
  return compare(ofLogistic, ofTrees);
}

/** Trees are chosen where their loss is lower by more than a standard error. */
function compare(logistic: readonly Float64Array[], trees: readonly Float64Array[]): ModelComparison {
  const means = logistic.map((own, j) => ({
    logistic: meanWithError(own).mean,
    trees: meanWithError(trees[j]).mean,
  }));
  const difference = meanWithError(
    logistic[0].map(
      (_, r) => logistic.reduce((sum, own, j) => sum + trees[j][r] - own[r], 0) / logistic.length,
    ),
  );
  const [logLoss, maskedLogLoss] = means;
  return {
    chosen: difference.mean < -difference.standardError ? "trees" : "logistic",
    rows: logistic[0].length,
    logLoss,
    ...(maskedLogLoss && { maskedLogLoss }),
    difference,
  };
}

/** The columns whose missing values tell something about rows that were predicted without indicators. */
export function findTellingColumns(table: Table, { answers, held }: OutOfFold): IndicatorComparison {
  const label = table.schema.columns[table.schema.columns.length - 1];
  const labels = {
    codes: Int32Array.from(table.columns[table.columns.length - 1]),
    classes: label.kind === "categorical" ? label.values : [],
  };
  const weights = new Float64Array(table.rows).fill(1);
  const all = Int32Array.from(labels.codes.keys());
  const names = columnsWithGaps(table, all).map(({ name }) => name);
  const effects = missingEffects({ table, labels, weights }, [{ held, probabilities: answers }], names);
  const columns = effects.map(({ column }) => column);
  return { taken: false, columns, effects, rows: held.length };
}

/** Whether rows as they are are predicted better with indicators of missing values, by more than a standard error. */
export function compareWithIndicators(
  found: IndicatorComparison,
  without: OutOfFold,
  withThem: OutOfFold,
): IndicatorComparison {
  const difference = compareLosses(without, withThem);
  return { ...found, difference, taken: difference.mean < -difference.standardError };
}

/** The mean log loss of the second minus that of the first, for the same rows. */
export function compareLosses(
  ...answers: readonly [Pick<OutOfFold, "answers" | "labels">, Pick<OutOfFold, "answers" | "labels">]
): Estimate {
  const [before, after] = answers.map(lossesOf);
  return meanWithError(after.map((loss, r) => loss - before[r]));
}

/** −log P(label) of each row. */
function lossesOf({ answers, labels }: Pick<OutOfFold, "answers" | "labels">): Float64Array {
  const K = answers.length / labels.length;
  return labels.map((k, r) => -Math.log(Math.max(answers[r * K + k], Number.MIN_VALUE)));
}
