import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import { LONGEST } from "./csv-reader.ts";
import { type GrowingOptions, TableBuilder } from "./table-builder.ts";
import type { TextTable } from "./text-table.ts";

/** Reads JSON lines, or one array of objects, into memory; every value is a text, by all names that any object has. */
export async function readJsonTable(
  name: string,
  pieces: AsyncIterable<string>,
  options: GrowingOptions,
): Promise<TextTable> {
  const builder = new TableBuilder(name, options);
  const places = new Map<string, number>();
  const nested = new Set<string>();
  let line = 0;
  const add = (value: unknown): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw notObjects(name, line);
    const entries = Object.entries(value as Record<string, unknown>);
    const fresh = entries.map(([key]) => key).filter((key) => !places.has(key));
    for (const key of fresh) places.set(key, places.size);
    builder.addColumns(fresh.map((key) => ({ name: key, storage: "text", type: "text", unnamed: false })));
    const fields = new Array<string | null>(places.size).fill(null);
    for (const [key, cell] of entries) {
      if (typeof cell === "object" && cell !== null) nested.add(key);
      else if (cell !== null) fields[places.get(key) ?? 0] = String(cell);
    }
    builder.addRow(fields);
  };
  let rest = "";
  let isList: boolean | undefined;
  for await (const piece of pieces) {
    rest += piece;
    isList ??= rest.trim() === "" ? undefined : rest.trimStart().startsWith("[");
    if (isList) continue;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      line++;
      if (text.trim() !== "") add(parse(name, line, text));
    }
    if (rest.length > LONGEST) throw notObjects(name, line + 1);
  }
  line++;
  if (isList) for (const value of parse(name, 1, rest) as unknown[]) add(value);
  else if (rest.trim() !== "") add(parse(name, line, rest));
  if (builder.width === 0)
    throw new TableError("empty-data", `${quoted(name)} is empty, expected JSON objects, one for each row`);
  const { columns, ...table } = builder.finish(false);
  return {
    ...table,
    columns: columns.map((column) =>
      nested.has(column.name) ? { ...column, storage: "other", type: "list or object" } : column,
    ),
  };
}

function parse(name: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notObjects(name, line);
  }
}

function notObjects(name: string, line: number): TableError {
  const message = `${quoted(name)}, line ${line}: expected a JSON object, one for each row`;
  return new TableError("unreadable-file", message);
}
