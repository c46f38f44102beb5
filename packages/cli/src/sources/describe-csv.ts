import { isDateText, readNumberText, trimText } from "conformant";
import { CliError, listed, quoted } from "../errors.ts";
import { quoteIdentifier, quoteLiteral } from "../sql/quote.ts";
import { type CsvFormat, detectCsv } from "./csv-format.ts";
import { type DataFiles, engineName, readCsvSql, readLinesSql } from "./engine-files.ts";
import { decodeHead, markedEncoding, readHead } from "./file-head.ts";
import type { Ask, OpenedSource } from "./opened-source.ts";
import type { SourceOptions } from "./source-options.ts";

/** Lines that are looked at where a file cannot be unpacked here. */
const FIRST_LINES = 1000;

/** CSV files: every column is a text, by the names in the file. */
export async function describeCsv(
  ask: Ask,
  files: DataFiles,
  name: string,
  options: SourceOptions,
): Promise<OpenedSource & { readonly typed: string }> {
  const [format, ...others] = await Promise.all(
    files.paths.map((path) =>
      detectFile(ask, { ...files, paths: [path] }, files.paths.length > 1 ? path : name, options),
    ),
  );
  others.forEach((other, f) => {
    requireAlike(format, other, files.paths[0], files.paths[f + 1]);
  });
  const relation = readCsvSql(files, format);
  return {
    columns: format.names.map((own, c) => ({
      name: own,
      storage: "text",
      type: "text",
      engineName: engineName(c),
      unnamed: format.unnamed.has(own),
    })),
    relation,
    isQuery: false,
    mayHaveCommas: format.separator.trim() !== ",",
    headerLines: format.skip,
    typed: typedSql(relation, format, options.gaps),
  };
}

async function detectFile(
  ask: Ask,
  files: DataFiles,
  name: string,
  options: SourceOptions,
): Promise<CsvFormat> {
  const head = readHead(files.paths[0]);
  const encoding = options.encoding ?? markedEncoding(head);
  const text =
    files.compression === "zstd"
      ? `${(await ask(readLinesSql(files, FIRST_LINES), 1)).map(([line]) => line ?? "").join("\n")}\n`
      : decodeHead(head, encoding);
  if (text === undefined)
    throw new CliError("csv", `${quoted(name)}: the file is not in ${encoding?.toUpperCase() ?? "UTF-8"}`, {
      hint: "say its encoding, for example --encoding latin-1",
    });
  if (text.trim() === "")
    throw new CliError("empty-data", `${quoted(name)} is empty, expected a header and rows`);
  return detectCsv(text, isWhole(text), name, { ...options, encoding });
}

/** Whether a beginning ends with a line, so that its last record is not cut; a file without a last line end is whole, too. */
function isWhole(text: string): boolean {
  return text.length < 1 << 18 || /[\r\n]$/.test(text);
}

/** Files of one table have the same columns in the same order. */
function requireAlike(first: CsvFormat, other: CsvFormat, firstPath: string, path: string): void {
  const differ =
    other.names.length !== first.names.length || other.names.some((name, c) => name !== first.names[c]);
  if (!differ && other.separator === first.separator && other.skip === first.skip) return;
  const columns = differ ? `the columns ${listed(other.names, 6)}` : "another separator or header";
  throw new CliError("csv", `${quoted(path)} has ${columns}, expected those of ${quoted(firstPath)}`);
}

/** The table of a person's own query: the file's names, and types by its first rows, so that numbers can be computed with. */
function typedSql(relation: string, { names, sample }: CsvFormat, gaps: readonly string[]): string {
  const taken = new Set<string>();
  const columns = names.map((name, c) => {
    const unique = uniqueName(name, taken);
    const raw = engineName(c);
    const isGap = ["", ...gaps].map((gap) => `trim(${raw}) = ${quoteLiteral(gap)}`).join(" OR ");
    const values = sample
      .map((row) => trimText(row[c] ?? ""))
      .filter((text) => text !== "" && !gaps.includes(text));
    const value = `CAST(${raw} AS ${typeOf(values)})`;
    return `CASE WHEN ${isGap} THEN NULL ELSE ${value} END AS ${quoteIdentifier(unique)}`;
  });
  return `SELECT ${columns.join(", ")} FROM ${relation}`;
}

function typeOf(values: readonly string[]): string {
  if (values.length === 0) return "VARCHAR";
  const numbers = values.map((text) => readNumberText(text));
  if (numbers.every((number) => number !== undefined))
    return numbers.every(Number.isSafeInteger) && values.every((text) => /^[-+]?\d+$/.test(text))
      ? "BIGINT"
      : "DOUBLE";
  if (!values.every(isDateText)) return "VARCHAR";
  if (values.every((text) => text.length === 10)) return "DATE";
  return values.every((text) => text.length > 10) ? "TIMESTAMP" : "TIME";
}

/** Names that differ only in case are one in SQL: the second is numbered. */
function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let n = 1; taken.has(unique.toLowerCase()); n++) unique = `${name}_${n}`;
  taken.add(unique.toLowerCase());
  return unique;
}
