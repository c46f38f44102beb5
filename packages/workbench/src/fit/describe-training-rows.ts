import type { Model, Table } from "conformant";
import { hashRows, inColumns, type TrainingRows } from "./training-rows.ts";

/** Hashes that a model file has at most: some 80 kB. */
const MOST_HASHES = 10_000;
/** How often one row may be taken for another by accident: once in so many tables of as many rows. */
const [SAFE, MOST_DIGITS] = [1e4, 12];

/**
 * Describes the rows that a model was fitted on.
 *
 * @param table some or all of them, with the label as a column
 * @param rows how many there were
 */
export function describeTrainingRows(
  { schema, predictor }: Model,
  table: Table,
  rows: number,
): TrainingRows | undefined {
  const ordered = inColumns(table, [...schema.columns, table.schema.columns[table.columns.length - 1]]);
  if (!ordered || predictor.label === undefined) return undefined;
  const times = new Map<string, number>();
  const hashes = hashRows(ordered);
  for (const hash of hashes) times.set(hash, (times.get(hash) ?? 0) + 1);
  const single = [...times.keys()].filter((hash) => times.get(hash) === 1).sort();
  const twice = hashes.filter((hash) => times.get(hash) === 2).length;
  const digits = Math.min(MOST_DIGITS, Math.max(6, Math.ceil(Math.log2(rows * SAFE) / 4)));
  // The smallest hashes are a random part of the rows.
  const kept = single.slice(0, MOST_HASHES);
  return {
    rows,
    // Without one of two equal rows, the other one is single and would be recognized.
    chance: (twice / Math.max(1, hashes.length)) * (kept.length / Math.max(1, single.length)),
    hashes: kept
      .map((hash) => hash.slice(-digits))
      .sort()
      .join(""),
    digits,
  };
}
