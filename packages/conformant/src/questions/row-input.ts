import { ConformantError, requireMade, requireOptions, show } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { type OptionsOf, oneOf, type ReadOptions, readOption } from "../options.ts";
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
  /** Names that are no column of the model: an error (a misspelt name is not a gap), or ignored. Default "error". */
  readonly extra?: "ignore" | "error" | undefined;
}

/** Data checked against a model's columns; the label may be among them and is passed over. */
export function encodeFor(model: Model, data: Data, options: QueryOptions): Table {
  requireMade("model", model);
  const {
    schema,
    predictor: { label },
  } = model;
  return encode(schema, data, { ...readingOf(options), label });
}

/** The same with numbers that are still to be looked at. */
export function layOutFor(model: Model, data: Data, options: QueryOptions): LaidOut {
  requireMade("model", model);
  const {
    schema,
    predictor: { label },
  } = model;
  return layOut(schema, data, { ...readingOf(options), label });
}

/** One row as a table. */
export function encodeRow(model: Model, row: Row, options: QueryOptions): Table {
  requireRow(row);
  return encodeFor(model, [row], options);
}

/** One row as a number per column, see {@link readRow}. */
export function readRowFor(
  { schema, predictor: { label } }: Model,
  row: Row,
  options: QueryOptions,
): Float64Array {
  requireRow(row);
  const { strict, extra } = readingOf(options);
  if (extra === "error") checkNamesOf(row, schema, label);
  return readRow(schema, row, strict);
}

/** The same as an array of the caller's own, which it may keep and change. */
export function readCells(model: Model, row: Row, options: QueryOptions): Cells {
  return readRowFor(model, row, options).slice();
}

/** How {@link QueryOptions} are read. */
export const queryOptions = {
  strict: encodeOptions.strict,
  extra: oneOf(["ignore", "error"], "error"),
} satisfies OptionsOf<QueryOptions>;

function readingOf(options: QueryOptions): ReadOptions<typeof queryOptions> {
  requireOptions(options);
  return {
    strict: readOption(options.strict, queryOptions.strict, "options.strict"),
    extra: readOption(options.extra, queryOptions.extra, "options.extra"),
  };
}

function requireRow(row: unknown): void {
  if (isRow(row)) return;
  const message = `row must be an object of column names and values, got ${show(row)}`;
  throw new ConformantError("invalid-argument", message, { argument: "row", value: row });
}
