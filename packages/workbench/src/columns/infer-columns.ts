import { type NumberStyle, PLAIN_NUMBERS, readNumberText, trimText } from "conformant/texts";
import { count, counted } from "../source/count.ts";
import { LARGEST } from "../source/needed-value.ts";
import { columnNamed } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { mergeSpellings } from "./categories.ts";
import { type Counted, type NumberCounts, numbersOfTexts, type TextCounts } from "./column-counts.ts";
import { type ChosenColumn, type ColumnDecision, categoryColumn, numberColumn } from "./column-decision.ts";
import {
  type ColumnNote,
  isId,
  mayBeId,
  missingCodes,
  type NoteKind,
  noteOfCodes,
  noteOfId,
  noteOfSpellings,
  noteOfStrays,
  noteOfWords,
  noteText,
} from "./column-notes.ts";
import type { AskedKind } from "./column-options.ts";
import { describeNearlyNumbers } from "./number-styles.ts";
import { MOST_CATEGORIES, sequenceColumns } from "./sequence-columns.ts";

/** A text column of at least so many rows of which more than half differ is a name or a number of the row. */
const ENOUGH_ROWS = 100;
/** Fewer values than this may all differ, or be in order, by chance. */
const FEW_ROWS = 5;
/** Of a column of numbers at most this share is something else. */
const FEW_OTHERS = 0.1;
/** Or at most so many different texts beside more different numbers than that: marks such as "?" and "unknown". */
const [FEW_MARKS, MANY_NUMBERS] = [3, 20];
/** Different texts among numbers that are read as missing; of more a person has to say what they are. */
const MOST_STRAYS = 50;

/** What the columns of a source are judged by. */
export interface Inquiry<Cells extends CellReading = CellReading> {
  readonly source: TableSource<Cells>;
  /** The columns as they were counted. */
  readonly cells: Cells;
  readonly rows: number;
  /** How the numbers of text columns are written. */
  readonly styles: ReadonlyMap<string, NumberStyle>;
  readonly gaps: readonly string[];
  /** Texts that are gaps in single columns. */
  readonly gapsIn?: ReadonlyMap<string, readonly string[]>;
  readonly bins: number;
  /** Whether a column was asked for by name. */
  readonly named: (name: string) => boolean;
}

/** Finds out what a column is from the counts of its values: 0/1, a number, categories, or nothing a classifier can use. */
export async function inferColumn<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  counts: Counted,
  asked: AskedKind | undefined,
): Promise<ColumnDecision> {
  const { source, cells } = inquiry;
  if (counts.known === 0) return leaveOut(name, "empty", "it has no value in any row");
  if (asked === "numeric" || asked === "binary")
    return { name, chosen: [await readAsNumber(inquiry, name, asked)] };
  if (counts.kind === "number")
    return counts.others.size > 0 ? inferMixed(inquiry, name, counts) : inferNumbers(inquiry, name, counts);
  if (counts.tooMany) {
    if (asked === undefined) return inferManyValued(inquiry, name);
    throw tooManyValues(source, name);
  }
  return asked === undefined && cells.fields.get(name)?.storage === "text"
    ? inferTexts(inquiry, name, counts)
    : { name, chosen: [categoryColumn(name, counts)] };
}

/** A column of numbers. */
async function inferNumbers<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  counts: NumberCounts,
): Promise<ColumnDecision> {
  const { source, cells, rows, named } = inquiry;
  if (counts.least < -LARGEST || counts.most > LARGEST)
    for await (const batch of source.rows(cells, { columns: [{ name, kind: "numeric" }] })) void batch;
  const long = await findRounded(inquiry, name, counts);
  if (counts.least === counts.most)
    return leaveOut(
      name,
      "constant",
      long === undefined
        ? `it is ${asWritten(counts.least, styleOf(inquiry, name).date)} in every row that has it`
        : `its numbers, such as ${long}, have more digits than a floating-point number; ${source.remedies.keepCategories(name)}`,
    );
  const set = asNumbers(inquiry, name);
  const isDate = styleOf(inquiry, name).date !== undefined;
  if (!isDate && !named(name) && (await numbersRows(source, set, name, counts, rows)))
    return leaveOut(name, "id", `it numbers the rows; ${source.remedies.keepColumn(name)}`);
  const isAsked = named(name);
  if (!isDate && !isAsked && isId(name, counts))
    return leaveOut(
      name,
      "id",
      `its name and its ${count(counts.different)} different whole numbers are those of an id; ${source.remedies.keepColumn(name)}`,
    );
  const notes: ColumnNote[] = [
    ...(long === undefined ? [] : [noteOfRounding(source, name, long)]),
    ...(isDate ? [] : noteOfCodes(missingCodes(counts), source.remedies)),
    ...(!isDate && !isAsked && mayBeId(counts) ? [noteOfId(name, source.remedies)] : []),
  ];
  return { name, chosen: [numberColumn(name, counts, counts.bits)], notes };
}

