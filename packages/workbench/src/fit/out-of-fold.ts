import { type Column, random, type Table, type WatchOptions } from "conformant";
import { dealGroups, isMissing, pickRows } from "conformant/internal";
import { splitLabel } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { shuffled } from "../source/shuffled.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutColumns } from "../source/without-columns.ts";
import { TimeLimit } from "./time-limit.ts";
import type { TrainingOptions } from "./training-options.ts";

/** Cells to mask before rows are predicted: a share of the known values, at random. */
export interface Masking {
  readonly rate: number;
  readonly seed: number;
}

/** Predictions for rows: rows × outputs. */
export type Answers = (rows: Table, masking?: Masking) => Float64Array;

/** Fits the whole pipeline to some labeled rows, the label last, with what was chosen for all of them. */
export type FitAgain = (rows: Table, watch: WatchOptions) => Promise<Answers> | Answers;

/** Rows, each predicted by a model that was fitted to others. */
export interface OutOfFold {
  readonly answers: Float64Array;
  /** The label of each of these rows. */
  readonly labels: Float64Array;
  /** The position of each of these rows in the table. */
  readonly held: Int32Array;
  /** The group of each of these rows. */
  readonly groups?: Int32Array | undefined;
  readonly folds: number;
  /** Predictions of the same rows by the same models with some cells masked. */
  readonly answersMasked: (masking: Masking) => Float64Array;
}

/** Parts of the rows, and how many of them are predicted; in large tables one or two have enough rows, and two where a fit is costly. */
const FOLDS = 5;
/** Rows × columns × (columns + classes) from which on a fit is costly: it goes through pairs of columns, and of a column and a class. */
const COSTLY = 1.5e6;
const [TWO_FOLDS_FROM, ONE_FOLD_FROM] = [5000, 20_000];

/** Of a table that has this many times the rows that may be held out, a tenth is held out at most. */
const LARGE = FOLDS;

/**
 * Predicts rows by a model of the other folds' rows: all rows of a table, two or one fifth of a large or costly one, a tenth or fewer of a very
 * large one. The folds are random and hold the same share of each class, or of each range of a number. Undefined where there are too few rows
 * to hold any out.
 *
 * @param table the columns of the model and, last, the label, known in every row
 */
export async function predictOutOfFold(
  table: Table,
  fitAgain: FitAgain,
  options: FoldOptions,
  messages: Pick<Reporter, "progress" | "tried">,
  limit = new TimeLimit(Number.POSITIVE_INFINITY),
): Promise<OutOfFold | undefined> {
  if (table.rows < 2) return undefined;
  const codes = table.columns[table.columns.length - 1];
  const { fold, scored } = dealFolds(table, options);
  const models: { held: Int32Array; rows: Table; answers: Answers }[] = [];
  for (let f = 0; f < scored; f++) {
    const held = rowsWhere(fold, (g) => g === f);
    const training = pickRows(
      table,
      rowsWhere(fold, (g) => g !== f),
    );
    const empty = emptyColumns(training);
    const watch = limit.watch(watchWork(messages, f, scored, "scoring new rows"));
    const answers = await fitAgain(withoutColumns(training, empty), watch);
    models.push({ held, answers, rows: splitLabel(withoutColumns(pickRows(table, held), empty)).table });
  }
  const answersMasked = (masking?: Masking): Float64Array =>
    joined(models.map(({ rows, answers }) => answers(rows, masking)));
  const held = Int32Array.from(models.flatMap((own) => [...own.held]));
  return {
    answers: answersMasked(),
    labels: Float64Array.from(held, (r) => codes[r]),
    held,
    groups: table.groups && held.map((r) => table.groups?.[r] ?? r),
    folds: scored,
    answersMasked,
  };
}

type FoldOptions = Pick<TrainingOptions, "seed" | "bounds">;

/** The folds of a table's rows. */
export interface Folds {
  /** The fold of each row. */
  readonly fold: Int32Array;
  /** How many folds there are, and how many of them are held out, from 0. */
  readonly count: number;
  readonly scored: number;
  /** Whether so few rows are held out that the trees that are scored can be the final ones. */
  readonly isLarge: boolean;
}

/**
 * Deals the rows into folds.
 *
 * @param table the columns of the model and, last, the label
 */
export function dealFolds({ schema, rows, columns, groups }: Table, { seed, bounds }: FoldOptions): Folds {
  const last = columns.length - 1;
  const label = schema.columns[last];
  const classes = label.kind === "categorical" ? label.values.length : 1;
  const isLarge = rows > LARGE * bounds.scoredRows;
  const most = isLarge ? Math.max(2 * FOLDS, Math.ceil(rows / bounds.scoredRows)) : Math.min(FOLDS, rows);
  const { fold, folds } = stratifiedFolds({ labels: columns[last], groups }, most, seed);
  const isCostly = rows >= TWO_FOLDS_FROM || rows * last * (last + classes) >= COSTLY;
  const scored = isLarge || rows >= ONE_FOLD_FROM ? 1 : isCostly ? Math.min(2, folds) : folds;
  return { fold, count: folds, scored, isLarge };
}

/** The fold of each row: the rows of a class, in random order, are dealt out one by one, or whole groups of rows. */
export function stratifiedFolds(
  { labels, groups }: { readonly labels: ArrayLike<number>; readonly groups?: Int32Array | undefined },
  folds: number,
  seed: number,
): { readonly fold: Int32Array; readonly folds: number } {
  const order = shuffled(labels.length, random(seed));
  const dealt = groups && dealGroups(groups, order, folds, labels);
  if (dealt) return { fold: dealt.part, folds: dealt.parts };
  const places = Int32Array.from(order.keys());
  places.sort((a, b) => labels[order[a]] - labels[order[b]] || a - b);
  const fold = new Int32Array(labels.length);
  places.forEach((place, at) => {
    fold[order[place]] = at % folds;
  });
  return { fold, folds };
}

/** The rows that trees are trained on: all, or in a large table those that are not held out, so that the trees that are scored are the final ones. */
export function rowsForTrees(table: Table, options: FoldOptions): Table {
  const last = table.columns.length - 1;
  const label = table.schema.columns[last];
  const trees = label.kind === "categorical" && label.values.length > 2 ? label.values.length : 1;
  if (table.rows * last * trees < options.bounds.trainedOnce) return table;
  const { fold, scored, isLarge } = dealFolds(table, options);
  return isLarge
    ? pickRows(
        table,
        rowsWhere(fold, (f) => f >= scored),
      )
    : table;
}

/** The rows whose fold is wanted. */
export function rowsWhere(fold: Int32Array, isWanted: (fold: number) => boolean): Int32Array {
  return Int32Array.from(fold.keys()).filter((r) => isWanted(fold[r]));
}

/** The columns that are missing in every row, from which nothing can be learned. */
function emptyColumns({ schema, rows, columns }: Table): Column[] {
  return schema.columns.filter((_, c) => {
    for (let r = 0; r < rows; r++) if (!isMissing(columns[c], r)) return false;
    return true;
  });
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
