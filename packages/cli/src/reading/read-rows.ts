import type { Column, Schema } from "conformant";
import type { Batch, Connector } from "../sources/connector.ts";
import { encodeSql, INVALID, shapeOf } from "../sql/encode.ts";
import type { FieldSet } from "../sql/fields.ts";
import type { Shape } from "../sql/source-column.ts";
import { rejectValue } from "./reject-value.ts";

/** Rows of the source in the codes of a schema, with texts beside them. */
export interface EncodedBatch extends Batch {
  /** How many rows came before. */
  readonly start: number;
  /** The texts that were asked for, after the schema's columns. */
  readonly texts: readonly (readonly (string | null)[])[];
}

/** What else is read, and of which rows. */
export interface RowsOptions {
  /** SQL expressions that are handed over as texts. */
  readonly texts?: readonly string[];
  /** A condition on the rows. */
  readonly where?: string | undefined;
}

/** Streams the columns of a schema as the kernels read them, and the given SQL expressions as texts. */
export async function* readRows(
  connector: Connector,
  fields: FieldSet,
  schema: Schema,
  { texts = [], where }: RowsOptions = {},
): AsyncGenerator<EncodedBatch> {
  const { dialect } = connector;
  const encoded = schema.columns.map((column) => encodeSql(dialect, column, fields.fields.get(column.name)));
  const shapes: Shape[] = [...schema.columns.map(shapeOf), ...texts.map(() => "text" as const)];
  const selected = [...encoded, ...texts].map((expression, c) => `${expression} AS c${c}_`);
  let start = 0;
  for await (const { rows, columns } of connector.query(
    `SELECT ${selected.join(", ")} FROM ${fields.from}${where ? ` WHERE ${where}` : ""}`,
    shapes,
  )) {
    const own = columns.slice(0, encoded.length);
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

/** The first cell that the column cannot hold, or −1. */
function findInvalid({ kind }: Column, cells: Float64Array | Int32Array): number {
  if (kind === "categorical") return -1;
  const invalid = (x: number): boolean =>
    kind === "numeric" ? x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY : x === INVALID;
  for (let r = 0; r < cells.length; r++) if (invalid(cells[r])) return r;
  return -1;
}