/** The greatest distance from 1970 in days that a calendar date is written for. */
const MOST_DAYS = 1e8;

/** A number as it is read, or the date or time of day that was read as it. */
function asWritten(value: number, date: NumberStyle["date"]): string {
  if (date === undefined || Math.abs(value) > MOST_DAYS) return String(value);
  const days = date === "time" ? value / 24 : value;
  const [day, time] = new Date(Math.round(days * 86_400_000))
    .toISOString()
    .replace(/(:00)?\.000Z|Z/, "")
    .split("T");
  if (date === "time") return time;
  return time === "00:00" ? day : `${day} ${time}`;
}

function noteOfRounding({ remedies }: Pick<TableSource, "remedies">, name: string, long: string): ColumnNote {
  return {
    about: "rounded",
    text: `numbers are read as doubles, which round ${long} to ${Number(long)}`,
    remedy: `${remedies.keepCategories(name)} with all digits`,
    doubtful: true,
  };
}

/** Different values up to which all are looked at for one that a double rounds. */
const FEW_VALUES = 1000;
/** A number of so many digits that a double may round it. */
const LONG_NUMBER = "[-+]?0*[.]?0*[1-9][0-9.]{16,}";

/** A number of a column that a double rounds; undefined where none was found, or where the range and the type of the column allow none. */
async function findRounded<Cells extends CellReading>(
  { source, gaps }: Inquiry<Cells>,
  name: string,
  { least, most }: NumberCounts,
): Promise<string | undefined> {
  const type = source.columns.find((column) => column.name === name)?.type ?? "";
  if (source.columns.find((column) => column.name === name)?.storage === "time") return undefined;
  const isLarge = Math.max(-least, most) > Number.MAX_SAFE_INTEGER;
  if (/double|float|real/i.test(type) || !(isLarge || least === most || /decimal|numeric/i.test(type)))
    return undefined;
  const texts = source.cells([name], { gaps, texts: [name] });
  const isRounded = (text: string): boolean =>
    readNumberText(text) !== undefined && digitsOf(text) !== digitsOf(String(Number(text)));
  if ((await source.findManyValued(texts, FEW_VALUES)).length > 0) {
    const { text } = await source.find(texts, name, { pattern: LONG_NUMBER });
    return isRounded(text) ? text : undefined;
  }
  const { columns } = await source.count(texts, [name], 1);
  const counted = columns.get(name);
  return counted?.kind === "text" ? [...counted.counts.keys()].find(isRounded) : undefined;
}

/** The digits of a number from the first to the last that is not 0. */
function digitsOf(text: string): string {
  return text
    .replace(/e.*/i, "")
    .replace(/[-+.]/g, "")
    .replace(/^0+|0+$/g, "");
}

/** Numbers and other texts: a few of them are read as missing, many make it a column of texts. */
async function inferMixed<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  counts: NumberCounts,
): Promise<ColumnDecision> {
  const others = [...counts.others.values()].reduce((sum, n) => sum + n, 0);
  if (isNearlyNumeric(counts.known, others, counts.different, [...counts.others.keys()]))
    return withoutStrays(inquiry, name, counts.others, counts.known);
  const { source, bins } = inquiry;
  const column = columnNamed(source.columns, name);
  if (column?.storage === "time") return refuseDate(source, name, false, column.type);
  const texts = asText(inquiry, name);
  if ((await source.screen(texts, name, styleOf(inquiry, name))).distinct > 2 * MOST_CATEGORIES)
    return inferManyValued(inquiry, name);
  const { columns } = await source.count(texts, [name], bins);
  return inferTexts(inquiry, name, columns.get(name) as TextCounts);
}

