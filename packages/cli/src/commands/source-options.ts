import type { OptionSpecs, Parsed } from "../arguments/command.ts";
import { readList } from "../arguments/read-value.ts";
import { CliError } from "../errors.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** Texts that stand for a gap everywhere, besides the empty one. */
const GAPS: readonly string[] = ["NA", "NaN", "nan", "null", "NULL"];

/** Options of every command that reads DATA. */
export const sourceOptions: OptionSpecs = {
  sql: { takes: "QUERY", help: "read the result of a query; a file is the table data in it" },
  na: {
    list: true,
    takes: "TEXTS",
    help: 'more texts that mean missing, e.g. "?,-"; the empty field, NA, NaN and null always do',
  },
  encoding: { takes: "NAME", help: "encoding of a CSV file: utf-8, utf-16, latin-1", initially: "utf-8" },
  header: {
    takes: "yes|no",
    choices: ["yes", "no"],
    help: "whether the first line of a CSV file names the columns; found out by itself",
  },
};

export function readSourceOptions(parsed: Parsed): SourceOptions {
  const sql = parsed.text("sql");
  if (sql?.trim() === "") throw new CliError("usage", "--sql needs a query, got an empty text");
  const header = parsed.text("header");
  return {
    sql,
    gaps: [...new Set([...GAPS, ...(readList(parsed, "na") ?? [])])],
    encoding: parsed.text("encoding"),
    header: header === undefined ? undefined : header === "yes",
  };
}
