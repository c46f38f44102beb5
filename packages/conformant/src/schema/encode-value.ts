import { ConformantError, LARGEST, show } from "../errors.ts";
import { madeOnce } from "../made-once.ts";
import { binOf } from "../math/bin-of.ts";
import type {
  BinaryColumn,
  BinnedColumn,
  CategoricalColumn,
  Column,
  NumericColumn,
  Schema,
} from "./column.ts";
import { isGap } from "./data.ts";
import { categoryFinder, isGapText, readNumberText } from "./texts/cell-text.ts";

/** What a categorical value becomes that the schema does not list: neither a code nor a gap (−1). */
export const UNSEEN = -2;

/** Turns one cell into what the kernels read: a number (NaN for a gap) or a code (−1 for a gap, {@link UNSEEN}). */
export type ValueEncoder = (value: unknown, row: number) => number;

const encoders = new WeakMap<Schema, readonly ValueEncoder[]>();

/** The encoders of all columns. */
export function valueEncoders(schema: Schema): readonly ValueEncoder[] {
  return madeOnce(encoders, schema, encodersOf);
}

function encodersOf({ columns }: Schema): readonly ValueEncoder[] {
  return columns.map(valueEncoder);
}

/** The encoder of a column; it throws `invalid-value`, naming column and row, for what the column cannot hold. */
export function valueEncoder(column: Column): ValueEncoder {
  switch (column.kind) {
    case "numeric":
      return (value, row) => (isGapCellText(value) ? Number.NaN : toNumber(column, value, row));
    case "binary":
      return (value, row) => (isGapCellText(value) ? -1 : toBit(column, value, row));
    case "binned":
      return (value, row) => (isGapCellText(value) ? -1 : binOf(column.edges, toNumber(column, value, row)));
    case "categorical": {
      const find = categoryFinder(column.values);
      return (value, row) => {
        if (isGap(value)) return -1;
        const label = toLabel(column, value, row);
        return find(label) ?? (isGapText(label) ? -1 : UNSEEN);
      };
    }
  }
}

/** A gap, or a text that stands for one; no number or bit is spelled like that. */
function isGapCellText(value: unknown): boolean {
  return isGap(value) || (typeof value === "string" && isGapText(value));
}

function toNumber(column: NumericColumn | BinnedColumn, value: unknown, row: number): number {
  const number = typeof value === "string" ? readNumberText(value) : numberOf(value);
  if (number !== undefined && Math.abs(number) <= LARGEST) return number;
  const need = Number.isFinite(number) ? `a number of at most ${LARGEST} in size` : "a finite number";
  return reject(column, need, value, row);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
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
