import type { Column, Row, Schema, Value } from "conformant";
import { UNSEEN } from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";
import type { BatchColumn, Connector } from "./connector.ts";
import { type EncodedBatch, type RowsOptions, readRows } from "./read-rows.ts";

/** Rows as objects, as the library's functions for one row expect them. */
export interface ObjectBatch extends Pick<EncodedBatch, "start" | "texts"> {
  /** Every column of the schema, null if missing; an unknown category is kept as it is. */
  readonly rows: readonly Row[];
}

/**
 * Streams rows as objects, and the given SQL expressions as texts. The code of a binned column or an unknown category
 * does not determine the value, so the texts of those columns are read too.
 */
export async function* readObjects(
  connector: Connector,
  fields: FieldSet,
  schema: Schema,
  { texts = [], where }: RowsOptions = {},
): AsyncGenerator<ObjectBatch> {
  const coded = schema.columns.filter(({ kind }) => kind === "binned" || kind === "categorical");
  const own = coded.map(({ name }) => fields.fields.get(name)?.text ?? connector.dialect.text("NULL"));
  for await (const batch of readRows(connector, fields, schema, { texts: [...own, ...texts], where })) {
    const read = schema.columns.map((column, c) =>
      valueReader(column, batch.columns[c], batch.texts[coded.indexOf(column)]),
    );
    yield {
      start: batch.start,
      rows: Array.from({ length: batch.rows }, (_, r) =>
        Object.fromEntries(schema.columns.map(({ name }, c) => [name, read[c](r)])),
      ),
      texts: batch.texts.slice(coded.length),
    };
  }
}

function valueReader(
  column: Column,
  cells: BatchColumn,
  texts: readonly (string | null)[],
): (row: number) => Value {
  const codes = cells as Float64Array | Int32Array;
  switch (column.kind) {
    case "numeric":
      return (r) => (Number.isNaN(codes[r]) ? null : codes[r]);
    case "binary":
      return (r) => (codes[r] < 0 ? null : codes[r]);
    case "categorical":
      return (r) => (codes[r] === UNSEEN ? texts[r] : (column.values[codes[r]] ?? null));
    case "binned":
      return (r) => (codes[r] < 0 ? null : numberOf(texts[r]));
  }
}

/** A number or a Boolean as a number. */
function numberOf(text: string | null): number | null {
  if (text === null) return null;
  return text === "true" || text === "false" ? Number(text === "true") : Number(text);
}
