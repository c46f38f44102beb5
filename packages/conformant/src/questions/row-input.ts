import { ConformantError, requireMade, show } from "../errors.ts";
import type { AnyModel } from "../model/model.ts";
import { type OptionsOf, oneOf, type ReadOptions, readOptions } from "../options.ts";
import { type Data, isRow, type Row, type Table } from "../schema/data.ts";
import {
  checkNamesOf,
  type EncodeOptions,
  encode,
  encodeOptions,
  type LaidOut,
  layOut,
} from "../schema/encode.ts";
import { type Cells, readRow } from "../schema/read-row.ts";

/** How strictly the names and values of a row are read. */
export interface QueryOptions extends Pick<EncodeOptions, "strict"> {
  /** What to do with names that are no column of the model; a misspelled name is not a missing value. Default "error". */
  readonly extra?: "ignore" | "error" | undefined;
}

/** How {@link QueryOptions} are read. */
export const queryOptions = {
  strict: encodeOptions.strict,
  extra: oneOf(["ignore", "error"], "error"),
} satisfies OptionsOf<QueryOptions>;

/** {@link QueryOptions} that were read. */
export type Reading = ReadOptions<typeof queryOptions>;

/** How names and values are read without options. */
export const DEFAULT_READING: Reading = readOptions({}, queryOptions);

/** Data checked against a model's columns; the label may be among them and is ignored. */
export function encodeFor(model: AnyModel, data: Data, { strict, extra }: Reading): Table {
  requireMade("model", model);
  return encode(model.schema, data, { strict, extra, label: model.predictor.label });
}

/** The same with numbers that are still to be checked. */
export function layOutFor(model: AnyModel, data: Data, { strict, extra }: Reading): LaidOut {
  requireMade("model", model);
  return layOut(model.schema, data, { strict, extra, label: model.predictor.label });
}

/** One row as a table. */
export function encodeRow(model: AnyModel, row: Row, reading: Reading): Table {
  requireRow(row);
  return encodeFor(model, [row], reading);
}

/** One row as a number per column, see {@link readRow}. */
export function readRowFor(
  { schema, predictor: { label } }: AnyModel,
  row: Row,
  { strict, extra }: Reading,
): Float64Array {
  requireRow(row);
  if (extra === "error") checkNamesOf(row, schema, label);
  return readRow(schema, row, strict);
}

/** The same as an array of the caller's own, which it may keep and change. */
export function readCells(model: AnyModel, row: Row, reading: Reading): Cells {
  return readRowFor(model, row, reading).slice();
}

function requireRow(row: unknown): void {
  if (isRow(row)) return;
  const message = `row must be an object of column names and values, got ${show(row)}`;
  throw new ConformantError("invalid-argument", message, { argument: "row", value: row });
}
