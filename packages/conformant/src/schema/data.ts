import type { Schema } from "./column.ts";

/** A cell as a program has it. `null`, `undefined`, `NaN`, an absent key and the empty string are a gap. */
export type Value = string | number | bigint | boolean | null | undefined;

/** One case: column name to value; an absent key is a gap. */
export type Row = Readonly<Record<string, Value>>;

/** Text in a column of many rows, as databases hand it over: codes into a list of values, −1 for a gap. */
export interface DictionaryColumn {
  readonly codes: Int8Array | Int16Array | Int32Array;
  readonly values: readonly string[];
}

/** Many rows as one array per column, all of the same length. */
export type Columns = Readonly<Record<string, ArrayLike<Value> | DictionaryColumn>>;

/** A column as the kernels read it: numbers with NaN for a gap, or codes of a discrete column with −1 for a gap. */
export type EncodedColumn = Float64Array | Float32Array | Int8Array | Int16Array | Int32Array;

/** Values of a categorical column that the schema does not know; they count as gaps. */
export interface UnseenValues {
  readonly column: string;
  readonly count: number;
  /** A few distinct ones. */
  readonly examples: readonly string[];
}

/** Rows checked against a schema and laid out as typed columns, in the schema's order. */
export interface Table {
  readonly schema: Schema;
  readonly rows: number;
  readonly columns: readonly EncodedColumn[];
  readonly unseen: readonly UnseenValues[];
}

/** Anything the library takes as rows. */
export type Data = readonly Row[] | Columns | Table;

/** `null`, `undefined`, `NaN` and the empty string mean the same everywhere: missing. */
export function isGap(value: unknown): boolean {
  return value === null || value === undefined || value === "" || Number.isNaN(value);
}

/**
 * The cell of a row; only its own keys count, so that a column may be called "constructor". What every object inherits are
 * functions and objects, so that only those need a second look: rows of hundreds of columns spend their time here.
 */
export function cell(row: Row, name: string): Value {
  const value: unknown = row[name];
  const inheritable = typeof value === "function" || (typeof value === "object" && value !== null);
  return inheritable && !Object.hasOwn(row, name) ? undefined : (value as Value);
}

export function isTable(data: Data): data is Table {
  const table = data as Partial<Table>;
  return typeof table.rows === "number" && Array.isArray(table.columns) && table.schema !== undefined;
}

export function isDictionary(column: Columns[string]): column is DictionaryColumn {
  return "codes" in column && "values" in column && !Array.isArray(column);
}

/** Whether a cell of an encoded column is a gap: NaN among numbers, −1 among codes. */
export function isGapCell(cells: EncodedColumn, row: number): boolean {
  const numbers = cells instanceof Float64Array || cells instanceof Float32Array;
  return numbers ? Number.isNaN(cells[row]) : cells[row] < 0;
}

/** A column of the same storage, of so many zeros. */
export function emptyLike(cells: EncodedColumn, length: number): EncodedColumn {
  return new (cells.constructor as new (length: number) => EncodedColumn)(length);
}
