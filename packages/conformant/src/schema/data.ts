import { memoize } from "../cache.ts";
import { ConformantError, show } from "../errors.ts";
import type { Schema } from "./column.ts";

/** A cell of input data. `null`, `undefined`, `NaN`, an absent key and the empty string mean missing. */
export type Value = string | number | bigint | boolean | null | undefined;

/** One row: column name to value; an absent key is a missing value. */
export type Row = Readonly<Record<string, Value>>;

/** What functions take as a row: any object, so that an interface or a class needs no index signature. Values are checked when they are read. */
export type AnyRow = Row | object;

/** A dictionary-encoded column of texts, as databases return them: codes into a list of values, −1 where missing. */
export interface DictionaryColumn {
  readonly codes: ArrayLike<number>;
  readonly values: readonly string[];
}

/** Many rows as one array of values per column, all of the same length; codes belong in a {@link DictionaryColumn}. */
export type Columns = Readonly<Record<string, ArrayLike<Value> | DictionaryColumn>>;

/** A column as the kernels read it: numbers with NaN where missing, or codes of a discrete column with −1 where missing. */
export type EncodedColumn = Float64Array | Float32Array | Int8Array | Int16Array | Int32Array;

/** Values of a categorical column that the schema does not list; they count as missing. */
export interface UnseenValues {
  readonly column: string;
  readonly count: number;
  /** A few distinct examples. */
  readonly examples: readonly string[];
}

/** Rows checked against a schema and laid out as typed columns, in the schema's order. */
export interface Table {
  readonly schema: Schema;
  readonly rows: number;
  readonly columns: readonly EncodedColumn[];
  readonly unseen: readonly UnseenValues[];
  /** The group of each row, where rows belong together, as those of one patient do: what is held out to choose or to score are whole groups. */
  readonly groups?: Int32Array;
}

/**
 * A table of another library, whose columns are found by name: an Arrow table, a table of Arquero. Its names are those of
 * `schema.fields` or `columnNames()`; a column is iterable, with null for a missing value.
 */
export interface ColumnSource {
  /** A column, or null where there is none of the name. */
  getChild(name: string): unknown;
}

/** Anything the library takes as rows. */
export type Data = readonly AnyRow[] | Columns | Table | ColumnSource;

/** `null`, `undefined`, `NaN` and the empty string mean the same everywhere: missing. */
export function isMissingValue(value: unknown): boolean {
  return value === null || value === undefined || value === "" || Number.isNaN(value);
}

/**
 * The cell of a row. Only own keys count, so that a column may be called "constructor". Inherited members are functions and objects, so
 * only those need a second check, which matters for rows of hundreds of columns.
 */
export function cell(row: AnyRow, name: string): Value {
  const value: unknown = (row as Readonly<Record<string, unknown>>)[name];
  const inheritable = typeof value === "function" || (typeof value === "object" && value !== null);
  return inheritable && !Object.hasOwn(row, name) ? undefined : (value as Value);
}

export function isTable(data: Data): data is Table {
  const table = data as Partial<Table>;
  return typeof table.rows === "number" && Array.isArray(table.columns) && table.schema !== undefined;
}

/** The data with the columns of another library's table as arrays; throws unless it is rows, columns or a table. */
export function readData(data: unknown): readonly AnyRow[] | Columns | Table {
  const own = isColumnSource(data) ? memoize(columnsBySource, data, columnsOfSource) : data;
  checkData(own);
  return own as readonly AnyRow[] | Columns | Table;
}

const columnsBySource = new WeakMap<ColumnSource, Columns>();

function isColumnSource(data: unknown): data is ColumnSource {
  return typeof (data as Partial<ColumnSource> | null | undefined)?.getChild === "function";
}

/** Optional members of a {@link ColumnSource}: Arrow has a schema, Arquero the names. */
interface NamedSource extends ColumnSource {
  readonly schema?: { readonly fields?: readonly { readonly name: string }[] };
  columnNames?(): readonly string[];
}

function columnsOfSource(source: NamedSource): Columns {
  const names = source.schema?.fields?.map(({ name }) => name) ?? source.columnNames?.();
  if (names === undefined) {
    const message = "a table with getChild must have schema.fields or columnNames()";
    throw new ConformantError("invalid-argument", message, { argument: "data" });
  }
  return Object.fromEntries(names.map((name) => [name, arrayOf(name, source.getChild(name))]));
}

/** A column of another library as an array; its own array where it holds numbers without missing values. */
function arrayOf(name: string, column: unknown): ArrayLike<Value> {
  const { nullCount, toArray } = (column ?? {}) as { nullCount?: unknown; toArray?: unknown };
  if (nullCount === 0 && typeof toArray === "function") {
    const numbers: unknown = toArray.call(column);
    if (numbers instanceof Float64Array || numbers instanceof Float32Array) return numbers;
  }
  if (typeof column === "object" && column !== null && isIterable(column))
    return Array.from(column as Iterable<Value>);
  const message = `column ${show(name)} must be iterable, got ${show(column)}`;
  throw new ConformantError("invalid-argument", message, { argument: "data", column: name, value: column });
}

