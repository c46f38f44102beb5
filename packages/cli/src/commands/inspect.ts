import { existsSync, statSync } from "node:fs";
import { text } from "node:stream/consumers";
import { isRegression } from "conformant";
import { describeModel, describeRegression } from "conformant-workbench/describe";
import { CliError, quoted } from "../errors.ts";
import type { Command } from "../options/command.ts";
import { sourceOptions } from "../options/source-options.ts";
import { peekInput, standardInput } from "../output/standard-streams.ts";
import { isAddress, isStdin, namedFormat } from "../sources/address.ts";
import { readHead } from "../sources/files/file-head.ts";
import { foreignFormat } from "../sources/files/foreign-format.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";
import { descriptionText, regressionText } from "./description-text.ts";
import { parseAnyModel, readAnyModel } from "./read-model.ts";

export const inspect: Command = {
  name: "inspect",
  summary: "summarize a model, or a table before a fit: kinds of columns, missing values, doubtful columns",
  arguments: ["MODEL|DATA..."],
  options: {
    label: { takes: "COLUMN", help: "DATA: the column to predict; others that give it away are reported" },
    columns: { list: true, takes: "A,B", help: "DATA: use only these columns" },
    exclude: { list: true, takes: "A,B", help: "DATA: ignore these columns" },
    type: {
      list: true,
      takes: "COLUMN=KIND",
      help: "DATA: override the detected kind of a column: numeric, binary or categorical",
    },
    json: { help: "print JSON" },
    ...sourceOptions,
  },
  example: "conformant inspect penguins.csv --label species",
  run: async (parsed, context) => {
    if (await isData(parsed.positionals[0])) {
      const { inspectData } = await import("./inspect-data.ts");
      return inspectData(parsed, context);
    }
    const [file, extra] = parsed.positionals;
    if (extra !== undefined)
      throw new CliError(
        "usage",
        `inspect takes one model or the files of one table, got also ${quoted(extra)}`,
      );
    // Standard input was looked at with a stream, which must also read the rest of it.
    const model = isStdin(file) ? parseAnyModel(await text(standardInput()), file) : readAnyModel(file);
    if (isRegression(model)) {
      const description = describeRegression(model);
      context.print(parsed.flag("json") ? JSON.stringify(description, null, 2) : regressionText(description));
      return;
    }
    const description = describeModel(model);
    context.print(parsed.flag("json") ? JSON.stringify(description, null, 2) : descriptionText(description));
  },
};

/** Bytes or characters at the beginning of a file that tell a model from rows. */
const HEAD = 4096;

/** Whether a word names a table. Standard input and JSON files are told from a model by their first characters. */
async function isData(word: string): Promise<boolean> {
  if (isAddress(word)) return true;
  if (isStdin(word)) {
    const head = (await peekInput(HEAD)).toString().trimStart();
    return !head.startsWith("{") || hasJsonRows(head);
  }
  const format = namedFormat(word);
  // A spreadsheet or a database is a table, which opening it reports with the remedy.
  if (format === undefined)
    return existsSync(word) && statSync(word).isFile() && foreignFormat(readHead(word)) !== undefined;
  if (format !== "json") return true;
  if (/[.](jsonl|ndjson)([.](gz|zst))?$/i.test(word) || !/[.]json$/i.test(word)) return true;
  return existsSync(word) && hasJsonRows(readTextFile(word).slice(0, HEAD).trimStart());
}

/** Whether JSON that begins like this is a list or has lines of objects. */
function hasJsonRows(head: string): boolean {
  return head.startsWith("[") || /^\{[^{}]*\}\s*\{/.test(head);
}
