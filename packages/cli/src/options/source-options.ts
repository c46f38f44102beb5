import { missingTexts, type StoredReading } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import type { FileFormat } from "../sources/address.ts";
import type { SourceOptions } from "../sources/source-options.ts";
import { readDecimal } from "./column-options.ts";
import { grouped, type Messages, type OptionSpec, type OptionSpecs, type Parsed } from "./command.ts";
import { readList } from "./read-value.ts";

/** The formats that can be named, and how their files are read; the separator of text is detected. */
const INPUT_FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: "csv",
  tsv: "csv",
  json: "json",
  jsonl: "json",
  parquet: "parquet",
  xlsx: "xlsx",
};

/** Options of every command that reads DATA. */
export const sourceOptions: OptionSpecs = grouped("Input options", {
  where: { takes: "CONDITION", help: 'read only the rows that meet an SQL condition, e.g. "age > 30"' },
  since: { takes: "COLUMN=VALUE", help: "read only the rows where COLUMN is at least VALUE, e.g. a date" },
  sql: { takes: "QUERY", help: "read the result of a query; a file is the table data in it" },
  "one-hot": {
    list: true,
    takes: "A,B",
    help: "read the 0/1 columns A_VALUE as one column A, in DATA and in an imported classifier",
  },
  format: {
    takes: "FORMAT",
    choices: Object.keys(INPUT_FORMATS),
    help: "format of DATA",
    initially: "detected by name, then by content",
  },
  na: {
    list: true,
    environment: true,
    takes: "TEXTS",
    help: 'more texts that mean missing, e.g. "?,-", besides the empty field, NA, NaN and null; "" for the empty field only',
  },
  header: {
    takes: "yes|no",
    choices: ["yes", "no"],
    help: "whether the first line of a CSV file has the column names",
    initially: "detected",
  },
  decimal: {
    environment: true,
    takes: "MARK",
    choices: ["point", "comma"],
    help: "decimal mark of numbers in text files; the other mark groups thousands: point or comma",
    initially: "detected",
  },
  sheet: { takes: "NAME", help: "sheet of an Excel workbook", initially: "the first" },
  encoding: {
    environment: true,
    takes: "NAME",
    help: "encoding of a CSV or JSON file, e.g. latin-1, utf-16 or windows-1252",
    initially: "utf-8",
  },
});

/** The option for unknown categories, of commands that predict rows. */
export const strictOption: OptionSpec = {
  environment: true,
  help: "fail on an unknown category, or a text in a column of numbers, instead of treating it as missing",
};

/** @param formatOption the name of the option for the format of DATA */
export function readSourceOptions(
  parsed: Parsed,
  { warn, note }: Messages,
  formatOption = "format",
  stored: StoredReading = {},
): SourceOptions {
  const sql = parsed.text("sql");
  if (sql?.trim() === "") throw new CliError("usage", "--sql requires a query, got an empty text");
  const [header, where] = [parsed.text("header"), parsed.text("where")];
  if (where?.trim() === "") throw new CliError("usage", "--where requires a condition, got an empty text");
  return {
    sql,
    where,
    since: readSince(parsed.text("since")),
    oneHot: readList(parsed, "one-hot"),
    gaps: readGaps(parsed, stored),
    format: INPUT_FORMATS[parsed.text(formatOption) ?? ""],
    encoding: parsed.text("encoding"),
    sheet: parsed.text("sheet"),
    header: header === undefined ? undefined : header === "yes",
    decimal: readDecimal(parsed) ?? stored.decimal,
    stored,
    note,
    waiting: (holder) => warn(`waiting: the data is locked by ${holder}`),
  };
}

/** Texts that mean missing, besides the empty one; an empty list leaves only the empty one. */
function readGaps(parsed: Parsed, stored: StoredReading): string[] {
  const added = readList(parsed, "na");
  if (added === undefined) return missingTexts(stored);
  return added.length === 0 ? [] : missingTexts({}, added);
}

function readSince(text: string | undefined): SourceOptions["since"] {
  if (text === undefined) return undefined;
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1)
    throw new CliError("usage", `--since requires COLUMN=VALUE, got ${quoted(text)}`);
  return { column: text.slice(0, at), value: text.slice(at + 1) };
}
