import { ConformantError, show } from "../errors.ts";
import { binOf } from "../math/bin-of.ts";
import type { BinaryColumn, BinnedColumn, CategoricalColumn, Column, NumericColumn } from "./column.ts";
import { isGap } from "./data.ts";

/** What a categorical value becomes that the schema does not list: neither a code nor a gap (−1). */
export const UNSEEN = -2;

/** Turns one cell into what the kernels read: a number (NaN for a gap) or a code (−1 for a gap, {@link UNSEEN}). */
export type ValueEncoder = (value: unknown, row: number) => number;

const encoders = new WeakMap<Column, ValueEncoder>();

/**
 * The encoder of a column; it throws `invalid-value`, naming column and row, for what the column cannot hold. It is made
 * once: a query on one row would otherwise spend its time on the table of categories.
 */
export function valueEncoder(column: Column): ValueEncoder {
  const encoder = encoders.get(column) ?? createEncoder(column);
  encoders.set(column, encoder);
  return encoder;
}

function createEncoder(column: Column): ValueEncoder {
  switch (column.kind) {
    case "numeric":
      return (value, row) => (isGap(value) ? Number.NaN : toNumber(column, value, row));
    case "binary":
      return (value, row) => (isGap(value) ? -1 : toBit(column, value, row));
    case "binned":
      return (value, row) => (isGap(value) ? -1 : binOf(column.edges, toNumber(column, value, row)));
    case "categorical": {
      const codes = new Map(column.values.map((label, code) => [label, code]));
      return (value, row) => (isGap(value) ? -1 : (codes.get(toLabel(column, value, row)) ?? UNSEEN));
    }
  }
}

function toNumber(column: NumericColumn | BinnedColumn, value: unknown, row: number): number {
  const usable = typeof value === "number" || typeof value === "bigint" || typeof value === "string";
  const number = usable && !(typeof value === "string" && value.trim() === "") ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : reject(column, "a finite number", value, row);
}

function toBit(column: BinaryColumn, value: unknown, row: number): number {
  if (value === 1 || value === true || value === "1" || value === "true" || value === 1n) return 1;
  if (value === 0 || value === false || value === "0" || value === "false" || value === 0n) return 0;
  return reject(column, "0 or 1", value, row);
}

function toLabel(column: CategoricalColumn, value: unknown, row: number): string {
  return typeof value === "object" || typeof value === "function" || typeof value === "symbol"
    ? reject(column, "a text, number or boolean", value, row)
    : String(value);
}

function reject(column: Column, need: string, value: unknown, row: number): never {
  const { name } = column;
  const message = `column ${show(name)}, row ${row}: must be ${need} or missing, got ${show(value)}`;
  throw new ConformantError("invalid-value", message, { column: name, row, value });
}
