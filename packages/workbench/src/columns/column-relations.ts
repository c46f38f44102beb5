import { type NumberStyle, readNumberText } from "conformant/texts";
import { listed, quoted } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";
import type { ColumnNote } from "./column-notes.ts";
import { tellsRowsApart } from "./tells-rows-apart.ts";

/** The first rows of a column: what each row has, as a position among the different values; −1 for none. */
export interface ColumnBeginning {
  readonly name: string;
  readonly codes: Int32Array;
  readonly different: number;
  /** The text of a value by its code. */
  readonly textOf: (code: number) => string;
  /** The number behind each code, for a column of numbers. */
  readonly numbers?: Float64Array | undefined;
}

/**
 * The first rows of a column from their texts.
 *
 * @param style how numbers are written, in a column of numbers
 */
export function beginningOf(
  name: string,
  texts: readonly (string | null)[],
  style: NumberStyle | undefined,
): ColumnBeginning {
  const places = new Map<string | number, number>();
  const codes = Int32Array.from(texts, (text) => {
    const value = text === null || !style ? text : (readNumberText(text, style) ?? null);
    if (value === null) return -1;
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  const numbers = style && Float64Array.from(places.keys() as Iterable<number>);
  const textOf = (code: number): string => String([...places.keys()][code]);
  return { name, codes, different: places.size, textOf, numbers };
}

/** A note about a named column. */
export interface NamedNote {
  readonly name: string;
  readonly note: ColumnNote;
}

/** Rows with both values that are enough to say that one column determines another. */
const ENOUGH_ROWS = 30;
/** Rows beyond the first one of each value: each of them is a chance to find the columns not determined. */
const ENOUGH_REPEATS = 20;
/** More columns than this are not compared with each other, only with the label. */
const MOST_COLUMNS = 300;
/** The relative difference up to which numbers are the same multiple of others. */
const SAME = 1e-9;

/**
 * Columns that repeat others, or that give the label away, by the first rows: copies and multiples, columns that follow from another one,
 * and columns from which the label follows.
 *
 * @param label the label, where there is one
 */
export function relateColumns(
  columns: readonly ColumnBeginning[],
  label: ColumnBeginning | undefined,
  remedies: Remedies,
): NamedNote[] {
  const rows = rowsOnce(label ? [...columns, label] : columns);
  const [own, about] = [columns.map((column) => pick(column, rows)), label && pick(label, rows)];
  return [
    ...(about ? own.flatMap((column) => leakOf(column, about, remedies)) : []),
    ...(own.length > MOST_COLUMNS ? [] : repeatsOf(own, remedies)),
  ];
}

/**
 * The rows, without copies of earlier ones where a measured number shows that these are the same cases again, as in a table with rare
 * classes repeated: in them any column seems to determine any other.
 */
function rowsOnce(columns: readonly ColumnBeginning[]): Int32Array {
  const all = Int32Array.from(columns[0]?.codes.keys() ?? []);
  const seen = new Set<string>();
  const once = all.filter((r) => {
    const { size } = seen;
    return seen.add(columns.map(({ codes }) => codes[r]).join()).size > size;
  });
  const tellApart = ({ codes, numbers }: ColumnBeginning): boolean =>
    numbers !== undefined &&
    tellsRowsApart(
      Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : numbers[code])),
      once,
    );
  return once.length < all.length && columns.some(tellApart) ? once : all;
}

function pick(column: ColumnBeginning, rows: Int32Array): ColumnBeginning {
  return { ...column, codes: rows.map((r) => column.codes[r]) };
}

function leakOf(column: ColumnBeginning, label: ColumnBeginning, remedies: Remedies): NamedNote[] {
  const text = determines(column, label)
    ? isSame(column, label)
      ? `it is a copy of the label ${quoted(label.name)}`
      : `it determines the label ${quoted(label.name)}`
    : isMultiple(column, label)
      ? `it is the label ${quoted(label.name)} in other units`
      : separates(column, label)
        ? `ranges of it determine the label ${quoted(label.name)}`
        : missingLeak(column, label);
  if (text === undefined) return [];
  const remedy = remedies.exclude(column.name);
  return [
    {
      name: column.name,
      note: { about: "leak", text: `${text}: is it known before the label?`, remedy, doubtful: true },
    },
  ];
}

/**
 * Rows of other classes expected among the observed or the missing cells if these did not depend on the label. With fewer, that there
 * are none may be chance.
 */
const ENOUGH_EXPECTED = 20;
/** The share of the expected rows of other classes up to which a column gives the label away. */
const FEW = 0.05;

/**
 * Whether a column is observed, or missing, in rows of one class only, as a cause of death is among the living. A value that is merely
 * missing more often in one class stays far from it.
 */
function missingLeak({ codes }: ColumnBeginning, label: ColumnBeginning): string | undefined {
  const counts = { observed: new Float64Array(label.different), missing: new Float64Array(label.different) };
  for (let r = 0; r < codes.length; r++)
    if (label.codes[r] >= 0) counts[codes[r] < 0 ? "missing" : "observed"][label.codes[r]]++;
  const all = counts.observed.map((n, k) => n + counts.missing[k]);
  const total = sum(all);
  if (total === 0) return undefined; // no row has a label
  for (const side of ["observed", "missing"] as const) {
    const most = counts[side].indexOf(Math.max(...counts[side]));
    const rows = sum(counts[side]);
    const expected = rows * (1 - all[most] / total);
    const others = rows - counts[side][most];
    if (expected < ENOUGH_EXPECTED || others > FEW * expected) continue;
    const only = others === 0 ? "only" : "almost only";
    return `it is ${side} ${only} in rows with ${quoted(label.name)} = ${quoted(label.textOf(most))}`;
  }
  return undefined;
}

