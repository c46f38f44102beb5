import { memoize } from "../cache.ts";
import { ConformantError, LARGEST, show } from "../errors.ts";
import { binOf } from "../math/search.ts";
import type {
  BinaryColumn,
  BinnedColumn,
  CategoricalColumn,
  Column,
  NumericColumn,
  Schema,
} from "./column.ts";
import { isMissingValue } from "./data.ts";

/** The code of a categorical value that the schema does not list: neither a valid code nor missing (−1). */
export const UNSEEN = -2;

/** Encodes one cell for the kernels: a number (NaN where missing) or a code (−1 where missing, {@link UNSEEN}). */
export type ValueEncoder = (value: unknown, row: number) => number;

const encoders = new WeakMap<Schema, readonly ValueEncoder[]>();

/** The encoders of all columns. */
export function valueEncoders(schema: Schema): readonly ValueEncoder[] {
  return memoize(encoders, schema, encodersOf);
}

function encodersOf({ columns }: Schema): readonly ValueEncoder[] {
  return columns.map(valueEncoder);
}

/** The encoder of a column; for an invalid value it throws `invalid-value` with the column and row. */
export function valueEncoder(column: Column): ValueEncoder {
  switch (column.kind) {
    case "numeric":
      return (value, row) => (isMissingCellText(value) ? Number.NaN : toNumber(column, value, row));
    case "binary":
      return (value, row) => (isMissingCellText(value) ? -1 : toBit(column, value, row));
    case "binned":
      return (value, row) =>
        isMissingCellText(value) ? -1 : binOf(column.edges, toNumber(column, value, row));
    case "categorical": {
      const find = categoryFinder(column.values);
      return (value, row) => {
        if (isMissingValue(value)) return -1;
        const label = toLabel(column, value, row);
        return find(label) ?? (isMissingText(label) ? -1 : UNSEEN);
      };
    }
  }
}

/** Missing, or a text that means missing; no number or bit has such a spelling. */
function isMissingCellText(value: unknown): boolean {
  return isMissingValue(value) || (typeof value === "string" && isMissingText(value));
}

function toNumber(column: NumericColumn | BinnedColumn, value: unknown, row: number): number {
  const number = typeof value === "string" ? readPlainNumber(value) : numberOf(value);
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

/**
 * Texts that stand for a missing value in files, besides the empty one, unless a column has them as categories: what R, pandas,
 * spreadsheets and SAS write.
 */
export const MISSING_TEXTS: readonly string[] = [
  "NA",
  "NaN",
  "nan",
  "null",
  "NULL",
  "N/A",
  "n/a",
  "#N/A",
  "#NA",
  "<NA>",
  "NA_NA",
  "NaT",
  "#NULL!",
  ".",
];

/** `3`, `-0.5`, `1e-3`, `.5`: a number as programs write it. One that begins with a zero it could do without is a code: `007`. */
export const PLAIN_NUMBER = "[-+]?(?:(?:0|[1-9][0-9]*)(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]{1,3})?";

const plain = new RegExp(`^(?:${PLAIN_NUMBER})$`);

/** The number that a text is as programs write it; undefined where it is none, or none that a double can hold. */
export function readPlainNumber(text: string): number | undefined {
  const trimmed = trimText(text);
  const number = plain.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Blanks are spaces: what a tab or a line end stands for, only the file knows. */
export function trimText(text: string): string {
  return text.replace(/^ +| +$/g, "");
}

/**
 * What two spellings of one category share: `1`, `1.0` and `1.` are one, and so are `true`, `True` and `TRUE`. A spelling that a
 * column has is always preferred; only one that it does not have is looked up by this.
 */
export function categoryKey(text: string): string {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase();
  return /^[-+]?[0-9]+[.]0*$/.test(text) ? text.slice(0, text.indexOf(".")) : text;
}

/**
 * The values of a boolean column in the other notation, in order: `1` and `0` where all are `true` or `false`, `true` and `false` where all
 * are `1` or `0`. Undefined for all other columns, in which `1` is not `true`.
 */
export function truthNotation(values: readonly string[]): readonly string[] | undefined {
  const keys = values.map(categoryKey);
  for (const [yes, no, otherYes, otherNo] of [
    ["true", "false", "1", "0"],
    ["1", "0", "true", "false"],
  ])
    if (new Set(keys).size === keys.length && keys.every((key) => key === yes || key === no))
      return keys.map((key) => (key === yes ? otherYes : otherNo));
  return undefined;
}

/**
 * Finds the position of a category by its spelling, otherwise by the only value with the same key; in a boolean column in either notation.
 */
export function categoryFinder(values: readonly string[]): (text: string) => number | undefined {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  values.forEach((value, place) => {
    const key = categoryKey(value);
    if (places.has(key)) repeated.add(key);
    places.set(key, place);
  });
  for (const key of repeated) places.delete(key);
  truthNotation(values)?.forEach((key, place) => {
    places.set(key, place);
  });
  values.forEach((value, place) => {
    places.set(value, place);
  });
  return (text) => places.get(text) ?? places.get(categoryKey(text));
}

/** Whether a text means missing. */
export function isMissingText(text: string, gaps: readonly string[] = MISSING_TEXTS): boolean {
  return text === "" || gaps.includes(text);
}
