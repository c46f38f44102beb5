import { memoize } from "../cache.ts";
import { ConformantError, didYouMean, LARGEST, show, showNames } from "../errors.ts";
import { flag, type OptionsOf, oneOf, type ReadOptions, readOptions, text } from "../options.ts";
import { type Column, checkSchema, isDiscrete, type Schema, valueCount } from "./column.ts";
import {
  type AnyRow,
  type Columns,
  cell,
  type Data,
  type EncodedColumn,
  isDictionary,
  isTable,
  lengthOf,
  lookUp,
  readData,
  type Table,
  type UnseenValues,
} from "./data.ts";
import { UNSEEN, type ValueEncoder, valueEncoder, valueEncoders } from "./encode-value.ts";
import { markGaps, marksOf } from "./indicators.ts";

/** Options of {@link encode}. */
export interface EncodeOptions {
  /** A category the schema does not list is an error instead of a missing value. Default false. */
  readonly strict?: boolean | undefined;
  /** Columns of the data that the schema does not have: ignored, or an error (a misspelled name is not a missing value). Default "ignore". */
  readonly extra?: "ignore" | "error" | undefined;
  /** A name that is allowed besides the columns where `extra` is "error": the label. */
  readonly label?: string | undefined;
}

/** How {@link EncodeOptions} are read. */
export const encodeOptions = {
  strict: flag(false),
  extra: oneOf(["ignore", "error"], "ignore"),
  label: text(undefined),
} satisfies OptionsOf<EncodeOptions>;

/**
 * Checks rows against a schema and lays them out as typed columns. A column of the schema that the data lacks is
 * missing in every row; one that marks the gaps of another follows from it. Typed arrays that already have the right form are used as they are, not copied. The numbers of an
 * array are values, whatever its type; codes of a categorical column stand in `{ codes, values }`.
 *
 *     encode(schema, [{ age: 40, sex: "f" }]).columns; // a typed array per column
 */
export function encode(schema: Schema, data: Data, options: EncodeOptions = {}): Table {
  const { table, unchecked } = layOut(schema, data, options);
  checkNumbers(table, unchecked, 0, table.rows);
  return table;
}

/** A table whose numbers are not all checked yet. */
export interface LaidOut {
  readonly table: Table;
  /** The columns whose arrays are used unchanged and must be checked by {@link checkNumbers}. */
  readonly unchecked: readonly number[];
}

/** {@link encode} for computations that check the numbers while they read them, so that millions of rows are read once. */
export function layOut(schema: Schema, data: Data, given: EncodeOptions): LaidOut {
  const options = readOptions(given, encodeOptions);
  checkSchema(schema);
  const own = readData(data);
  const laidOut = (table: Table): LaidOut => ({ table, unchecked: [] });
  if (Array.isArray(own)) return laidOut(encodeRows(schema, own, options));
  if (!isTable(own)) return encodeColumns(schema, own as Columns, options);
  const table = own;
  return laidOut(table.schema === schema ? table : realign(schema, table, options));
}

/** Checked options. */
type Reading = ReadOptions<typeof encodeOptions>;

/** Throws for the first invalid number in rows `start` to `end` of the listed columns. */
export function checkNumbers(
  { schema, columns }: Table,
  unchecked: readonly number[],
  start: number,
  end: number,
): void {
  for (const i of unchecked) {
    const r = tooLarge(columns[i], start, end);
    // The encoder of a single value produces the error message.
    if (r >= 0) valueEncoder(schema.columns[i])(columns[i][r], r);
  }
}

/** The first of some cells that is infinite or too large, or −1. */
function tooLarge(cells: EncodedColumn, start: number, end: number): number {
  for (let r = start; r < end; r++) if (Math.abs(cells[r]) > LARGEST) return r;
  return -1;
}

function encodeRows(schema: Schema, rows: readonly AnyRow[], options: Reading): Table {
  if (options.extra === "error") for (const row of rows) checkNamesOf(row, schema, options.label);
  const unseen = new UnseenTally(options.strict);
  const encoders = valueEncoders(schema);
  const columns = schema.columns.map((column, i) => {
    const encodeValue = encoders[i];
    const out = emptyColumn(column, rows.length);
    for (let r = 0; r < rows.length; r++)
      out[r] = unseen.check(column, cell(rows[r], column.name), encodeValue, r);
    return out;
  });
  for (const [mark, marked] of marksOf(schema)) columns[mark] = markGaps(columns[marked]);
  return { schema, rows: rows.length, columns, unseen: unseen.report() };
}

function encodeColumns(schema: Schema, data: Columns, options: Reading): LaidOut {
  if (options.extra === "error") checkNames(schema, Object.keys(data), options.label);
  const rows = commonLength(data);
  const unseen = new UnseenTally(options.strict);
  const unchecked: number[] = [];
  const columns = schema.columns.map((column, i) => {
    const source = Object.hasOwn(data, column.name) ? data[column.name] : undefined;
    if (source === undefined) return missingColumn(column, rows);
    if (column.kind === "numeric" && (source instanceof Float64Array || source instanceof Float32Array)) {
      unchecked.push(i);
      return source;
    }
    return asBits(column, source) ?? encodeArray(column, source, rows, unseen);
  });
  for (const [mark, marked] of marksOf(schema)) columns[mark] = markGaps(columns[marked]);
  return { table: { schema, rows, columns, unseen: unseen.report() }, unchecked };
}

