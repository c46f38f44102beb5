import { ConformantError, LARGEST, requireList, requireMade, show } from "../errors.ts";
import { numbers, readOption } from "../options.ts";
import type { Schema } from "./column.ts";
import { type Data, type EncodedColumn, emptyLike, holdsNumbers, isMissingCell, type Table } from "./data.ts";
import { type EncodeOptions, encode } from "./encode.ts";

/** Whether a row is complete. */
export function isComplete({ columns }: Table, row: number): boolean {
  for (const cells of columns) if (isMissingCell(cells, row)) return false;
  return true;
}

/** Whether a row has values in all of some columns. */
export function isKnown({ columns }: Table, row: number, positions: readonly number[]): boolean {
  for (const i of positions) if (isMissingCell(columns[i], row)) return false;
  return true;
}

/**
 * Which of the rows `start` to `end` lack a column: 1 or 0 each.
 *
 * @param positions the columns to check (default: all)
 */
export function rowsWithGaps(
  { columns }: Table,
  start: number,
  end: number,
  positions: Iterable<number> = columns.keys(),
): Uint8Array {
  const gaps = new Uint8Array(end - start);
  for (const i of positions) {
    const cells = columns[i];
    if (holdsNumbers(cells)) markNaN(cells, start, gaps);
    else markNegative(cells, start, gaps);
  }
  return gaps;
}

function markNaN(cells: EncodedColumn, start: number, gaps: Uint8Array): void {
  for (let r = 0; r < gaps.length; r++) if (Number.isNaN(cells[start + r])) gaps[r] = 1;
}

function markNegative(cells: EncodedColumn, start: number, gaps: Uint8Array): void {
  for (let r = 0; r < gaps.length; r++) if (cells[start + r] < 0) gaps[r] = 1;
}

/** The rows of a table that have a value in every column, ascending. */
export function findCompleteRows(table: Table): Int32Array {
  requireMade("table", table);
  const gaps = rowsWithGaps(table, 0, table.rows);
  return Int32Array.from({ length: table.rows }, (_, r) => r).filter((r) => gaps[r] === 0);
}

/**
 * A table of the given rows of another, in the order given.
 *
 * @throws `invalid-argument` where one of them is not a row of the table
 */
export function pickRows(table: Table, rows: Int32Array): Table {
  requireMade("table", table);
  requireList("rows", rows);
  for (let r = 0; r < rows.length; r++)
    if (!(Number.isInteger(rows[r]) && rows[r] >= 0 && rows[r] < table.rows)) rejectPlace(rows[r], r, table);
  const columns = table.columns.map((cells) => {
    const picked = emptyLike(cells, rows.length);
    for (let r = 0; r < rows.length; r++) picked[r] = cells[rows[r]];
    return picked;
  });
  const groups = table.groups && rows.map((r) => table.groups?.[r] ?? r);
  return { ...table, rows: rows.length, columns, ...(groups && { groups }) };
}

function rejectPlace(value: unknown, at: number, { rows }: Table): never {
  const argument = `rows[${at}]`;
  const message = `${argument} must be a whole number from 0 to ${rows - 1}, got ${show(value)}`;
  throw new ConformantError("invalid-argument", message, { argument, value });
}

/** Some rows of a table, with the weight of every row of it. */
export interface WeightedRows {
  readonly table: Table;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  /** The class of every row of the table, −1 where unknown; absent where it is not needed. */
  readonly classes?: Int32Array;
}

/** All rows of the data in the columns of a schema, with weight 1 unless given. */
export function readWeightedRows(
  schema: Schema,
  data: Data,
  {
    weights,
    strict,
  }: Pick<EncodeOptions, "strict"> & { readonly weights?: ArrayLike<number> | undefined } = {},
): WeightedRows {
  const table = encode(schema, data, { strict });
  return {
    table,
    rows: Int32Array.from({ length: table.rows }, (_, r) => r),
    weights: checkWeights(weights, table.rows) ?? new Float64Array(table.rows).fill(1),
  };
}

/** Throws unless there is one finite weight of at least 0 for every row, with a finite positive sum; undefined stands for ones. */
export function checkWeights(given: ArrayLike<number> | undefined, rows: number): Float64Array | undefined {
  const weights = readOption(given, numbers(undefined), "options.weights");
  if (weights === undefined) return undefined;
  if (weights.length !== rows) {
    const message = `options.weights must have one weight for each of the ${rows} rows, got ${weights.length}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.weights",
      value: weights.length,
    });
  }
  const copy = Float64Array.from(weights);
  const bad = copy.findIndex((w) => !(w >= 0 && w < Number.POSITIVE_INFINITY));
  if (bad >= 0) {
    const message = `options.weights must be finite and not negative, got ${show(weights[bad])} for row ${bad}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.weights",
      row: bad,
      value: weights[bad],
    });
  }
  const total = copy.reduce((sum, w) => sum + w, 0);
  if (total > LARGEST || (total > 0 && total < 1 / LARGEST)) {
    const message = `options.weights must sum to a number from ${1 / LARGEST} to ${LARGEST}, got ${total}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.weights", value: total });
  }
  return copy;
}
