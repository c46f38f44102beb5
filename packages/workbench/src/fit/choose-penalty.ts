import { type Classifier, type EncodedColumn, type Table, train } from "conformant";
import { classifyRows, pickRows } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { splitLabel } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { sampleRows } from "../source/sample-rows.ts";
import { watchWork } from "../source/watch-work.ts";
import { meanWithError } from "../verdict/standard-error.ts";
import { stratifiedFolds } from "./out-of-fold.ts";
import type { TimeLimit } from "./time-limit.ts";

/** The penalties that are compared, from the largest: each training begins where the one before ended. */
const PENALTIES: readonly number[] = [1000, 100, 10, 1, 0.1, 0.01];
/** So many penalties in a row that are worse than the best end the search. */
const PATIENCE = 2;
/** The best of them times these factors are compared, too. */
const BESIDE = [3, 0.3];
/** A larger penalty is preferred where its loss is higher by at most this share of a standard error. */
const NEARLY = 0.25;
/** Where the loss is below this, rows are predicted with near certainty: powers of ten are enough, and a whole standard error is allowed. */
const NEAR_CERTAINTY = 0.05;
/** Parts of the rows, each held out once; two where a training is costly or half of the rows tells as much. */
const [FOLDS, FEW_FOLDS, COSTLY, MANY_ROWS] = [5, 2, 1000, 5000];
/** Rows × weights of one pass of a training; more rows than that are sampled. */
const WORK = 2e6;
const LEAST_ROWS = 1000;
/** A comparison does not have to be as exact as the final training. */
const TOLERANCE = 1e-4;

/** The penalty of a table with too few rows to compare any. */
const DEFAULT_PENALTY = 1;

/** How a logistic regression with a penalty predicts rows that it was not trained on. */
export interface ScoredPenalty {
  readonly l2: number;
  /** Mean of −log P(label) over the held-out rows. */
  readonly logLoss: number;
  readonly folds: number;
  readonly rows: number;
}

export interface ChosenPenalty {
  readonly l2: number;
  /** All penalties that were compared. */
  readonly compared: readonly ScoredPenalty[];
}

/**
 * Chooses the L2 penalty of a logistic regression by the log loss of held-out rows: the least, or the largest that is next to nothing behind it. Missing
 * values are imputed by the mean or the most common value, so that all rows count; the training itself imputes them with the mixture.
 *
 * @param table the columns to train on and, last, the label
 */
export function choosePenalty(
  table: Table,
  label: string,
  seed: number,
  messages: Pick<Reporter, "progress" | "tried">,
  limit?: TimeLimit,
): ChosenPenalty {
  const last = table.schema.columns.length - 1;
  const column = table.schema.columns[last];
  const K = column.kind === "categorical" ? column.values.length : 2;
  const weights = slotOffsets(table.schema)[last] * (K === 2 ? 1 : K);
  const rows = imputeRows(sampleRows(table, Math.max(LEAST_ROWS, Math.floor(WORK / weights)), seed));
  const codes = rows.columns[last];
  const { groups } = rows;
  const most = weights > COSTLY || rows.rows >= MANY_ROWS ? FEW_FOLDS : FOLDS;
  const { fold, folds } = stratifiedFolds({ labels: codes, groups }, most, seed);
  const parts = Array.from({ length: folds }, (_, f) => {
    const [held, others] = [true, false].map((isHeld) =>
      pickRows(
        rows,
        Int32Array.from(fold.keys()).filter((r) => (fold[r] === f) === isHeld),
      ),
    );
    return { held, others };
  });
  if (rows.rows < 2 * folds || parts.some(({ others }) => hasOneClass(others)))
    return { l2: DEFAULT_PENALTY, compared: [] };
  const penalties = PENALTIES.length + BESIDE.length;
  const before = new Array<Classifier | undefined>(folds).fill(undefined);
  const tried: { readonly l2: number; readonly losses: Float64Array; readonly logLoss: number }[] = [];
  const score = (l2: number): number => {
    const own = parts.flatMap(({ held, others }, f) => {
      const watch = watchWork(messages, tried.length * folds + f, penalties * folds, "choosing the penalty");
      before[f] = train(others, { label, l2, tolerance: TOLERANCE, start: before[f], ...watch });
      return [...rowLosses(before[f], held, K)];
    });
    const losses = Float64Array.from(own);
    const logLoss = meanWithError(losses).mean;
    tried.push({ l2, losses, logLoss });
    return logLoss;
  };
  const compared = (): ScoredPenalty[] =>
    tried.map(({ l2, logLoss }) => ({ l2, logLoss, folds, rows: rows.rows }));
  let [best, least, worse] = [0, Number.POSITIVE_INFINITY, 0];
  for (const l2 of PENALTIES) {
    const logLoss = score(l2);
    worse = logLoss < least ? 0 : worse + 1;
    if (worse === 0) [best, least] = [l2, logLoss];
    if (worse === PATIENCE) break;
    if (limit?.isOver) {
      limit.note("the choice of the penalty");
      // The best may be yet to come.
      return { l2: Math.min(l2, DEFAULT_PENALTY), compared: compared() };
    }
  }
  if (least >= NEAR_CERTAINTY) for (const factor of BESIDE) score(Number((best * factor).toPrecision(1)));
  tried.sort((a, b) => b.l2 - a.l2);
  return { l2: tried[chooseLargest(tried.map(({ losses }) => losses))].l2, compared: compared() };
}

export function hasOneClass({ columns }: Table): boolean {
  const codes = columns[columns.length - 1];
  return codes.every((code) => code === codes[0]);
}

/**
 * The first of the penalties, and so the largest, whose loss is nearly the least, as row by row differences tell. Where classes are
 * separable, smaller penalties lower the loss of complete rows by next to nothing, and the large weights to which they lead harm
 * predictions with missing values.
 */
function chooseLargest(losses: readonly Float64Array[]): number {
  const means = losses.map((own) => meanWithError(own).mean);
  const least = Math.min(...means);
  const best = losses[means.indexOf(least)];
  const share = least < NEAR_CERTAINTY ? 1 : NEARLY;
  return losses.findIndex((own) => {
    const { mean, standardError } = meanWithError(own.map((loss, r) => loss - best[r]));
    return mean <= share * standardError;
  });
}

/** −log P(label) of rows that were not trained on. */
export function rowLosses(classifier: Classifier, rows: Table, K: number): Float64Array {
  const { table, labels } = splitLabel(rows);
  const probabilities = classifyRows(classifier, table);
  return Float64Array.from(
    { length: table.rows },
    (_, r) => -Math.log(Math.max(probabilities[r * K + labels[r]], Number.MIN_VALUE)),
  );
}

/** Replaces missing values by the mean or the most common value of their column. */
export function imputeRows(table: Table): Table {
  return { ...table, columns: table.columns.map(imputeColumn) };
}

function imputeColumn(cells: EncodedColumn): EncodedColumn {
  if (cells instanceof Float64Array || cells instanceof Float32Array) {
    const known = Float64Array.from(cells).filter((x) => !Number.isNaN(x));
    if (known.length === cells.length) return cells;
    const mean = known.reduce((sum, x) => sum + x / known.length, 0);
    return cells.map((x) => (Number.isNaN(x) ? mean : x));
  }
  const counts: number[] = [];
  for (const code of cells) if (code >= 0) counts[code] = (counts[code] ?? 0) + 1;
  const common = counts.reduce((best, count, code) => (count > (counts[best] ?? 0) ? code : best), 0);
  return cells.map((code) => (code < 0 ? common : code)) as EncodedColumn;
}
