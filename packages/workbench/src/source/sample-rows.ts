import type { Table } from "conformant";
import { pickRows } from "conformant/internal";
import { SeededChoice } from "./seeded-choice.ts";

/** At most so many rows of a table, drawn at random in their order; the table itself where it has no more. */
export function sampleRows(table: Table, most: number, seed: number): Table {
  if (table.rows <= most) return table;
  const choice = new SeededChoice(table.rows, most, seed);
  return pickRows(
    table,
    Int32Array.from({ length: table.rows }, (_, r) => r).filter(() => choice.next()),
  );
}
