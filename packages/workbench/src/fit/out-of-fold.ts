import { type Column, random, type Table, type WatchOptions } from "conformant";
import { isMissing, pickRows } from "conformant/internal";
import { splitLabel } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { shuffled } from "../source/shuffled.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutColumns } from "../source/without-columns.ts";

/** Predictions for rows: rows × outputs. */
export type Answers = (rows: Table) => Float64Array;

/** Fits the whole pipeline to some labeled rows, the label last, with what was chosen for all of them. */
export type FitAgain = (rows: Table, watch: WatchOptions) => Promise<Answers> | Answers;

/** Rows, each predicted by a model that was fitted to others. */
export interface OutOfFold {
  readonly answers: Float64Array;
  /** The label of each of these rows. */
  readonly labels: Float64Array;
  readonly folds: number;
}

/** Parts of the rows, and how many of them are predicted: two or one where a table is so large that each fit takes long. */
const FOLDS = 5;
const [TWO_FOLDS_FROM, ONE_FOLD_FROM] = [
  { rows: 5000, cells: 50_000 },
  { rows: 20_000, cells: Number.POSITIVE_INFINITY },
];

/**
 * Predicts rows by a model of the other folds' rows: all rows of a table, or two fifths or one fifth of a large one. The folds are random and
 * hold the same share of each class, or of each range of a number. Undefined where there are too few rows to hold any out.
 *
 * @param table the columns of the model and, last, the label, known in every row
 */
export async function predictOutOfFold(
  table: Table,
  fitAgain: FitAgain,
  seed: number,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<OutOfFold | undefined> {
  const folds = Math.min(FOLDS, table.rows);
  if (folds < 2) return undefined;
  const codes = table.columns[table.columns.length - 1];
  const fold = stratifiedFolds(codes, folds, seed);
  const exceeds = ({ rows, cells }: typeof TWO_FOLDS_FROM): boolean =>
    table.rows >= rows || table.rows * table.columns.length >= cells;
  const scored = exceeds(ONE_FOLD_FROM) ? 1 : exceeds(TWO_FOLDS_FROM) ? 2 : folds;
  const answers: Float64Array[] = [];
  const labels: number[] = [];
  for (let f = 0; f < scored; f++) {
    const held = rowsWhere(fold, (g) => g === f);
    const training = pickRows(
      table,
      rowsWhere(fold, (g) => g !== f),
    );
    const empty = emptyColumns(training);
    const watch = watchWork(messages, f, scored, "scoring new rows");
    const answer = await fitAgain(withoutColumns(training, empty), watch);
    answers.push(answer(splitLabel(withoutColumns(pickRows(table, held), empty)).table));
    for (const r of held) labels.push(codes[r]);
  }
  return { answers: joined(answers), labels: Float64Array.from(labels), folds: scored };
}

/** The fold of each row: the rows of a class, in random order, are dealt out one by one. */
export function stratifiedFolds(labels: ArrayLike<number>, folds: number, seed: number): Int32Array {
  const order = shuffled(labels.length, random(seed));
  const places = Int32Array.from(order.keys());
  places.sort((a, b) => labels[order[a]] - labels[order[b]] || a - b);
  const fold = new Int32Array(labels.length);
  places.forEach((place, at) => {
    fold[order[place]] = at % folds;
  });
  return fold;
}

function rowsWhere(fold: Int32Array, isWanted: (fold: number) => boolean): Int32Array {
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
