import { DATES, type DateStyle, type NumberStyle, PLAIN_NUMBERS, readNumberText } from "conformant/texts";
import { cleanText } from "../source/clean-text.ts";
import { counted } from "../source/count.ts";
import { columnNamed } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";
import { TableError } from "../source/table-error.ts";
import { type CellReading, type TableSource, timeStyle } from "../source/table-source.ts";
import type { ColumnNote } from "./column-notes.ts";
import type { StoredReading } from "./column-options.ts";
import { decideNumberStyle, evidencePatterns, type NumberEvidence, usesCommas } from "./number-evidence.ts";

/** What is asked of a source. */
type StyleSource<Cells extends CellReading> = Pick<
  TableSource<Cells>,
  "name" | "columns" | "mayHaveCommas" | "remedies" | "evidence" | "find"
>;

/** What is known of styles before the values are looked at. */
export interface StyleOptions {
  /** What the person says, which leaves nothing to decide. */
  readonly decimal?: NumberStyle["decimal"] | undefined;
  /** The styles of columns that a model was fitted on. */
  readonly stored?: StoredReading["styles"] | undefined;
}

/**
 * How the numbers of text columns, and columns of dates, are written, decided from all their values: `3,750` is three and three quarters
 * or some thousands, and which of them no single value tells. Where the values do not tell either it is an error.
 */
export async function findNumberStyles<Cells extends CellReading>(
  source: StyleSource<Cells>,
  cells: Cells,
  names: readonly string[],
  { decimal, stored = {} }: StyleOptions,
): Promise<Map<string, NumberStyle>> {
  const styles = new Map<string, NumberStyle>();
  for (const name of names) {
    const column = columnNamed(source.columns, name);
    const style = (column && timeStyle(column)) ?? (Object.hasOwn(stored, name) ? stored[name] : undefined);
    if (style) styles.set(name, decimal && !style.date ? { ...style, decimal } : style);
  }
  const texts = names.filter((name) => cells.fields.get(name)?.storage === "text" && !styles.has(name));
  const evidence =
    decimal || !source.mayHaveCommas || texts.length === 0 ? [] : await source.evidence(cells, texts);
  for (const [t, name] of texts.entries()) {
    if (decimal) styles.set(name, { decimal, grouped: true });
    else if (evidence.length === 0) styles.set(name, PLAIN_NUMBERS);
    else {
      const style = decideNumberStyle(evidence[t], evidence.some(usesCommas));
      if (!style) throw await ambiguous(source, cells, name, evidence[t]);
      styles.set(name, style);
    }
  }
  return styles;
}

/** Rows at the beginning that tell what is worth trying. */
const FIRST_ROWS = 1000;

/** Of the text columns with a style, those whose first values are all numbers: a guess that saves work and decides nothing. */
export async function guessNumbers<Cells extends CellReading>(
  source: Pick<TableSource<Cells>, "beginning">,
  cells: Cells,
  styles: ReadonlyMap<string, NumberStyle>,
): Promise<Map<string, NumberStyle>> {
  const found = new Map([...styles].filter(([, { date }]) => date));
  const names = [...styles.keys()].filter((name) => cells.fields.get(name)?.storage === "text");
  const columns = names.length === 0 ? [] : await source.beginning(cells, names, FIRST_ROWS);
  for (const [c, name] of names.entries()) {
    const { gaps = [] } = cells.fields.get(name) ?? {};
    const texts = columns[c].flatMap((text) => (text === null ? [] : (cleanText(text, gaps) ?? [])));
    const style = styles.get(name) as NumberStyle;
    if (texts.length > 0 && texts.every((text) => readNumberText(text, style) !== undefined))
      found.set(name, style);
  }
  return found;
}

/** A style that most of the first texts of a column have, and what a person should know about it. */
export interface ProposedStyle {
  readonly style: NumberStyle;
  /** Whether all of the texts are numbers in it. */
  readonly isWhole: boolean;
  readonly note?: ColumnNote | undefined;
}

/** The least share of different texts that are numbers in a style. */
const MOST_TEXTS = 0.9;
/** Different texts from which on dates without marks are told from other numbers. */
const FEW_DATES = 3;

const DATE_STYLES = Object.keys(DATES) as DateStyle[];

/**
 * How the first texts of a column are written: as plain numbers, with thousands separators, as amounts, or as dates. Undefined where too
 * few of them are numbers in any style.
 *
 * @param texts different texts without missing ones
 * @param base what the marks of all values tell
 * @param isKnown whether the decimal mark is decided
 */