/** Throws unless the data is a list of rows, an object of columns, or a table. */
function checkData(data: unknown): void {
  if (Array.isArray(data)) {
    for (let r = 0; r < data.length; r++) if (!isRow(data[r])) rejectRow(data[r], r);
    return;
  }
  if (typeof data !== "object" || data === null || isIterable(data)) {
    const message = `data must be a list of rows or an object of columns, got ${show(data)}`;
    throw new ConformantError("invalid-argument", message, { argument: "data", value: data });
  }
  if (isTable(data as Data)) checkTable(data as Table);
  else for (const [name, source] of Object.entries(data)) checkSource(name, source);
}

/** The names of the columns of some data. */
export function namesOfData(data: Data): string[] {
  const own = readData(data);
  if (!Array.isArray(own)) return Object.keys(own);
  const names = new Set<string>();
  for (const row of own as readonly AnyRow[]) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

/** Whether a value can be read as column names and values; a list, a map or a promise would look like an empty row. */
export function isRow(row: unknown): row is Row {
  if (typeof row !== "object" || row === null || isIterable(row)) return false;
  return !(row instanceof Date) && typeof (row as { then?: unknown }).then !== "function";
}

function isIterable(value: object): boolean {
  return Symbol.iterator in value;
}

function rejectRow(row: unknown, index: number): never {
  const message = `row ${index} must be an object of column names and values, got ${show(row)}`;
  throw new ConformantError("invalid-argument", message, { argument: "data", row: index, value: row });
}

/** A table built by the caller may contain anything. */
function checkTable({ schema, rows, columns }: Table): void {
  const fit = columns.every((cells) => ArrayBuffer.isView(cells) && cells.length === rows);
  if (fit && columns.length === schema?.columns?.length) return;
  const message = `a table must have one typed array of its ${rows} rows for each column of its schema`;
  throw new ConformantError("invalid-argument", message, { argument: "data" });
}

/** Throws unless a column is an array or a dictionary. A text has a length too, and would be read character by character. */
function checkSource(name: string, source: unknown): void {
  const fits =
    typeof source === "object" &&
    source !== null &&
    (isDictionary(source as Columns[string])
      ? Array.isArray((source as DictionaryColumn).values) && isArrayLike((source as DictionaryColumn).codes)
      : isArrayLike(source));
  if (fits) return;
  const message = `column ${show(name)} must be an array or { codes, values }, got ${show(source)}`;
  const isVector = typeof (source as { toArray?: unknown } | null | undefined)?.toArray === "function";
  const hint = isVector ? { hint: "its toArray() gives an array" } : {};
  throw new ConformantError("invalid-argument", message, {
    argument: "data",
    column: name,
    value: source,
    ...hint,
  });
}

/** An array, or an object with a length and numbered entries; a length alone would make vectors of other libraries look empty. */
function isArrayLike(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { length, 0: first } = value as Partial<ArrayLike<unknown>>;
  if (!Number.isSafeInteger(length) || (length as number) < 0) return false;
  return (
    Array.isArray(value) || ArrayBuffer.isView(value) || length === 0 || first !== undefined || 0 in value
  );
}

export function isDictionary(column: Columns[string]): column is DictionaryColumn {
  return "codes" in column && "values" in column && !Array.isArray(column);
}

/** How many rows a column of data has. */
export function lengthOf(column: Columns[string]): number {
  return isDictionary(column) ? column.codes.length : column.length;
}

/** The value of a dictionary in a row, undefined where missing; the code must be a position in the list or −1. */
export function lookUp(name: string, { codes, values }: DictionaryColumn, row: number): string | undefined {
  const code = codes[row];
  if (code === -1) return undefined;
  if (Number.isInteger(code) && code >= 0 && code < values.length) return values[code];
  const message = `column ${show(name)}, row ${row}: a code must be −1 (missing) to ${values.length - 1}, got ${show(code)}`;
  throw new ConformantError("invalid-value", message, { column: name, row, value: code });
}

/** Whether a cell of an encoded column is missing: NaN among numbers, −1 among codes. */
export function isMissingCell(cells: EncodedColumn, row: number): boolean {
  return holdsNumbers(cells) ? Number.isNaN(cells[row]) : cells[row] < 0;
}

/** Whether a column holds numbers, in which NaN means missing, rather than codes. */
export function holdsNumbers(cells: EncodedColumn): boolean {
  return cells instanceof Float64Array || cells instanceof Float32Array;
}

/** A column of the same storage with this many zeros. */
export function emptyLike(cells: EncodedColumn, length: number): EncodedColumn {
  return new (cells.constructor as new (length: number) => EncodedColumn)(length);
}

/** A column of the same storage with one missing cell. */
export function missingLike(cells: EncodedColumn): EncodedColumn {
  const numbers = cells instanceof Float64Array || cells instanceof Float32Array;
  return emptyLike(cells, 1).fill(numbers ? Number.NaN : -1);
}

/** Numbers as an object by name. */
export function byName(names: readonly string[], values: ArrayLike<number>): Record<string, number> {
  // A plain assignment to the name "__proto__" would set the prototype.
  if (names.includes("__proto__")) return Object.fromEntries(names.map((name, j) => [name, values[j]]));
  const named: Record<string, number> = {};
  for (let j = 0; j < names.length; j++) named[names[j]] = values[j];
  return named;
}
