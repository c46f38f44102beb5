import type { Cost } from "../methods/compare-method.ts";
import { peer, run } from "../tables/compare-table.ts";

/** What a program of another language answers: the rows filled, once or several times, and what it took. */
export interface Filled<Cell> extends Cost {
  readonly filled: Cell[][][];
}

/** Numbers and codes of categories, null for a missing value. */
type Rows = readonly (readonly (number | null)[])[];

/**
 * R's mice as it comes: five imputations of the teaching rows and, after them, of the asked ones, which teach nothing.
 *
 * @param isNumber of each column, whether its cells are numbers
 * @param seconds of processor time that it may take, without which it has all it wants
 */
export function fillByMice(
  isNumber: readonly boolean[],
  teaching: Rows,
  asked: Rows,
  seconds?: number,
): Filled<number> {
  const line = (test: 0 | 1) => (cells: Rows[number]) =>
    [...cells.map((x, i) => (x === null ? "" : isNumber[i] ? x : `v${x}`)), test].join(",");
  const head = [...isNumber.map((_, i) => `c${i}`), "test"].join(",");
  const text = [head, ...teaching.map(line(0)), ...asked.map(line(1)), ""].join("\n");
  const limit = seconds === undefined ? [] : [String(seconds)];
  const { filled, ...cost } = JSON.parse(run("Rscript", [peer("mice.R"), ...limit], text)) as Filled<
    number | string
  >;
  const code = (cell: number | string): number => (typeof cell === "string" ? Number(cell.slice(1)) : cell);
  return { ...cost, filled: filled.map((rows) => rows.map((cells) => cells.map(code))) };
}