/** The same table for another schema: columns are found by name and reused where nothing else changed. */
function realign(schema: Schema, table: Table, options: Reading): Table {
  const places = new Map(table.schema.columns.map(({ name }, at) => [name, at]));
  if (options.extra === "error") checkNames(schema, [...places.keys()], options.label);
  const unseen = new UnseenTally(options.strict);
  const columns = schema.columns.map((column) => {
    const at = places.get(column.name);
    if (at === undefined) return missingColumn(column, table.rows);
    const [known, cells] = [table.schema.columns[at], table.columns[at]];
    if (known === column || JSON.stringify(known) === JSON.stringify(column)) return cells;
    if (known.kind === "binned") {
      const message = `column ${show(column.name)} is ${known.kind} in the table and cannot be read as ${column.kind}`;
      throw new ConformantError("invalid-schema", message, { column: column.name });
    }
    const source =
      known.kind === "categorical" ? { codes: cells, values: known.values } : asNumbers(known, cells);
    return encodeArray(column, source, table.rows, unseen);
  });
  // Indicators in the table describe the original rows: masking or imputing cells does not change them.
  for (const [mark, marked] of marksOf(schema))
    if (!places.has(schema.columns[mark].name)) columns[mark] = markGaps(columns[marked]);
  return { ...table, schema, columns, unseen: [...table.unseen, ...unseen.report()] };
}

/** The cells of a numeric or 0/1 column, NaN where missing. */
function asNumbers(column: Column, cells: EncodedColumn): EncodedColumn {
  return column.kind === "binary"
    ? Float64Array.from(cells, (code) => (code < 0 ? Number.NaN : code))
    : cells;
}

function missingColumn(column: Column, rows: number): EncodedColumn {
  return emptyColumn(column, rows).fill(isDiscrete(column) ? -1 : Number.NaN);
}

/** The array itself where it is a valid encoded 0/1 column. */
function asBits(column: Column, source: Columns[string]): EncodedColumn | undefined {
  const isBits = source instanceof Int8Array || source instanceof Int16Array || source instanceof Int32Array;
  if (column.kind !== "binary" || !isBits) return undefined;
  const bad = source.findIndex((bit: number) => bit < -1 || bit > 1);
  if (bad >= 0) rejectCell(column.name, bad, "must be 0, 1 or −1 (missing)", source[bad]);
  return source;
}

function rejectCell(column: string, row: number, need: string, value: number): never {
  const message = `column ${show(column)}, row ${row}: ${need}, got ${value}`;
  throw new ConformantError("invalid-value", message, { column, row, value });
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
    const known: number[] = []; // by code, missing first
    for (let r = 0; r < rows; r++) {
      const value = lookUp(column.name, source, r);
      known[source.codes[r] + 1] ??= encodeValue(value, r);
      out[r] = unseen.note(column, known[source.codes[r] + 1], value, r);
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
    const length = lengthOf(source);
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

/** Throws where a name is neither a column of the schema nor the label: a misspelled column is not a missing value. */
export function checkNames(schema: Schema, names: readonly string[], label: string | undefined): void {
  const known = namesOf(schema);
  const stranger = names.find((name) => !known.has(name) && name !== label);
  if (stranger === undefined) return;
  const list = [...known];
  const message = `${show(stranger)} is not a column of the model; it has ${showNames(list)}${didYouMean(stranger, list)}`;
  throw new ConformantError("unknown-column", message, {
    column: stranger,
    hint: 'pass { extra: "ignore" } to leave out columns that the model does not have',
  });
}

/** The same for the names of a row, without a list of them. */
export function checkNamesOf(row: object, schema: Schema, label: string | undefined): void {
  const known = namesOf(schema);
  for (const name in row) {
    // Inherited members are not columns.
    if (!known.has(name) && name !== label && Object.hasOwn(row, name)) checkNames(schema, [name], label);
  }
}

const nameSets = new WeakMap<Schema, ReadonlySet<string>>();

function namesOf(schema: Schema): ReadonlySet<string> {
  return memoize(nameSets, schema, gatherNames);
}

function gatherNames({ columns }: Schema): ReadonlySet<string> {
  return new Set(columns.map(({ name }) => name));
}

const EXAMPLES = 5;

/** Counts unseen categories while rows are encoded; they become missing, or errors if strict. */
export class UnseenTally {
  readonly #found = new Map<string, { count: number; examples: Set<string> }>();
  readonly #strict: boolean;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** Encodes a cell; an unseen category becomes missing. */
  check(column: Column, value: unknown, encodeValue: ValueEncoder, row: number): number {
    return this.note(column, encodeValue(value, row), value, row);
  }

  /** Returns an encoded cell, with {@link UNSEEN} counted and replaced by missing. */
  note(column: Column, encoded: number, value: unknown, row: number): number {
    if (encoded !== UNSEEN || column.kind !== "categorical") return encoded; // in a numeric column −2 is an ordinary number
    const text = String(value);
    if (this.#strict) {
      const known = `it has ${showNames(column.values)}${didYouMean(text, column.values)}`;
      const message = `column ${show(column.name)}, row ${row}: ${show(text)} is not one of its values; ${known}`;
      throw new ConformantError("unknown-category", message, { column: column.name, row, value });
    }
    const tally = this.#found.get(column.name) ?? { count: 0, examples: new Set<string>() };
    tally.count++;
    if (tally.examples.size < EXAMPLES) tally.examples.add(text);
    this.#found.set(column.name, tally);
    return -1;
  }

  report(): UnseenValues[] {
    return [...this.#found].map(([column, { count, examples }]) => ({
      column,
      count,
      examples: [...examples],
    }));
  }
}
