import { type CsvFormat, type CsvMarks, detectCsv, isWholeHead } from "conformant-workbench";
import { CliError, listed, quoted } from "../../errors.ts";
import { type DataFiles, engineName, readCsvSql, readLinesSql } from "../duckdb/engine-files.ts";
import type { Ask, OpenedFile } from "../opened-source.ts";
import type { SourceOptions } from "../source-options.ts";
import { exactTypes, guessKind } from "./exact-types.ts";
import { decodeHead, encodingOf, readHead } from "./file-head.ts";
import { foreignFormat } from "./foreign-format.ts";
import { nulError } from "./packed-file.ts";
import { hasMixedLineEnds, recodeFiles, wrongEncoding } from "./recode-file.ts";

/** Lines to inspect if a file cannot be decompressed here. */
const FIRST_LINES = 1000;

/** What to do about two columns of one name. */
const TWICE_NAMED = "rename one of them; --header no takes the first line for a row";

/** CSV files: every column is a text, named as in the file. */
export async function describeCsv(
  ask: Ask,
  found: DataFiles,
  nameOf: (path: string) => string,
  options: SourceOptions & { readonly marks?: CsvMarks },
): Promise<OpenedFile> {
  const heads = await Promise.all(
    found.paths.map((path) => openText(ask, found, path, nameOf(path), options)),
  );
  const encodings = heads.map(({ encoding }) => encoding);
  const files = heads.some(({ isPlain }) => !isPlain) ? await recodeFiles(found, encodings, nameOf) : found;
  const [format, ...others] = heads.map(({ text }, f) =>
    detectCsv(text, isWholeHead(text), nameOf(found.paths[f]), { ...options, twiceNamed: TWICE_NAMED }),
  );
  others.forEach((other, f) => {
    requireAlike(format, other, nameOf(found.paths[0]), nameOf(found.paths[f + 1]));
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
    isCopied: false,
    mayHaveCommas: format.separator.trim() !== ",",
    headerLines: format.skip,
    typed: () =>
      exactTypes(
        ask,
        relation,
        format.names.map((_, c) => ({
          raw: engineName(c),
          may: guessKind(
            format.sample.map((row) => row[c] ?? ""),
            options.gaps,
          ),
        })),
        ["", ...options.gaps],
      ),
  };
}

/** The beginning of a text file. */
interface TextHead {
  readonly text: string;
  readonly encoding: string;
  /** Whether the engine can read it as it is. */
  readonly isPlain: boolean;
}

async function openText(
  ask: Ask,
  files: DataFiles,
  path: string,
  name: string,
  options: SourceOptions,
): Promise<TextHead> {
  const head = readHead(path);
  const foreign = foreignFormat(head);
  if (foreign)
    throw new CliError("unreadable-file", `${quoted(name)} is ${foreign.is}, expected text`, {
      hint: foreign.hint,
    });
  const encoding = encodingOf(head, options.encoding);
  const lines = { ...files, paths: [path] };
  const text =
    files.compression === "zstd"
      ? `${(await ask(readLinesSql(lines, FIRST_LINES), 1)).map(([line]) => line ?? "").join("\n")}\n`
      : decodeHead(head, encoding);
  if (text === undefined) throw wrongEncoding(name, encoding);
  const nul = text.indexOf("\0");
  if (nul >= 0) throw nulError(name, text.slice(0, nul).split("\n").length);
  if (text.trim() === "")
    throw new CliError("empty-data", `${quoted(name)} is empty, expected a header and rows`);
  return { text, encoding, isPlain: encoding === "utf-8" && !hasMixedLineEnds(text) };
}

/** Files of one table have the same columns in the same order. */
function requireAlike(first: CsvFormat, other: CsvFormat, firstPath: string, path: string): void {
  const differ =
    other.names.length !== first.names.length || other.names.some((name, c) => name !== first.names[c]);
  if (!differ && other.separator === first.separator && other.skip === first.skip) return;
  const columns = differ ? `the columns ${listed(other.names, 6)}` : "another separator or header";
  throw new CliError("csv", `${quoted(path)} has ${columns}, expected those of ${quoted(firstPath)}`);
}
