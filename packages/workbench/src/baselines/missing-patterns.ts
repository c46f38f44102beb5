import type { Table } from "conformant";
import { isMissing } from "conformant/internal";

/** The rows of a table in which the same columns are missing. */
export interface MissingPattern {
  /** The missing columns, ascending, joined: the same text for the same columns. */
  readonly key: string;
  /** The missing columns, ascending. */
  readonly missing: readonly number[];
  readonly rows: readonly number[];
}

/** Groups the rows of a table by their missing columns, in the order of their first rows. */
export function missingPatterns(table: Table): MissingPattern[] {
  const missing: number[][] = Array.from({ length: table.rows }, () => []);
  table.columns.forEach((cells, i) => {
    for (let r = 0; r < cells.length; r++) if (isMissing(cells, r)) missing[r].push(i);
  });
  const patterns = new Map<string, MissingPattern & { rows: number[] }>();
  missing.forEach((columns, r) => {
    const key = columns.join(" ");
    const pattern = patterns.get(key);
    if (pattern) pattern.rows.push(r);
    else patterns.set(key, { key, missing: columns, rows: [r] });
  });
  return [...patterns.values()];
}