/** A column of texts whose values are counted. */
async function inferTexts<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  counts: TextCounts,
): Promise<ColumnDecision> {
  const { source, rows, bins } = inquiry;
  const style = styleOf(inquiry, name);
  const numbers = numbersOfTexts(counts, rows, style, bins);
  if (numbers) return inferNumbers(inquiry, name, numbers);
  const values = [...counts.counts];
  const others = values.filter(([text]) => readNumberText(text, style) === undefined);
  const otherRows = others.reduce((sum, [, n]) => sum + n, 0);
  if (
    isNearlyNumeric(
      counts.known,
      otherRows,
      values.length - others.length,
      others.map(([text]) => text),
    )
  )
    return withoutStrays(inquiry, name, new Map(others), counts.known);
  const merged = mergeSpellings(counts.counts);
  const { size } = merged;
  const nearly = describeNearlyNumbers(counts.counts, source.remedies);
  if (looksLikeName(size, counts.known))
    return nearly
      ? leaveOut(name, "mixed-formats", noteText(nearly))
      : leaveOutName(name, size, counts.known);
  if (size === 1)
    return leaveOut(name, "constant", `it is ${quoted([...merged.keys()][0])} in every row that has it`);
  const notes = [
    ...(nearly ? [nearly] : []),
    ...noteOfSpellings(counts.counts, merged),
    ...noteOfWords(merged, source.remedies),
  ];
  return { name, chosen: [categoryColumn(name, counts)], notes };
}

/** A column of very many different texts: numbers with a few others, a sequence of letters, a name, or too many categories. */
export async function inferManyValued<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
): Promise<ColumnDecision> {
  const { source } = inquiry;
  const screen = await source.screen(asText(inquiry, name), name, styleOf(inquiry, name));
  if (screen.numbers > screen.known / 2) {
    const { columns } = await source.count(asNumbers(inquiry, name), [name], inquiry.bins);
    const counts = columns.get(name) as NumberCounts;
    const others = screen.known - screen.numbers;
    if (others === 0) return inferNumbers(inquiry, name, counts);
    if (isNearlyNumeric(screen.known, others, counts.different, [...counts.others.keys()]))
      return withoutStrays(inquiry, name, counts.others, screen.known);
  }
  const letters = await sequenceColumns(source, screen);
  if (letters) return { name, chosen: letters };
  if (looksLikeName(screen.distinct, screen.known))
    return leaveOutName(name, screen.distinct, screen.known, "about ");
  return leaveOut(
    name,
    "many-values",
    `it has more than ${count(MOST_CATEGORIES)} different values; ${source.remedies.keepCategories(name)}`,
  );
}

/** A column of texts that is asked for and has more values than a server is made to count. */
export function tooManyValues(
  { name: table, mostCounted, remedies }: Pick<TableSource, "name" | "mostCounted" | "remedies">,
  name: string,
): TableError {
  const message = `${quoted(table)}, column ${quoted(name)}: expected fewer than ${count(mostCounted)} different values, it has more`;
  return new TableError("unsupported-type", message, { hint: remedies.tooManyValues });
}

/** Whether a column has numbers and few other texts. Leading zeros, as in postal codes, make it a column of texts. */
function isNearlyNumeric(known: number, others: number, numbers: number, texts: readonly string[]): boolean {
  if (others === 0 || numbers === 0 || texts.some((text) => /^0\d+$/.test(text))) return false;
  if (others <= FEW_OTHERS * known) return true;
  return texts.length <= FEW_MARKS && numbers > MANY_NUMBERS && others <= known / 2;
}

/** Numbers, and a few other texts that are read as missing. Very many different ones are an error: they may be data. */
async function withoutStrays<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  others: ReadonlyMap<string, number>,
  known: number,
): Promise<ColumnDecision> {
  const { source, bins } = inquiry;
  const rows = [...others.values()].reduce((sum, n) => sum + n, 0);
  if (others.size > MOST_STRAYS) throw await strangeText(inquiry, name, known, rows);
  const strays = [...new Set([...others.keys()].map(trimText))];
  const own = { ...inquiry, gapsIn: new Map([[name, strays]]) };
  const { columns } = await source.count(asNumbers(own, name), [name], bins);
  const decision = await inferNumbers(own, name, columns.get(name) as NumberCounts);
  const note = noteOfStrays(strays, rows, known, source.remedies.keepCategories(name));
  return { ...decision, notes: [note, ...(decision.notes ?? [])], gaps: strays };
}

/** The first text among numbers. */
async function strangeText<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  known: number,
  others: number,
): Promise<TableError> {
  const { source } = inquiry;
  const { row, text } = await source.find(asNumbers(inquiry, name), name, "no-number");
  const message = `${quoted(source.name)}, row ${row}, column ${quoted(name)}: expected a number or nothing, got ${quoted(text)}; all but ${count(others)} of ${counted(known, "value")} are numbers`;
  return new TableError("invalid-value", message, { hint: source.remedies.strangeText(name, text) });
}

function looksLikeName(distinct: number, known: number): boolean {
  if (known < FEW_ROWS) return false;
  return known < ENOUGH_ROWS ? distinct >= known : distinct > known / 2;
}

