import { isMissingText, readNumberText, trimText } from "conformant/texts";
import { listed, quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import { type CsvMarks, type CsvRecord, readRecords } from "./csv-records.ts";

/** How CSV files of one table are written. */
export interface CsvFormat extends CsvMarks {
  /** Lines before the first row. */
  readonly skip: number;
  /** The same where a header with line ends inside of quotes is one line. */
  readonly skippedRecords: number;
  /** The names of the columns, letter for letter; a column without one goes by its position. */
  readonly names: readonly string[];
  /** Those whose name is only their position although others have one: what programs number rows with. */
  readonly unnamed: ReadonlySet<string>;
  /** The first rows. */
  readonly sample: readonly (readonly string[])[];
}

export interface CsvOptions {
  readonly header?: boolean | undefined;
  /** Names that the person or the model gave: the reading of the first line that has them is right. */
  readonly expected?: readonly string[] | undefined;
  /** What to do about two columns of one name. */
  readonly twiceNamed: string;
  /** The separator and quotes, where they are known. */
  readonly marks?: CsvMarks | undefined;
}

/** The usual separators; of several that fit, the first, for a comma may be part of a number and a blank of a text. */
const SEPARATORS = ["\t", ";", "|", ",", " "] as const;
/** Records that are looked at. */
const SAMPLE = 1000;

/** Finds out how a CSV text is written, from its beginning; `isWhole` where that is all of it. */
export function detectCsv(text: string, isWhole: boolean, name: string, options: CsvOptions): CsvFormat {
  const [announcement = "", announced] = /^sep=(.)\r?\n/i.exec(text) ?? [];
  const plain = text.slice(announcement.length);
  const [blank = ""] = /^(?:[ \t]*\r?\n)+/.exec(plain) ?? [];
  const body = plain.slice(blank.length);
  const escaping = /\\"/.test(body) && !/[^",;\t|\n\r]""[^",;\t|\n\r]/.test(body) ? "\\" : '"';
  const marks = options.marks ?? findMarks(body, isWhole, announced, escaping);
  const records = sampleRecords(body, isWhole, marks);
  const width = commonWidth(records).width;
  const odd = Math.max(
    0,
    records.findIndex(({ fields }) => fields.length === width),
  );
  // R's write.table leaves the name of the row names out, so that its first line has one field less.
  const isShort = odd > 0 && width > 2 && records[odd - 1].fields.length === width - 1 && odd === 1;
  const rows = records.slice(isShort ? 0 : odd);
  const first = isShort ? ["", ...rows[0].fields] : rows[0].fields;
  const below = rows.slice(1).map(({ fields }) => fields);
  const header = decideHeader(first.map(trimText), below, options);
  // What stands above a header are titles; above rows without one, lines of several fields are rows that lack some.
  const isTitled = header || records.slice(0, odd).every(({ fields }) => fields.length === 1);
  const before = lineCount(announcement) + lineCount(blank) + (isTitled ? rows[0].line : 0);
  const named = header ? nameColumns(first.map(trimText), name, options.twiceNamed) : numberColumns(width);
  return {
    ...marks,
    ...named,
    skip: before + (header ? rows[0].lines : 0),
    skippedRecords: before + (header ? 1 : 0),
    sample: rows.slice(header ? 1 : 0).map(({ fields }) => fields),
  };
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}

function findMarks(body: string, isWhole: boolean, announced: string | undefined, before: string): CsvMarks {
  const separator = announced ?? findSeparator(body, isWhole, before);
  const marks = { separator, quote: '"', escape: before };
  return separator !== " " && hasBlankAfter(body, separator)
    ? { ...marks, separator: `${separator} ` }
    : marks;
}

/** The separator that divides all records into as many fields, else nearly all. */
function findSeparator(body: string, isWhole: boolean, before: string): string {
  const found = SEPARATORS.map((separator) => ({
    separator,
    ...commonWidth(sampleRecords(body, isWhole, { separator, quote: '"', escape: before })),
  })).filter(({ width }) => width > 1);
  const even = found.find(({ share, separator }) => share === 1 && separator !== " ");
  const best = found.reduce<(typeof found)[number] | undefined>(
    (a, b) => (a && a.share >= b.share ? a : b),
    undefined,
  );
  return even?.separator ?? best?.separator ?? ",";
}

/** The records of a beginning, without the one that it may cut and the empty line at the end. */
function sampleRecords(body: string, isWhole: boolean, marks: CsvMarks): CsvRecord[] {
  const records = readRecords(body, marks, SAMPLE + 1);
  const complete = isWhole || records.length > SAMPLE ? records.slice(0, SAMPLE) : records.slice(0, -1);
  const kept = complete.filter(({ fields }) => fields.length > 1 || fields[0] !== "");
  return kept.length > 0 ? kept : records;
}

/** The number of fields that most records have, and the share of the records that have it. */
function commonWidth(records: readonly CsvRecord[]): { width: number; share: number } {
  const counts = new Map<number, number>();
  for (const { fields } of records) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [width, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [1, 0]);
  return { width, share: count / Math.max(1, records.length) };
}

/** Whether every separator in the first lines is followed by a blank, as in `39, State-gov, 77516`. */
function hasBlankAfter(body: string, separator: string): boolean {
  const lines = body.split(/\r?\n/, 100).filter((line) => line.includes(separator));
  const after = lines.flatMap((line) => line.split(separator).slice(1));
  return after.length > 0 && after.every((field) => field.startsWith(" "));
}

/**
 * Whether the first line has names: what is expected decides, else that they are no numbers, and different texts or above numbers.
 *
 * @param below the first rows under it
 */
function decideHeader(
  cells: readonly string[],
  below: readonly (readonly string[])[],
  { header, expected = [] }: CsvOptions,
): boolean {
  if (header !== undefined) return header;
  if (expected.some((name) => cells.includes(name))) return true;
  const positions = numberColumns(cells.length).names;
  if (expected.some((name) => positions.includes(name))) return false;
  const named = cells.filter((cell) => cell !== "");
  if (named.length === 0 || named.some((cell) => readNumberText(cell) !== undefined)) return false;
  const differ = new Set(named).size === named.length;
  return differ || cells.some((cell, c) => cell !== "" && isNumbers(below, c));
}

/** Whether all that a column has in some rows, and it has something, are numbers. */
function isNumbers(rows: readonly (readonly string[])[], column: number): boolean {
  const known = rows.map((fields) => trimText(fields[column] ?? "")).filter((cell) => !isMissingText(cell));
  return known.length > 0 && known.every((cell) => readNumberText(cell) !== undefined);
}

/** The names of a header; two of one name are an error. */
function nameColumns(
  cells: readonly string[],
  file: string,
  remedy: string,
): Pick<CsvFormat, "names" | "unnamed"> {
  const positions = numberColumns(cells.length).names;
  const names = cells.map((cell, c) => cell || positions[c]);
  const last = new Map(names.map((name, c) => [name, c]));
  const twice = [...new Set(names.filter((name, c) => last.get(name) !== c))];
  if (twice.length > 0) {
    const message = `${quoted(file)}: ${listed(twice)} ${twice.length === 1 ? "is" : "are"} the name of two columns, expected a different one for each`;
    throw new TableError("csv", message, { hint: remedy });
  }
  return { names, unnamed: new Set(names.filter((_, c) => cells[c] === "")) };
}

/** The names of columns that have none: column0, column1, … with as many digits as the last one needs. */
function numberColumns(width: number): Pick<CsvFormat, "names" | "unnamed"> {
  const digits = String(width - 1).length;
  const names = Array.from({ length: width }, (_, c) => `column${String(c).padStart(digits, "0")}`);
  return { names, unnamed: new Set() };
}
