import { isGapCell, type Table } from "../schema/data.ts";

/** The rows of a table in which the same columns are missing. */
export interface GapPattern {
  /** The missing columns, ascending, joined: the same text for the same columns. */
  readonly key: string;
  /** The missing columns, ascending. */
  readonly gaps: readonly number[];
  readonly rows: readonly number[];
}

/** Groups the rows of a table by the columns they lack, in the order in which the patterns turn up. */
export function gapPatterns(table: Table): GapPattern[] {
  const gaps: number[][] = Array.from({ length: table.rows }, () => []);
  table.columns.forEach((cells, i) => {
    for (let r = 0; r < cells.length; r++) if (isGapCell(cells, r)) gaps[r].push(i);
  });
  const patterns = new Map<string, { key: string; gaps: readonly number[]; rows: number[] }>();
  gaps.forEach((missing, r) => {
    const key = missing.join(" ");
    const pattern = patterns.get(key);
    if (pattern) pattern.rows.push(r);
    else patterns.set(key, { key, gaps: missing, rows: [r] });
  });
  return [...patterns.values()];
}