function sum(counts: Float64Array): number {
  return counts.reduce((a, b) => a + b, 0);
}

/** A column that repeats an earlier one is named with all that it follows from. */
function repeatsOf(columns: readonly ColumnBeginning[], remedies: Remedies): NamedNote[] {
  const notes: NamedNote[] = [];
  const copies = new Set<string>();
  for (const [at, column] of columns.entries()) {
    const original = columns.slice(0, at).find((other) => !copies.has(other.name) && isCopy(column, other));
    if (original) {
      copies.add(column.name);
      notes.push(
        repeatNote(column, "copy", `it repeats ${quoted(original.name)} in other words or units`, remedies),
      );
    }
  }
  const own = columns.filter(({ name }) => !copies.has(name));
  for (const column of own) {
    const causes = own
      .filter((other) => other !== column && determines(other, column))
      .map(({ name }) => name);
    if (causes.length > 0)
      notes.push(repeatNote(column, "determined", `it follows from ${listed(causes, 3)}`, remedies));
  }
  return notes;
}

function repeatNote(
  { name }: ColumnBeginning,
  about: "copy" | "determined",
  text: string,
  remedies: Remedies,
): NamedNote {
  return { name, note: { about, text, remedy: remedies.exclude(name), doubtful: true } };
}

function isCopy(a: ColumnBeginning, b: ColumnBeginning): boolean {
  return (determines(a, b) && determines(b, a)) || isMultiple(a, b);
}

function isSame(a: ColumnBeginning, b: ColumnBeginning): boolean {
  return determines(b, a);
}

/** Whether every value of one column comes with a single value of another, often enough not to be chance. */
export function determines(cause: ColumnBeginning, effect: ColumnBeginning): boolean {
  if (cause.different < 2 || effect.different < 2 || effect.different > cause.different) return false;
  const of = new Int32Array(cause.different).fill(-1);
  const seen = new Set<number>();
  let [rows, repeats] = [0, 0];
  for (let r = 0; r < cause.codes.length; r++) {
    const [from, to] = [cause.codes[r], effect.codes[r]];
    if (from < 0 || to < 0) continue;
    rows++;
    seen.add(to);
    if (of[from] < 0) of[from] = to;
    else if (of[from] !== to) return false;
    else repeats++;
  }
  return seen.size > 1 && rows >= ENOUGH_ROWS && repeats >= ENOUGH_REPEATS && !isLopsided(cause, effect);
}

/** The largest share of rows with the commonest value of an effect: beside it, any column seems to determine the few others. */
const LOPSIDED = 0.98;

function isLopsided(cause: ColumnBeginning, effect: ColumnBeginning): boolean {
  const counts = new Float64Array(effect.different);
  let rows = 0;
  for (let r = 0; r < effect.codes.length; r++) {
    if (effect.codes[r] < 0 || cause.codes[r] < 0) continue;
    counts[effect.codes[r]]++;
    rows++;
  }
  return counts.some((n) => n > LOPSIDED * rows) && cause.different > effect.different;
}

/** Whether the numbers of one column are those of another times a factor, plus a constant. */
function isMultiple({ codes, numbers }: ColumnBeginning, other: ColumnBeginning): boolean {
  if (!numbers || !other.numbers) return false;
  let [first, second] = [-1, -1];
  let [slope, rows] = [0, 0];
  for (let r = 0; r < codes.length; r++) {
    if (codes[r] < 0 || other.codes[r] < 0) continue;
    const [y, x] = [numbers[codes[r]], other.numbers[other.codes[r]]];
    rows++;
    if (first < 0) first = r;
    const [y0, x0] = [numbers[codes[first]], other.numbers[other.codes[first]]];
    if (second < 0) {
      if (x === x0) {
        if (y !== y0) return false;
        continue;
      }
      second = r;
      slope = (y - y0) / (x - x0);
      if (slope === 0) return false;
    }
    const expected = y0 + slope * (x - x0);
    if (Math.abs(y - expected) > SAME * Math.max(Math.abs(y), Math.abs(y0), Math.abs(slope * x)))
      return false;
  }
  return second >= 0 && rows >= ENOUGH_ROWS;
}

/** Whether each class of the label has a range of numbers of its own. */
function separates({ codes, numbers }: ColumnBeginning, label: ColumnBeginning): boolean {
  if (!numbers) return false;
  const ranges = Array.from({ length: label.different }, () => ({
    least: Infinity,
    most: -Infinity,
    rows: 0,
  }));
  for (let r = 0; r < codes.length; r++) {
    if (codes[r] < 0 || label.codes[r] < 0) continue;
    const range = ranges[label.codes[r]];
    const number = numbers[codes[r]];
    range.least = Math.min(range.least, number);
    range.most = Math.max(range.most, number);
    range.rows++;
  }
  const used = ranges.filter(({ rows }) => rows > 0).sort((a, b) => a.least - b.least);
  const rows = used.reduce((sum, range) => sum + range.rows, 0);
  if (used.length < 2 || rows < ENOUGH_ROWS || used.some((range) => range.rows < ENOUGH_REPEATS))
    return false;
  return used.every((range, i) => i === 0 || range.least > used[i - 1].most);
}
