import { isMissingText, MISSING_TEXTS, readNumberText, trimText } from "conformant/texts";
import { type ColumnSurvey, noteText, type TextColumn } from "conformant-workbench";

/** Bars of a histogram, and stretches of rows in the map of gaps. */
const [BARS, STRETCHES] = [24, 48];
/** Categories that are drawn one by one. */
const SHOWN = 6;

/** Texts that people write for a value that is not known, besides those that count as gaps anyway. */
const PERHAPS_GAPS = new Set([
  "?",
  "-",
  "--",
  "–",
  ".",
  "unknown",
  "missing",
  "not known",
  "n/a",
  "#n/a",
  "n.a.",
  "n. a.",
  "-99",
  "-999",
  "-9999",
]);

/** A column at a glance. */
export interface ColumnSummary {
  readonly name: string;
  /** What it is taken for; undefined where it is left out. */
  readonly kind: "numeric" | "binary" | "categorical" | undefined;
  /** Why it is left out, what is odd about it, or what has to be decided first. */
  readonly note?: string | undefined;
  /** Whether the note is of something that keeps a model from being made. */
  readonly isProblem: boolean;
  /** Whether all its values are numbers, and whether all of these are whole. */
  readonly isNumber: boolean;
  readonly isWhole: boolean;
  /** Different values, gaps not counted. */
  readonly different: number;
  /** Rows without a value. */
  readonly gaps: number;
  /** A text that may mean that there is no value, though nobody has said so. */
  readonly perhapsGap?: string | undefined;
  /** The share of gaps in stretches of the rows, from the first to the last. */
  readonly gapMap: readonly number[];
  /** Rows per range of a number, with its ends; or per category, the most frequent ones. */
  readonly bars: readonly { readonly label: string; readonly rows: number }[];
  /** Classes that it could be predicted as: its different values, where there are not too many. */
  readonly classes: number;
}

/** Summarises a column by what was found out about it. */
export function summarizeColumn(
  column: TextColumn,
  { chosen, leftOut, notes = [], problem }: Omit<ColumnSurvey, "name">,
  extraGaps: readonly string[],
): ColumnSummary {
  const gapTexts = [...MISSING_TEXTS, ...extraGaps];
  const isGap = column.texts.map((text) => isMissingText(trimText(text), gapTexts));
  const counts = new Float64Array(column.texts.length);
  let gaps = 0;
  const stretches = new Float64Array(STRETCHES);
  const rows = column.codes.length;
  column.codes.forEach((code, r) => {
    if (code >= 0 && !isGap[code]) counts[code]++;
    else {
      gaps++;
      stretches[Math.floor((r * STRETCHES) / rows)]++;
    }
  });
  const size = (s: number): number =>
    Math.ceil(((s + 1) * rows) / STRETCHES) - Math.ceil((s * rows) / STRETCHES);
  const kind = chosen[0]?.column.kind;
  const values = column.texts
    .map((text, place) => ({ text: trimText(text), rows: counts[place] }))
    .filter(({ rows }) => rows > 0);
  const hint = problem?.hint === undefined ? "" : ` ${problem.hint}`;
  return {
    name: column.name,
    kind: kind === "binned" ? "numeric" : kind,
    note: problem
      ? `${problem.message}.${hint}`
      : (leftOut ?? (notes.length > 0 ? notes.map(noteText).join(". ") : undefined)),
    isProblem: problem !== undefined,
    isNumber: values.length > 0 && values.every(({ text }) => numberOf(text) !== undefined),
    isWhole: values.every(({ text }) => Number.isInteger(numberOf(text))),
    different: values.length,
    gaps,
    perhapsGap: values.find(({ text }) => PERHAPS_GAPS.has(text.toLowerCase()))?.text,
    gapMap: Array.from(stretches, (n, s) => n / Math.max(1, size(s))),
    bars: kind === "numeric" ? numberBars(values) : categoryBars(values),
    classes: values.length,
  };
}

interface CountedText {
  readonly text: string;
  readonly rows: number;
}

function numberOf(text: string): number | undefined {
  return readNumberText(text) ?? readNumberText(text, { decimal: "comma", grouped: true });
}

function numberBars(values: readonly CountedText[]): ColumnSummary["bars"] {
  const numbers = values.flatMap(({ text, rows }) => {
    const number = numberOf(text);
    return number === undefined ? [] : [{ number, rows }];
  });
  if (numbers.length === 0) return [];
  const [low, high] = numbers.reduce(
    ([least, most], { number }) => [Math.min(least, number), Math.max(most, number)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const bars = new Float64Array(BARS);
  for (const { number, rows } of numbers)
    bars[high > low ? Math.min(BARS - 1, Math.floor(((number - low) / (high - low)) * BARS)) : 0] += rows;
  const label = (b: number): string => String(Number((low + (b / BARS) * (high - low)).toPrecision(4)));
  return Array.from(bars, (rows, b) => ({ label: `${label(b)} – ${label(b + 1)}`, rows }));
}

function categoryBars(values: readonly CountedText[]): ColumnSummary["bars"] {
  const ordered = [...values].sort((a, b) => b.rows - a.rows);
  return ordered.slice(0, SHOWN).map(({ text, rows }) => ({ label: text, rows }));
}
