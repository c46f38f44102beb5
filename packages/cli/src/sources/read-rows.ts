import type { Column, Schema } from "conformant";
import { INVALID, LARGEST } from "conformant-workbench";
import { encodeSql, encodeTexts, type FieldSet, type Shape, shapeOf } from "conformant-workbench/sql";
import type { Batch, BatchColumn, Connector } from "./connector.ts";
import { rejectValue } from "./reject-value.ts";

/** Rows encoded by a schema, with additional texts. */
export interface EncodedBatch extends Batch {
  /** The number of rows before these. */
  readonly start: number;
  /** The requested texts, after the schema's columns. */
  readonly texts: readonly (readonly (string | null)[])[];
}

/** Additional columns to read, and which rows. */
export interface RowsOptions {
  /** SQL expressions that are read as texts. */
  readonly texts?: readonly string[];
  /** A condition on the rows. */
  readonly where?: string | undefined;
}

/** Streams the columns of a schema in the encoding of the kernels, and the given SQL expressions as texts. */
export async function* readRows(
  connector: Connector,
  fields: FieldSet,
  schema: Schema,
  { texts = [], where }: RowsOptions = {},
): AsyncGenerator<EncodedBatch> {
  const readings = schema.columns.map((column) => readingOf(connector, column, fields, schema));
  const encoded = readings.map(({ sql }) => sql);
  const shapes: Shape[] = [...readings.map(({ shape }) => shape), ...texts.map(() => "text" as const)];
  const selected = [...encoded, ...texts].map((expression, c) => `${expression} AS c${c}_`);
  let start = 0;
  for await (const { rows, columns } of connector.query(
    `SELECT ${selected.join(", ")} FROM ${fields.from}${where ? ` WHERE ${where}` : ""}`,
    shapes,
  )) {
    const own = readings.map(({ encode }, c) => encode(columns[c]));
    for (let c = 0; c < own.length; c++) {
      const bad = findInvalid(schema.columns[c], own[c] as Float64Array | Int32Array);
      if (bad >= 0) await rejectValue(connector, fields, schema.columns[c], start + bad);
    }
    yield {
      rows,
      start,
      columns: own,
      texts: columns.slice(encoded.length) as readonly (readonly (string | null)[])[],
    };
    start += rows;
  }
}

/** How a column is queried, and how its values are converted. */
interface ColumnReader {
  readonly sql: string;
  readonly shape: Shape;
  readonly encode: (cells: BatchColumn) => BatchColumn;
}

/** With very many columns, texts are fetched unencoded, because the query would be too long. */
function readingOf(
  { dialect }: Connector,
  column: Column,
  { fields }: FieldSet,
  { columns }: Schema,
): ColumnReader {
  const field = fields.get(column.name);
  const isText = column.kind === "categorical" && field?.storage === "text";
  if (isText && columns.length > dialect.mostEncoded)
    return {
      sql: field.key,
      shape: "text",
      encode: (cells) => encodeTexts(column, field, cells as readonly (string | null)[]),
    };
  return { sql: encodeSql(dialect, column, field), shape: shapeOf(column), encode: (cells) => cells };
}

/** The first cell that the column cannot hold, or −1. */
function findInvalid({ kind }: Column, cells: Float64Array | Int32Array): number {
  if (kind === "categorical") return -1;
  const invalid = (x: number): boolean => (kind === "numeric" ? Math.abs(x) > LARGEST : x === INVALID);
  for (let r = 0; r < cells.length; r++) if (invalid(cells[r])) return r;
  return -1;
}
