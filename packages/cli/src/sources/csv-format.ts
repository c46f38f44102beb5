import { CliError, quoted } from "../errors.ts";
import { quoteLiteral } from "../sql/quote.ts";
import { hasBlankAfter, markedEncoding, readHead } from "./file-head.ts";

/** How a CSV file is written. */
export interface CsvFormat {
  readonly path: string;
  readonly separator: string;
  readonly quote: string;
  readonly escape: string;
  readonly header: boolean;
  readonly skip: number;
  readonly encoding: string | undefined;
  readonly decimalComma: boolean;
  readonly gaps: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export interface CsvOptions {
  readonly gaps: readonly string[];
  readonly encoding?: string | undefined;
  readonly header?: boolean | undefined;
}

/** Runs a query and gives its rows back as texts. */
export type Ask = (sql: string, width: number) => Promise<(string | null)[][]>;

/** Rows that are looked at where DuckDB's own guess is checked. */
const SAMPLE = 1000;

/**
 * Finds out how a CSV file is written: DuckDB's sniffer, and four things it does not see. A blank after every separator
 * belongs to the separator; a first line whose words come again below is no header; `1,5` is a number where the separator is
 * not a comma; and a file without a quote in its first lines may still have one further down.
 */
export async function detectCsv(ask: Ask, path: string, options: CsvOptions): Promise<CsvFormat> {
  const head = readHead(path);
  if (head.toString("latin1").trim() === "")
    throw new CliError("empty-data", `${quoted(path)} is empty, expected a header and rows`);
  const encoding = options.encoding ?? markedEncoding(head);
  const base = { ...options, encoding };
  let found = await sniff(ask, path, base, {});
  if (found.separator.length === 1 && found.separator !== " " && hasBlankAfter(head, found.separator)) {
    found = await sniff(ask, path, base, { separator: `${found.separator} ` });
  }
  if (options.header === undefined && found.header && (await firstLineIsData(ask, found))) {
    found = await sniff(ask, path, { ...base, header: false }, { separator: found.separator });
  }
  if (found.separator.trim() !== "," && (await hasDecimalCommas(ask, found))) {
    found = {
      ...(await sniff(
        ask,
        path,
        { ...base, header: found.header },
        { separator: found.separator, decimalComma: true },
      )),
      decimalComma: true,
    };
  }
  return found;
}

interface Known {
  readonly separator?: string;
  readonly decimalComma?: boolean;
}

async function sniff(
  ask: Ask,
  path: string,
  { gaps, encoding, header }: CsvOptions,
  known: Known,
): Promise<CsvFormat> {
  const settings = [
    `nullstr=${nullTexts(gaps)}`,
    ...(encoding ? [`encoding=${quoteLiteral(encoding)}`] : []),
    ...(header === undefined ? [] : [`header=${header}`]),
    ...(known.separator ? [`delim=${quoteLiteral(known.separator)}`] : []),
    ...(known.decimalComma ? ["decimal_separator=','"] : []),
  ];
  const columns = "list_transform(Columns, c -> [c.name, c.type])::JSON";
  const sql = `SELECT Delimiter, Quote, Escape, HasHeader::VARCHAR, SkipRows::VARCHAR, ${columns}::VARCHAR FROM sniff_csv(${[quoteLiteral(path), ...settings].join(", ")})`;
  const [[separator, quote, escapeCharacter, hasHeader, skip, types]] = await ask(sql, 6);
  const pairs = JSON.parse(types ?? "[]") as [string, string][];
  return {
    path,
    separator: separator ?? ",",
    quote: character(quote, '"'),
    escape: character(escapeCharacter, '"'),
    header: hasHeader === "true",
    skip: Number(skip),
    encoding,
    decimalComma: false,
    gaps,
    columns: pairs.map(([name, type]) => ({ name, type })),
  };
}

/** The sniffer writes "(empty)" where it saw none; the usual one then still counts further down. */
function character(sniffed: string | null, usual: string): string {
  return sniffed === null || sniffed === "(empty)" || sniffed === "" ? usual : sniffed;
}

/** The expression that reads the file, with the given types of columns. */
export function readCsvSql(format: CsvFormat, typeOf: (name: string, type: string) => string): string {
  const columns = format.columns.map(
    ({ name, type }) => `${quoteLiteral(name)}: ${quoteLiteral(typeOf(name, type))}`,
  );
  const settings = [
    quoteLiteral(format.path),
    "auto_detect=false",
    `delim=${quoteLiteral(format.separator)}`,
    `quote=${quoteLiteral(format.quote)}`,
    `escape=${quoteLiteral(format.escape)}`,
    `header=${format.header}`,
    `skip=${format.skip}`,
    `nullstr=${nullTexts(format.gaps)}`,
    ...(format.encoding ? [`encoding=${quoteLiteral(format.encoding)}`] : []),
    ...(format.decimalComma ? ["decimal_separator=','"] : []),
    `columns={${columns.join(", ")}}`,
  ];
  return `read_csv(${settings.join(", ")})`;
}

/** All texts and no names: whether a word of the first line comes again in its own column. */
async function firstLineIsData(ask: Ask, format: CsvFormat): Promise<boolean> {
  if (!format.columns.every(({ type }) => type === "VARCHAR")) return false;
  const rows = await ask(
    `SELECT * FROM ${readCsvSql(format, () => "VARCHAR")} LIMIT ${SAMPLE}`,
    format.columns.length,
  );
  return format.columns.some(({ name }, c) => rows.some((row) => row[c]?.trim() === name.trim()));
}

async function hasDecimalCommas(ask: Ask, format: CsvFormat): Promise<boolean> {
  const texts = format.columns.map(({ type }) => type === "VARCHAR");
  if (!texts.includes(true)) return false;
  const rows = await ask(
    `SELECT * FROM ${readCsvSql(format, () => "VARCHAR")} LIMIT ${SAMPLE}`,
    format.columns.length,
  );
  return texts.some((isText, c) => {
    const values = rows.flatMap((row) => (row[c] ? [row[c]] : []));
    return (
      isText &&
      values.length > 0 &&
      values.some((v) => v.includes(",")) &&
      values.every((v) => /^\s*[-+]?\d+(,\d+)?\s*$/.test(v))
    );
  });
}

/** The gaps with and without a blank before them. */
function nullTexts(gaps: readonly string[]): string {
  const texts = ["", ...gaps].flatMap((gap) => [gap, ` ${gap}`]);
  return `[${[...new Set(texts)].map(quoteLiteral).join(", ")}]`;
}
