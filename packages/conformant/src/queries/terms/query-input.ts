import { ConformantError, requireMade, requireOneOf, requireOptions, show } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { checkNamesOf } from "../../schema/check-names.ts";
import { type Data, isRow, type Row, type Table } from "../../schema/data.ts";
import { type EncodeOptions, encode, type LaidOut, layOut } from "../../schema/encode.ts";
import { readRow } from "../../schema/rows/read-row.ts";

/** How strictly the names and values of a row are read. */
export interface QueryOptions extends Pick<EncodeOptions, "strict"> {
  /** Names that are no column of the model: an error (a misspelt name is not a gap), or ignored. Default "error". */
  readonly extra?: "ignore" | "error";
}

/** Data checked against a model's columns; the label may be among them and is passed over. */
export function encodeFor(model: Model, data: Data, options: QueryOptions): Table {
  requireMade("model", model);
  const { schema, label } = model.classifier;
  return encode(schema, data, { ...readingOf(options), label });
}

/** The same with numbers that are still to be looked at. */
export function layOutFor(model: Model, data: Data, options: QueryOptions): LaidOut {
  requireMade("model", model);
  const { schema, label } = model.classifier;
  return layOut(schema, data, { ...readingOf(options), label });
}

/** One row as a table. */
export function encodeRow(model: Model, row: Row, options: QueryOptions): Table {
  requireRow(row);
  return encodeFor(model, [row], options);
}

/** One row as a number per column, see {@link readRow}. */
export function readRowFor({ classifier }: Model, row: Row, options: QueryOptions): Float64Array {
  requireRow(row);
  const { schema, label } = classifier;
  const { strict, extra } = readingOf(options);
  if (extra === "error") checkNamesOf(row, schema, label);
  return readRow(schema, row, strict);
}

const USUAL: Required<QueryOptions> = { strict: false, extra: "error" };

/** How a row is read, where nothing is said in the usual way: an option that is there and undefined says nothing. */
function readingOf(options: QueryOptions): Required<QueryOptions> {
  requireOptions(options);
  const { strict, extra } = options;
  if (strict === undefined && extra === undefined) return USUAL;
  if (extra !== undefined) requireOneOf("options.extra", extra, ["ignore", "error"]);
  if (strict !== undefined && typeof strict !== "boolean") {
    const message = `options.strict must be true or false, got ${show(strict)}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.strict", value: strict });
  }
  return { strict: strict ?? USUAL.strict, extra: extra ?? USUAL.extra };
}

function requireRow(row: unknown): void {
  if (isRow(row)) return;
  const message = `row must be an object of column names and values, got ${show(row)}`;
  throw new ConformantError("invalid-argument", message, { argument: "row", value: row });
}
