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

/**
 * The part of each row where all rows of a group are in the same one: group by group to the part with the fewest rows so far, the largest
 * first and, of equally large ones, those of a class after each other, so that it has its share in each part. Undefined where there
 * are fewer than two groups, which cannot be divided.
 *
 * @param order the rows to divide, at random
 * @param codes the class of each row
 */
export function dealGroups(
  groups: Int32Array,
  order: ArrayLike<number>,
  parts: number,
  codes?: ArrayLike<number>,
): { readonly part: Int32Array; readonly parts: number } | undefined {
  const members = new Map<number, number[]>();
  for (let at = 0; at < order.length; at++) {
    const own = members.get(groups[order[at]]);
    if (own) own.push(order[at]);
    else members.set(groups[order[at]], [order[at]]);
  }
  if (members.size < 2) return undefined;
  const classOf = ([first]: number[]): number => codes?.[first] ?? 0;
  const dealt = [...members.values()].sort((a, b) => b.length - a.length || classOf(a) - classOf(b));
  const sizes = new Float64Array(Math.min(parts, dealt.length));
  const part = new Int32Array(groups.length).fill(-1);
  for (const rows of dealt) {
    const to = sizes.indexOf(Math.min(...sizes));
    sizes[to] += rows.length;
    for (const r of rows) part[r] = to;
  }
  return { part, parts: sizes.length };
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
