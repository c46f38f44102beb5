import { ConformantError, show } from "../errors.ts";
import { checkNames } from "./check-names.ts";
import { type Column, isDiscrete, type Schema, valueCount } from "./column.ts";
import {
  type Columns,
  cell,
  type Data,
  type EncodedColumn,
  isDictionary,
  isTable,
  type Row,
  type Table,
} from "./data.ts";
import { UNSEEN, valueEncoder, valueEncoders } from "./encode-value.ts";
import { UnseenTally } from "./unseen.ts";

/** Options of {@link encode}. */
export interface EncodeOptions {
  /** A category the schema does not list is an error instead of a gap. Default false. */
  readonly strict?: boolean;
  /** Columns of the data that the schema does not have: ignored, or an error (a misspelt name is not a gap). Default "ignore". */
  readonly extra?: "ignore" | "error";
  /** A name that is no column and yet welcome where `extra` is "error": the label. */
  readonly label?: string | undefined;
}

/**
 * Checks rows against a schema and lays them out as typed columns. A column of the schema that the data lacks is
 * missing in every row. Typed arrays that already have the right form are used as they are, not copied.
 */
export function encode(schema: Schema, data: Data, options: EncodeOptions = {}): Table {
  if (Array.isArray(data)) return encodeRows(schema, data, options);
  if (typeof data !== "object" || data === null) {
    throw new ConformantError(
      "invalid-argument",
      `data must be a list of rows or an object of columns, got ${show(data)}`,
      {
        argument: "data",
        value: data,
      },
    );
  }
  if (!isTable(data)) return encodeColumns(schema, data as Columns, options);
  return data.schema === schema ? data : realign(schema, data, options);
}

function encodeRows(schema: Schema, rows: readonly Row[], options: EncodeOptions): Table {
  rows.forEach((row, index) => {
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      const message = `row ${index} must be an object of column names and values, got ${show(row)}`;
      throw new ConformantError("invalid-argument", message, { argument: "data", row: index, value: row });
    }
    if (options.extra === "error") checkNames(schema, Object.keys(row), options.label);
  });
  const unseen = new UnseenTally(options.strict ?? false);
  const encoders = valueEncoders(schema);
  const columns = schema.columns.map((column, i) => {
    const encodeValue = encoders[i];
    const out = emptyColumn(column, rows.length);
    for (let r = 0; r < rows.length; r++)
      out[r] = unseen.check(column, cell(rows[r], column.name), encodeValue, r);
    return out;
  });
  return { schema, rows: rows.length, columns, unseen: unseen.report() };
}

function encodeColumns(schema: Schema, data: Columns, options: EncodeOptions): Table {
  if (options.extra === "error") checkNames(schema, Object.keys(data), options.label);
  const rows = commonLength(data);
  const unseen = new UnseenTally(options.strict ?? false);
  const columns = schema.columns.map((column) => {
    const source = Object.hasOwn(data, column.name) ? data[column.name] : undefined;
    if (source === undefined) return missingColumn(column, rows);
    return asEncoded(column, source) ?? encodeArray(column, source, rows, unseen);
  });
  return { schema, rows, columns, unseen: unseen.report() };
}

/** The same table for another schema: columns found by name and used as they are where nothing else changed. */
function realign(schema: Schema, table: Table, options: EncodeOptions): Table {
  const places = new Map(table.schema.columns.map(({ name }, at) => [name, at]));
  if (options.extra === "error") checkNames(schema, [...places.keys()], options.label);
  const unseen = new UnseenTally(options.strict ?? false);
  const columns = schema.columns.map((column) => {
    const at = places.get(column.name);
    if (at === undefined) return missingColumn(column, table.rows);
    const [known, cells] = [table.schema.columns[at], table.columns[at]];
    if (known === column || JSON.stringify(known) === JSON.stringify(column)) return cells;
    if (known.kind === "binned" || (column.kind === "categorical" && known.kind !== "categorical")) {
      const message = `column ${show(column.name)} is ${known.kind} in the table and cannot be read as ${column.kind}`;
      throw new ConformantError("invalid-schema", message, { column: column.name });
    }
    const source =
      known.kind === "categorical"
        ? { codes: cells as Int32Array, values: known.values }
        : asNumbers(known, cells);
    return encodeArray(column, source, table.rows, unseen);
  });
  return { schema, rows: table.rows, columns, unseen: [...table.unseen, ...unseen.report()] };
}

/** The cells of a numeric or 0/1 column with NaN for a gap. */
function asNumbers(column: Column, cells: EncodedColumn): EncodedColumn {
  return column.kind === "binary"
    ? Float64Array.from(cells, (code) => (code < 0 ? Number.NaN : code))
    : cells;
}

function missingColumn(column: Column, rows: number): EncodedColumn {
  return emptyColumn(column, rows).fill(isDiscrete(column) ? -1 : Number.NaN);
}

/** The array itself where it already is what the kernels read, after a check of its codes. */
function asEncoded(column: Column, source: Columns[string]): EncodedColumn | undefined {
  if (!isDiscrete(column)) {
    return source instanceof Float64Array || source instanceof Float32Array ? source : undefined;
  }
  const isCodes = source instanceof Int8Array || source instanceof Int16Array || source instanceof Int32Array;
  if (!isCodes || column.kind === "binned") return undefined;
  const most = valueCount(column) - 1;
  for (let r = 0; r < source.length; r++) {
    if (source[r] < -1 || source[r] > most) {
      const message = `column ${show(column.name)}, row ${r}: a code must be −1 (missing) to ${most}, got ${source[r]}`;
      throw new ConformantError("invalid-value", message, { column: column.name, row: r, value: source[r] });
    }
  }
  return source;
}

function encodeArray(
  column: Column,
  source: Columns[string],
  rows: number,
  unseen: UnseenTally,
): EncodedColumn {
  const encodeValue = valueEncoder(column);
  const out = emptyColumn(column, rows);
  if (isDictionary(source)) {
    const translate = source.values.map((value, code) => encodeValue(value, code));
    for (let r = 0; r < rows; r++) {
      const code = source.codes[r];
      out[r] =
        code < 0
          ? encodeValue(null, r)
          : unseen.note(column, translate[code] ?? UNSEEN, source.values[code], r);
    }
  } else {
    for (let r = 0; r < rows; r++) out[r] = unseen.check(column, source[r], encodeValue, r);
  }
  return out;
}

/** Smallest array that holds the column: a byte per row for up to 127 values. */
function emptyColumn(column: Column, rows: number): EncodedColumn {
  if (!isDiscrete(column)) return new Float64Array(rows);
  const values = valueCount(column);
  if (values <= 127) return new Int8Array(rows);
  return values <= 32767 ? new Int16Array(rows) : new Int32Array(rows);
}

function commonLength(data: Columns): number {
  let rows = -1;
  let first = "";
  for (const [name, source] of Object.entries(data)) {
    const length = isDictionary(source) ? source.codes.length : source?.length;
    if (!Number.isSafeInteger(length)) {
      const message = `column ${show(name)} must be an array or { codes, values }, got ${show(source)}`;
      throw new ConformantError("invalid-argument", message, {
        argument: "data",
        column: name,
        value: source,
      });
    }
    if (rows < 0) [rows, first] = [length, name];
    if (length !== rows) {
      const message = `columns must have one length: ${show(first)} has ${rows} rows, ${show(name)} has ${length}`;
      throw new ConformantError("invalid-argument", message, {
        argument: "data",
        column: name,
        value: length,
      });
    }
  }
  return Math.max(rows, 0);
}
