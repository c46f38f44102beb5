import type { Table } from "conformant";
import { isMissing, pickRows } from "conformant/internal";
import { SeededChoice } from "./seeded-choice.ts";

/** Rows with a value of each column that a sample has at least, where there are as many: of a column without any nothing can be learned. */
const LEAST_KNOWN = 20;

/**
 * So many rows of a table, drawn at random in their order, and more that know columns of which these know little; the table itself where it
 * has no more.
 */
export function sampleRows(table: Table, most: number, seed: number): Table {
  if (table.rows <= most) return table;
  const choice = new SeededChoice(table.rows, most, seed);
  const chosen = Array.from({ length: table.rows }, () => choice.next());
  for (const cells of table.columns) {
    let wanted = LEAST_KNOWN;
    for (let r = 0; r < table.rows && wanted > 0; r++) if (chosen[r] && !isMissing(cells, r)) wanted--;
    for (let r = 0; r < table.rows && wanted > 0; r++) {
      if (chosen[r] || isMissing(cells, r)) continue;
      chosen[r] = true;
      wanted--;
    }
  }
  return pickRows(
    table,
    Int32Array.from({ length: table.rows }, (_, r) => r).filter((r) => chosen[r]),
  );
}