export function proposeStyle(
  texts: readonly string[],
  base: NumberStyle,
  isKnown: boolean,
  name: string,
  remedies: Remedies,
): ProposedStyle | undefined {
  if (texts.length === 0) return undefined;
  const shareOf = (style: NumberStyle): number =>
    texts.filter((text) => readNumberText(text, style) !== undefined).length / texts.length;
  const compact = { ...PLAIN_NUMBERS, date: "yyyymmdd" } as const;
  if (texts.length >= FEW_DATES && shareOf(compact) === 1)
    return { style: compact, isWhole: true, note: noteOfDates(texts, compact, undefined, name, remedies) };
  if (shareOf(base) === 1) return { style: base, isWhole: true };
  const marks = isKnown ? [base.decimal] : (["point", "comma"] as const);
  const candidates: NumberStyle[] = [
    ...marks.map((decimal) => ({ decimal, grouped: true })),
    ...marks.map((decimal) => ({ decimal, grouped: true, signs: true })),
    ...DATE_STYLES.filter((date) => date !== "yyyymmdd").map((date) => ({ ...PLAIN_NUMBERS, date })),
  ];
  const shares = [base, ...candidates].map((style) => ({ style, share: shareOf(style) }));
  const best = shares.reduce((a, b) => (b.share > a.share ? b : a));
  if (best.share < MOST_TEXTS) return undefined;
  const isWhole = best.share === 1;
  if (best.style === base) return { style: base, isWhole };
  if (best.style.date) {
    const other = best.style.date === "month/day/year" ? "day/month/year" : undefined;
    const fitsToo = other && shareOf({ ...PLAIN_NUMBERS, date: other }) === best.share ? other : undefined;
    return { style: best.style, isWhole, note: noteOfDates(texts, best.style, fitsToo, name, remedies) };
  }
  return { style: best.style, isWhole, note: noteOfAmounts(texts, best.style, base, name, remedies) };
}

function noteOfDates(
  texts: readonly string[],
  style: NumberStyle,
  fitsToo: DateStyle | undefined,
  name: string,
  remedies: Remedies,
): ColumnNote {
  const unit =
    style.date === "time"
      ? "times are read as hours"
      : `dates (${style.date}) are read as days since 1970-01-01`;
  const too = fitsToo === undefined ? "" : `; they may also be ${fitsToo}`;
  return {
    about: "date",
    text: `${unit}: ${quoted(texts[0])} is ${formatted(texts[0], style)}${too}`,
    remedy: remedies.keepCategories(name),
    doubtful: fitsToo !== undefined,
  };
}

function noteOfAmounts(
  texts: readonly string[],
  style: NumberStyle,
  base: NumberStyle,
  name: string,
  remedies: Remedies,
): ColumnNote {
  const example = texts.find(
    (text) => readNumberText(text, base) === undefined && readNumberText(text, style) !== undefined,
  );
  const percents = texts.filter((text) => text.includes("%")).length;
  const isMixed = percents > 0 && percents < texts.length;
  const mixed = isMixed ? "; values with and without a percent sign are read alike" : "";
  return {
    about: isMixed ? "mixed-formats" : "amount",
    text: `${quoted(example ?? texts[0])} is read as ${formatted(example ?? texts[0], style)}${mixed}`,
    remedy: remedies.keepCategories(name),
    doubtful: isMixed,
  };
}

/** A text as the number that it is read as. */
function formatted(text: string, style: NumberStyle): string {
  return String(Number((readNumberText(text, style) ?? Number.NaN).toPrecision(9)));
}

/** Names the first value that can be read in two ways. */
async function ambiguous<Cells extends CellReading>(
  source: StyleSource<Cells>,
  cells: Cells,
  name: string,
  { eitherPoint }: NumberEvidence,
): Promise<TableError> {
  const mark = eitherPoint === 0 ? "comma" : "point";
  const { row, text } = await source.find(cells, name, { pattern: evidencePatterns[mark].either });
  const [fraction, thousands] = [String(Number(text.replace(",", "."))), text.replace(/[.,]/, "")];
  const message = `${quoted(source.name)}, row ${row}, column ${quoted(name)}: ${quoted(text)} may be ${fraction} or ${thousands}, and the other values do not tell`;
  return new TableError("invalid-value", message, {
    hint: source.remedies.ambiguousNumber(mark, fraction, thousands),
  });
}

/**
 * A word about texts that a person may take for numbers: with thousands separators, a zero in front, a sign of a currency, or a
 * unit, all of them in the same way. Undefined where there are none, or others beside them.
 */
export function describeNearlyNumbers(
  counts: ReadonlyMap<string, number>,
  remedies: Remedies,
): ColumnNote | undefined {
  const texts = [...counts].filter(([text]) => readNumberText(text) === undefined);
  const ways = new Map(texts.map(([text]) => [JSON.stringify(wayOf(text)), wayOf(text)]));
  const [way] = ways.values();
  if (ways.size !== 1 || way === undefined) return undefined;
  const rows = texts.reduce((sum, [, count]) => sum + count, 0);
  return {
    about: "mixed-formats",
    text: `${counted(rows, "value")} such as ${quoted(texts[0][0])} are read as text, not as numbers`,
    remedy: remedies.nearlyNumbers(way.decimal),
    doubtful: true,
  };
}

const UNIT = /^(\p{Sc}?) ?[-+]?\d[\d.,]* ?((?:\p{Sc}|[%‰°]|\p{Letter}){0,4})$/u;

/** What keeps a text from being a number: the mark before its fraction, or what stands around the digits. */
interface Way {
  readonly decimal?: NumberStyle["decimal"];
  readonly around?: string;
}

function wayOf(text: string): Way | undefined {
  for (const decimal of ["point", "comma"] as const)
    if (readNumberText(text, { decimal, grouped: true }) !== undefined) return { decimal };
  if (/^[-+]?0\d+$/.test(text)) return { around: "a zero in front" };
  const [, before = "", behind = ""] = UNIT.exec(text) ?? [];
  return before || behind ? { around: `${before} ${behind}` } : undefined;
}
