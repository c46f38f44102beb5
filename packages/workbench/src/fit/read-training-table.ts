import type { Column, EncodedColumn, Schema, Table } from "conformant";
import { isMissing, pickRows } from "conformant/internal";
import type { ColumnReading } from "../columns/read-columns.ts";
import { tellsRowsApart } from "../columns/tells-rows-apart.ts";
import { counted } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { SeededChoice } from "../source/seeded-choice.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { hashRows } from "./training-rows.ts";

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
  source: TableSource<Cells>,
  reading: Pick<ColumnReading<Cells>, "fields" | "rows" | "group">,
  schema: Schema,
  options: SampleOptions,
  reporter: Pick<Reporter, "progress" | "warn">,
  atMost?: number,
): Promise<TrainingTable> {
  const { group } = reading;
  const whole = { columns: [...(group ? [group] : []), ...schema.columns] };
  const { table, sampled } = await readTrainingTable(source, reading, whole, options, reporter, atMost);
  const labeled = labeledRows(table);
  if (!group) return { table: withCopiesAsGroups(labeled, source.name, reporter), sampled };
  const [codes, ...columns] = labeled.columns;
  const groups = Int32Array.from(codes, (code, r) => (code < 0 ? group.values.length + r : code));
  return { table: { ...labeled, schema, columns, groups }, sampled };
}

/** Rows that agree in all columns as groups, where a measured number shows that they are the same cases again. */
function withCopiesAsGroups(table: Table, source: string, reporter: Pick<Reporter, "warn">): Table {
  const measured = table.columns.filter(
    (cells, c): cells is Float64Array =>
      table.schema.columns[c].kind === "numeric" &&
      cells.some((x) => !Number.isNaN(x) && !Number.isInteger(x)),
  );
  if (measured.length === 0) return table;
  const first = new Map<string, number>();
  const groups = Int32Array.from(hashRows(table), (hash, r) => {
    // Without a number rows may agree by chance.
    if (measured.every((numbers) => Number.isNaN(numbers[r]))) return r;
    if (!first.has(hash)) first.set(hash, r);
    return first.get(hash) ?? r;
  });
  const once = groups.filter((group, r) => group === r);
  if (once.length === table.rows || !measured.some((numbers) => tellsRowsApart(numbers, once))) return table;
  reporter.warn(
    `${quoted(source)}: ${counted(table.rows - once.length, "row")} equal to earlier ones; equal rows are held out together`,
  );
  return { ...table, groups };
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
