import { memoize } from "../cache.ts";
import { LARGEST } from "../errors.ts";
import { type Column, checkSchema, isDiscrete, type Schema } from "./column.ts";
import { cell, type Row, type Table } from "./data.ts";
import { UnseenTally } from "./encode.ts";
import { UNSEEN, valueEncoders } from "./encode-value.ts";
import { marksOf } from "./indicators.ts";

/** One row as a number per column: a number's value, a category's code; NaN for a missing number, −1 for a missing code. */
export type Cells = Float64Array;

/**
 * The cells of one row, a number per column: NaN where a number is missing, −1 where a code is missing. Equals {@link encode} for the row,
 * without a table; a category that the schema does not list is an error if `strict`. The array belongs to the schema and is valid until its
 * next row is read.
 */
export function readRow(schema: Schema, row: Row, strict: boolean): Float64Array {
  checkSchema(schema);
  const outer = isReading;
  // A cell may come from a getter of the caller, which may query other rows meanwhile.
  const cells = outer ? emptyCells(schema) : cellsOf(schema);
  isReading = true;
  try {
    fillCells(schema, row, strict, cells);
  } finally {
    isReading = outer;
  }
  return cells;
}

/** Whether a row is being read. */
let isReading = false;

function fillCells(schema: Schema, row: Row, strict: boolean, cells: Float64Array): void {
  const { columns } = schema;
  const encoders = valueEncoders(schema);
  for (let i = 0; i < columns.length; i++) {
    const { kind, name } = columns[i];
    const value = cell(row, name);
    // Most numbers are used unchanged; passing each through a function would allocate an object.
    if (kind === "numeric" && typeof value === "number" && Math.abs(value) <= LARGEST) cells[i] = value;
    else {
      const code = encoders[i](value, 0);
      cells[i] = code === UNSEEN ? new UnseenTally(strict).note(columns[i], code, value, 0) : code;
    }
  }
  for (const [mark, marked] of marksOf(schema))
    cells[mark] = Number(isDiscrete(columns[marked]) ? cells[marked] < 0 : Number.isNaN(cells[marked]));
}

/** Whether a cell of a column is missing. */
export function isMissing(column: Column, cell: number): boolean {
  return isDiscrete(column) ? cell < 0 : Number.isNaN(cell);
}

/** The cell of a missing value. */
export function missingCell(column: Column): number {
  return isDiscrete(column) ? -1 : Number.NaN;
}

/** A row encoded as a table of one. */
export function tableOfRow(schema: Schema, cells: Float64Array): Table {
  const columns = schema.columns.map((column, i) => {
    const one = isDiscrete(column) ? new Int32Array(1) : new Float64Array(1);
    one[0] = cells[i];
    return one;
  });
  return { schema, rows: 1, columns, unseen: [] };
}

/** The cells of a row of a table. */
export function cellsOfRow({ schema, columns }: Table, row: number): Float64Array {
  const cells = cellsOf(schema);
  for (let i = 0; i < columns.length; i++) cells[i] = columns[i][row];
  return cells;
}

const kept = new WeakMap<Schema, Float64Array>();

function cellsOf(schema: Schema): Float64Array {
  return memoize(kept, schema, emptyCells);
}

function emptyCells({ columns }: Schema): Float64Array {
  return new Float64Array(columns.length);
}
