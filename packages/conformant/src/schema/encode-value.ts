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

/** Texts that mean missing in files, besides the empty one, unless they are categories of the column. */
export const MISSING_TEXTS: readonly string[] = ["NA", "NaN", "nan", "null", "NULL"];

/** The notation of a column's numbers: the decimal mark, and whether the other mark groups thousands. */
export interface NumberStyle {
  readonly decimal: "point" | "comma";
  readonly grouped: boolean;
}

/** `3`, `-0.5`, `1e-3`, `.5`: numbers as programs write them. */
export const PLAIN_NUMBERS: NumberStyle = { decimal: "point", grouped: false };

/** Only spaces count as blanks; the meaning of a tab or line end depends on the file. */
export function trimText(text: string): string {
  return text.replace(/^ +| +$/g, "");
}

/**
 * A decimal number as a regular expression, in the common syntax of JavaScript, RE2 and PostgreSQL. A number with a superfluous leading
 * zero does not match: `007` is a code, and different from 7.
 */
export function numberPattern({ decimal, grouped }: NumberStyle): string {
  const [mark, group] = decimal === "point" ? ["[.]", "[,]"] : ["[,]", "[.]"];
  const whole = grouped ? `(?:0|[1-9][0-9]{0,2}(?:${group}[0-9]{3})+|[1-9][0-9]*)` : "(?:0|[1-9][0-9]*)";
  return `[-+]?(?:${whole}(?:${mark}[0-9]*)?|${mark}[0-9]+)(?:[eE][-+]?[0-9]{1,3})?`;
}

const patterns = new Map<string, RegExp>();

/** The number in a text of the given style; undefined where it is none, or beyond the range of a double. */
export function readNumberText(text: string, style: NumberStyle = PLAIN_NUMBERS): number | undefined {
  const source = numberPattern(style);
  const pattern = patterns.get(source) ?? new RegExp(`^(?:${source})$`);
  patterns.set(source, pattern);
  const trimmed = trimText(text);
  if (!pattern.test(trimmed)) return undefined;
  const [mark, group] = style.decimal === "point" ? [".", ","] : [",", "."];
  const number = Number(trimmed.replaceAll(group, "").replace(mark, "."));
  return Number.isFinite(number) ? number : undefined;
}

/**
 * A key shared by the spellings of a category: `1`, `1.0` and `1.` have the same key, and so do `true`, `True` and `TRUE`. A spelling that
 * the column has is always preferred; the key is only used for others.
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

/** A date, a time of day, or both, in ISO 8601. */
const DATE =
  /^(?:\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|[-+]\d{2}:?\d{2}))?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** Whether a text is a date or a time. */
export function isDateText(text: string): boolean {
  return DATE.test(text);
}
