import { isMissingCell, type Table } from "./data.ts";

/**
 * Splits rows into training rows and held-out rows, both in their order.
 *
 * @param isHeld by position in `rows`
 * @param table where every column must remain trainable: the only rows with a value of some column are not held out
 */
export function holdOut(
  rows: Int32Array,
  isHeld: (position: number) => boolean,
  table?: Table,
): [learn: Int32Array, held: Int32Array] {
  const learn = rows.filter((_, at) => !isHeld(at));
  const held = rows.filter((_, at) => isHeld(at));
  return table ? keepEveryColumn(table, learn, held) : [learn, held];
}

/** Moves held-out rows back to the training rows until every column has a value there, if it has one at all. */
export function keepEveryColumn(
  { columns }: Table,
  learn: Int32Array,
  held: Int32Array,
): [learn: Int32Array, held: Int32Array] {
  const moved = new Set<number>();
  for (const cells of columns) {
    const known = (r: number): boolean => !isMissingCell(cells, r);
    if (learn.some(known) || [...moved].some(known)) continue;
    const found = held.find(known);
    if (found !== undefined) moved.add(found);
  }
  if (moved.size === 0) return [learn, held];
  return [Int32Array.from([...learn, ...moved]), held.filter((r) => !moved.has(r))];
}
