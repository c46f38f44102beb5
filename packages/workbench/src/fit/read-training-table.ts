import type { Column, EncodedColumn, Schema, Table } from "conformant";
import { isMissing, pickRows } from "conformant/internal";
import type { ColumnReading } from "../columns/read-columns.ts";
import type { Reporter } from "../source/reporter.ts";
import { SeededChoice } from "../source/seeded-choice.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";

export interface TrainingTable {
  readonly table: Table;
  /** Whether it is a sample of the rows. */
  readonly sampled: boolean;
}

/** Which rows are read where they are too many. */
interface SampleOptions {
  readonly seed: number;
  /** Rows at most, whatever the memory. */
  readonly sample?: number | undefined;
}

/**
 * Reads the rows that have a label, the last column of the schema; like {@link readTrainingTable}.
 */
export async function readLabeledTable<Cells extends CellReading>(
  ...[source, reading, schema, options, reporter, atMost]: Parameters<typeof readTrainingTable<Cells>>
): Promise<TrainingTable> {
  const { table, sampled } = await readTrainingTable(source, reading, schema, options, reporter, atMost);
  return { table: labeledRows(table), sampled };
}

/** The rows of a table that have a label, its last column. */
export function labeledRows(table: Table): Table {
  const labels = table.columns[table.columns.length - 1];
  const known = Int32Array.from(labels.keys()).filter((r) => !isMissing(labels, r));
  return known.length === table.rows ? table : pickRows(table, known);
}

/**
 * Reads rows in the codes of a schema into one compact array per column, a byte per category and eight per number. A table
 * that does not fit the memory budget is sampled: every row has the same chance, and the seed decides. An engine that computes sums
 * chooses the rows by a hash of their values, and sends only the sample.
 *
 * @param atMost rows that are wanted, where fewer are enough
 */
export async function readTrainingTable<Cells extends CellReading>(
  source: TableSource<Cells>,
  { fields, rows }: Pick<ColumnReading<Cells>, "fields" | "rows">,
  schema: Schema,
  { seed, sample }: SampleOptions,
  reporter: Pick<Reporter, "progress">,
  atMost = Number.POSITIVE_INFINITY,
): Promise<TrainingTable> {
  const most = sample ?? Math.min(atMost, Math.max(1, Math.floor(source.memoryBudget / rowBytes(schema))));
  const sampled = rows > most;
  const sums = sampled && source.remote ? source.sums : undefined;
  const batches = sums ? sums.sample(fields, schema, most / rows, seed) : source.rows(fields, schema);
  const choice = new SeededChoice(rows, sums ? rows : Math.min(rows, most), seed);
  const arrays = schema.columns.map((column) => sharedColumn(column, Math.min(rows, most)));
  let at = 0;
  for await (const batch of batches) {
    for (let r = 0; r < batch.rows && at < arrays[0].length; r++) {
      if (!choice.next()) continue;
      for (let c = 0; c < arrays.length; c++) arrays[c][at] = Number(batch.columns[c][r]);
      at++;
    }
    reporter.progress("reading rows", batch.start + batch.rows, rows);
  }
  return {
    table: { schema, rows: at, columns: arrays.map((array) => array.subarray(0, at)), unseen: [] },
    sampled,
  };
}

/** Bytes of a row in these columns. */
export function rowBytes({ columns }: Schema): number {
  return columns.reduce((sum, column) => sum + emptyColumn(column, 0).BYTES_PER_ELEMENT, 0);
}

/** An array for the cells of a column, as compact as its values allow. */
export function emptyColumn(column: Column, rows: number): EncodedColumn {
  if (column.kind === "numeric") return new Float64Array(rows);
  const values =
    column.kind === "categorical"
      ? column.values.length
      : column.kind === "binned"
        ? column.edges.length + 1
        : 2;
  if (values <= 127) return new Int8Array(rows);
  return values <= 32_767 ? new Int16Array(rows) : new Int32Array(rows);
}

/** The same in memory that several threads may see, where the platform has it: a page that is not isolated has none. */
function sharedColumn(column: Column, rows: number): EncodedColumn {
  if (typeof SharedArrayBuffer === "undefined") return emptyColumn(column, rows);
  const own = emptyColumn(column, 0);
  const Kind = own.constructor as new (buffer: SharedArrayBuffer) => EncodedColumn;
  return new Kind(new SharedArrayBuffer(rows * own.BYTES_PER_ELEMENT));
}
