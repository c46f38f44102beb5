import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import { type CsvOptions, detectCsv } from "./csv-format.ts";
import { CsvReader } from "./csv-reader.ts";
import { type GrowingOptions, TableBuilder } from "./table-builder.ts";
import type { TextTable } from "./text-table.ts";

/** Characters at the beginning that tell how a file is written. */
const HEAD = 1 << 20;

/** Reads a CSV text into memory, every column as text. */
export async function readCsvTable(
  name: string,
  pieces: AsyncIterable<string>,
  options: CsvOptions & GrowingOptions,
): Promise<TextTable> {
  let head = "";
  let reader: CsvReader | undefined;
  let builder: TableBuilder | undefined;
  let mayHaveCommas = false;
  const begin = (): CsvReader => {
    requireText(name, head);
    const format = detectCsv(head.slice(0, HEAD), isWholeHead(head), name, options);
    const columns = format.names.map((own) => ({ name: own, storage: "text" as const, type: "text" }));
    const growing = new TableBuilder(name, options);
    growing.addColumns(columns.map((column) => ({ ...column, unnamed: format.unnamed.has(column.name) })));
    builder = growing;
    mayHaveCommas = format.separator.trim() !== ",";
    const own = new CsvReader(name, format, (fields) => growing.addRow(fields));
    own.push(head);
    return own;
  };
  for await (const piece of pieces) {
    if (reader) reader.push(piece);
    else {
      head += piece;
      if (head.length >= HEAD) reader = begin();
    }
  }
  reader ??= begin();
  reader.finish();
  return (builder as unknown as TableBuilder).finish(mayHaveCommas);
}

/** Throws for what is no text, or none at all. */
function requireText(name: string, head: string): void {
  const nul = head.indexOf("\0");
  if (nul >= 0) {
    const line = head.slice(0, nul).split("\n").length;
    throw new TableError("csv", `${quoted(name)}, line ${line}: the file has NUL characters, expected text`, {
      hint: "a file of two bytes a character (UTF-16) has them: save the table as CSV in UTF-8",
    });
  }
  if (head.trim() === "")
    throw new TableError("empty-data", `${quoted(name)} is empty, expected a header and rows`);
}

/** Whether a beginning ends with a line, so that its last record is not cut; a file without a last line end is whole, too. */
export function isWholeHead(text: string): boolean {
  return text.length < 1 << 18 || /[\r\n]$/.test(text);
}
