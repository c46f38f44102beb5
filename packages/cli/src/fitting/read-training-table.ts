import type { Column, EncodedColumn, Schema, Table } from "conformant";
import { emptyColumn, SeededChoice } from "conformant-workbench";
import { sampleSql } from "conformant-workbench/sql";
import { memoryBudget } from "../sources/duckdb/memory-budget.ts";
import { readRows } from "../sources/read-rows.ts";
import type { EngineReading } from "./engine-reading.ts";
import type { FitRequest } from "./fit-request.ts";

/** What the rows to train on may take of the memory that there is for a command: the trainer needs a few times as much. */
const TRAINING_SHARE = 1 / 4;
/** The same in bytes where the rows live elsewhere, and what a sample leaves open is asked of all of them. */
const REMOTE_BYTES = 24 << 20;

export interface TrainingTable {
  readonly table: Table;
  /** Whether it is a sample of the rows. */
  readonly sampled: boolean;
}

/** What the reading needs of a fit or an evaluation. */
type TableRequest = Pick<FitRequest, "connector" | "messages"> & {
  readonly options: Pick<FitRequest["options"], "seed" | "sample">;
};

/**
 * Reads rows in the codes of a schema into one compact array per column, a byte per category and eight per number. A table
 * that does not fit the budget is sampled: every row has the same chance, and the seed decides. Where the rows live elsewhere
 * the engine chooses them by a hash of their values, and only the sample is sent.
 *
 * @param atMost rows that are wanted, where fewer are enough
 */
export async function readTrainingTable(
  { connector, options: { seed, sample }, messages }: TableRequest,
  { fields, rows }: Pick<EngineReading, "fields" | "rows">,
  schema: Schema,
  atMost = Number.POSITIVE_INFINITY,
): Promise<TrainingTable> {
  const budget = TRAINING_SHARE * memoryBudget();
  const bytes = connector.remote ? Math.min(REMOTE_BYTES, budget) : budget;
  const most = sample ?? Math.min(atMost, Math.max(1, Math.floor(bytes / rowBytes(schema))));
  const where = connector.remote && rows > most ? sampleSql(connector, most / rows, seed) : undefined;
  const choice = new SeededChoice(rows, where ? rows : Math.min(rows, most), seed);
  const arrays = schema.columns.map((column) => sharedColumn(column, Math.min(rows, most)));
  let at = 0;
  for await (const batch of readRows(connector, fields, schema, { where })) {
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

/** Bytes of a row in these columns. */
export function rowBytes({ columns }: Schema): number {
  return columns.reduce((sum, column) => sum + emptyColumn(column, 0).BYTES_PER_ELEMENT, 0);
}

/** An array for the cells of a column, in memory that several threads may see. */
function sharedColumn(column: Column, rows: number): EncodedColumn {
  const own = emptyColumn(column, 0);
  const Kind = own.constructor as new (buffer: SharedArrayBuffer) => EncodedColumn;
  return new Kind(new SharedArrayBuffer(rows * own.BYTES_PER_ELEMENT));
}
