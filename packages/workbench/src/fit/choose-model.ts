import type { IndicatorComparison, Table } from "conformant";
import { columnsWithGaps, missingEffects, scoreTrees } from "conformant/internal";
import { count } from "../source/count.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import { type Estimate, meanWithError } from "../verdict/standard-error.ts";
import { dealFolds, type OutOfFold } from "./out-of-fold.ts";

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
/** Folds on which a first boosting is tried. */
const TRIED_FOLDS = 2;
/** Cells × classes of a table beyond which trees are not tried, because one iteration would take longer than a pass of the regression. */
const MOST_WORK = 2e7;
/** Tables with fewer rows tell too little for a choice. */
const FEWEST_ROWS = 50;

/** Why trees are not tried on rows; undefined where they are. */
export function whyTreesUntried(
  table: Table | undefined,
  logistic: OutOfFold | undefined,
): string | undefined {
  if (!table) return "they need all rows in memory";
  const { rows, schema } = table;
  const label = schema.columns[schema.columns.length - 1];
  const classes = label.kind === "categorical" && label.values.length > 2 ? label.values.length : 1;
  if (rows < FEWEST_ROWS) return `fewer than ${FEWEST_ROWS} rows`;
  const work = rows * (schema.columns.length - 1) * classes;
  if (work > MOST_WORK) return `more than ${count(MOST_WORK)} values`;
  return logistic ? undefined : "they are compared by cross-validation";
}

/** A first comparison of trees with a logistic regression. */
export interface FirstComparison extends ModelComparison {
  /** After how many iterations the trees are best. */
  readonly iterations: number;
}

/**
 * Compares trees that send missing values where they learned to with the out-of-fold predictions of a logistic regression, on rows as they
 * are of two of the folds. "trees" means that they may be the better model: they are fitted in full then.
 *
 * @param table the columns to train on and, last, the label
 * @param logistic the predictions of the regression for the rows of this table
 */
export function tryTrees(
  table: Table,
  logistic: OutOfFold,
  how: { readonly label: string; readonly seed: number; readonly l2: number | "auto" },
  messages: Pick<Reporter, "progress" | "tried">,
): FirstComparison {
  const { label, seed, l2 } = how;
  const { fold, scored } = dealFolds(table.columns[table.columns.length - 1], seed);
  const options = { label, ...(l2 !== "auto" && { l2 }), ...watchWork(messages, 0, 1, "trying trees") };
  const tried = scoreTrees(table, fold, Math.min(scored, TRIED_FOLDS), options);
  const K = logistic.answers.length / logistic.held.length;
  const placeOf = new Map(Array.from(logistic.held, (r, at) => [r, at]));
  const all = lossesOf(logistic.answers, logistic.labels, K);
  const own = Float64Array.from(tried.held, (r) => all[placeOf.get(r) ?? 0]);
  const { losses, iterations } = tried;
  return { ...compare([own], [losses]), iterations };
}

/** Compares the out-of-fold predictions of both models for rows as they are and with masked values. */
export function compareModels(logistic: OutOfFold, trees: OutOfFold, seed: number): ModelComparison {
  const K = logistic.answers.length / logistic.held.length;
  const masking = { rate: MASKED, seed };
  const [ofLogistic, ofTrees] = [logistic, trees].map((own) => [
    lossesOf(own.answers, own.labels, K),
    lossesOf(own.answersMasked(masking), own.labels, K),
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
  const K = without.answers.length / without.held.length;
  const [after, before] = [withThem, without].map(({ answers, labels }) => lossesOf(answers, labels, K));
  const difference = meanWithError(after.map((loss, r) => loss - before[r]));
  return { ...found, difference, taken: difference.mean < -difference.standardError };
}

/** −log P(label) of each row. */
function lossesOf(answers: Float64Array, labels: Float64Array, K: number): Float64Array {
  return labels.map((k, r) => -Math.log(Math.max(answers[r * K + k], Number.MIN_VALUE)));
}
