import type { Column, EncodedColumn, Schema, Table } from "conformant";
import { readRows } from "../reading/read-rows.ts";
import type { FitRequest } from "./fit-request.ts";
import type { ColumnReading } from "./read-columns.ts";
import { SeededChoice } from "./seeded-choice.ts";

/** What the rows to train on may take in memory, in bytes; the trainer needs a few times as much. */
export const TRAINING_BYTES = 192 << 20;

export interface TrainingTable {
  readonly table: Table;
  /** Whether it is a sample of the rows. */
  readonly sampled: boolean;
}

/** What the reading needs of a fit or an evaluation. */
type TableRequest = Pick<FitRequest, "connector" | "messages"> & {
  readonly options: { readonly seed: number };
};

/**
 * Reads rows in the codes of a schema into one compact array per column, a byte per category and eight per number. A table
 * that does not fit the budget is sampled: every row has the same chance, and the seed decides.
 */
export async function readTrainingTable(
  { connector, options: { seed }, messages }: TableRequest,
  { fields, rows }: Pick<ColumnReading, "fields" | "rows">,
  schema: Schema,
): Promise<TrainingTable> {
  const rowBytes = schema.columns.reduce((sum, column) => sum + bytesOf(column), 0);
  const most = Math.max(1, Math.floor(TRAINING_BYTES / rowBytes));
  const choice = new SeededChoice(rows, Math.min(rows, most), seed);
  const arrays = schema.columns.map((column) => emptyArray(column, Math.min(rows, most)));
  let at = 0;
  for await (const batch of readRows(connector, fields, schema)) {
    for (let r = 0; r < batch.rows && at < arrays[0].length; r++) {
      if (!choice.next()) continue;
      for (let c = 0; c < arrays.length; c++) arrays[c][at] = Number(batch.columns[c][r]);
      at++;
    }
    messages.progress("reading rows", batch.start + batch.rows, rows);
  }
  return {
    table: { schema, rows: at, columns: arrays.map((array) => array.subarray(0, at)), unseen: [] },
    sampled: rows > most,
  };
}

function bytesOf(column: Column): number {
  return emptyArray(column, 0).BYTES_PER_ELEMENT;
}

function emptyArray(column: Column, rows: number): EncodedColumn {
  if (column.kind === "numeric") return new Float64Array(rows);
  const values = column.kind === "categorical" ? column.values.length : 2;
  if (values <= 127) return new Int8Array(rows);
  return values <= 32_767 ? new Int16Array(rows) : new Int32Array(rows);
}