function leaveOut(name: string, about: NoteKind, why: string): ColumnDecision {
  return { name, chosen: [], leftOut: why, about };
}

function leaveOutName(name: string, distinct: number, known: number, about = ""): ColumnDecision {
  return leaveOut(
    name,
    "name",
    `${about}${counted(distinct, "different text")} in ${counted(known, "row")}: it looks like a name, not a category`,
  );
}

function styleOf({ styles }: Pick<Inquiry, "styles">, name: string): NumberStyle {
  return styles.get(name) ?? PLAIN_NUMBERS;
}

/** The column read as numbers, whatever it holds. */
function asNumbers<Cells extends CellReading>(inquiry: Inquiry<Cells>, name: string): Cells {
  const numbers = new Map([[name, styleOf(inquiry, name)]]);
  return inquiry.source.cells([name], { gaps: inquiry.gaps, gapsIn: inquiry.gapsIn, numbers });
}

/** The column as the source has it. */
function asText<Cells extends CellReading>({ source, gaps }: Inquiry<Cells>, name: string): Cells {
  return source.cells([name], { gaps });
}

/** A column that is said to be numeric or binary; a value that is neither is an error with its row. */
async function readAsNumber<Cells extends CellReading>(
  inquiry: Inquiry<Cells>,
  name: string,
  kind: "numeric" | "binary",
): Promise<ChosenColumn> {
  const { source, bins } = inquiry;
  const set = kind === "binary" ? asText(inquiry, name) : asNumbers(inquiry, name);
  for await (const batch of source.rows(set, { columns: [{ name, kind }] })) void batch;
  const { columns } = await source.count(set, [name], bins);
  const counts = columns.get(name) as Counted;
  if (counts.kind === "text") return bitColumn(name, counts);
  return numberColumn(name, counts, kind === "binary");
}

/** A column of truth values, or of texts that stand for them, as 0 and 1. */
export function bitColumn(name: string, { known, counts }: TextCounts): ChosenColumn {
  const bits = new Float64Array(2);
  for (const [text, n] of counts) bits[/^(?:1|1\.0|true)$/i.test(text) ? 1 : 0] += n;
  return { column: { name, kind: "binary" }, known, marginal: { kind: "discrete", counts: bits } };
}

/** A date or a nested value cannot be a column of a classifier: an error where it was requested, otherwise dropped and reported. */
export function refuseColumn<Cells extends CellReading>(
  source: TableSource<Cells>,
  name: string,
  asked: boolean,
): ColumnDecision[] {
  const column = columnNamed(source.columns, name);
  if (column?.storage === "time") return [refuseDate(source, name, asked, column.type)];
  if (column?.storage !== "other") return [];
  return [refuse(source, name, asked, `its type ${column.type} is not a number, text or boolean`)];
}

/**
 * A column of dates is none of a classifier; its parts may be.
 *
 * @param like its type, or one of its texts
 */
function refuseDate<Cells extends CellReading>(
  source: TableSource<Cells>,
  name: string,
  asked: boolean,
  like: string,
): ColumnDecision {
  const column = columnNamed(source.columns, name);
  const type = column?.storage === "time" ? ` (${column.type})` : "";
  const part = /^(?:time(?!stamp)|\d\d:)/i.test(like) ? "hour" : "month";
  return refuse(source, name, asked, `it is a date or time${type}`, source.remedies.date(name, part));
}

function refuse(
  { name: table }: { readonly name: string },
  name: string,
  asked: boolean,
  why: string,
  hint?: string,
): ColumnDecision {
  if (asked)
    throw new TableError(
      "unsupported-type",
      `${quoted(table)}, column ${quoted(name)}: ${why}, expected numbers, texts or truth values`,
      { hint },
    );
  return { name, chosen: [], leftOut: hint ? `${why}; ${hint}` : why, about: "unsupported" };
}

/**
 * Whether a column numbers the rows: whole numbers, different in every row and ascending from one row to the next. A server
 * hands rows over in any order, so that there the numbers must follow each other without a gap.
 */
export async function numbersRows<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  name: string,
  { whole, different, least, most }: NumberCounts,
  rows: number,
): Promise<boolean> {
  if (!whole || different !== rows || rows < FEW_ROWS) return false;
  if (source.remote || most - least === rows - 1) return most - least === rows - 1;
  let last = Number.NEGATIVE_INFINITY;
  for await (const batch of source.rows(cells, { columns: [{ name, kind: "numeric" }] })) {
    for (const number of batch.columns[0] as Float64Array) {
      if (number <= last) return false;
      last = number;
    }
  }
  return true;
}
