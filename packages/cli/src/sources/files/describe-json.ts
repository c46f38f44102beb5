import { CliError, quoted } from "../../errors.ts";
import { quoteLiteral } from "../../sql/quote.ts";
import type { SourceColumn } from "../../sql/source-column.ts";
import { type DataFiles, engineName, readJsonSql } from "../duckdb/engine-files.ts";
import type { Ask, OpenedSource } from "../opened-source.ts";

/** Every pass over JSON looks for every name in every object: with more columns than this one pass is enough. */
const WIDE = 100;

/** JSON files: names and kinds of all objects, not only of the first ones; every value is a text. */
export async function describeJson(ask: Ask, files: DataFiles, name: string): Promise<OpenedSource> {
  const objects = readJsonSql(files);
  const [[structure]] = await ask(`SELECT json_group_structure(json) FROM ${objects}`, 1);
  const kinds = entriesOf(structure ?? "null");
  if (!kinds)
    throw new CliError("unreadable-file", `${quoted(name)}: expected JSON objects, one for each row`);
  const nul = kinds.find(([own]) => own.includes("\0"));
  if (nul)
    throw new CliError(
      "unreadable-file",
      `${quoted(name)}: a column is called ${quoted(nul[0])}, expected a name without NUL characters`,
    );
  const columns = kinds.map(
    ([own, type], c): SourceColumn => ({
      name: own,
      storage: typeof type === "string" ? "text" : "other",
      type: typeof type === "string" ? "text" : Array.isArray(type) ? "list" : "object",
      engineName: engineName(c),
    }),
  );
  const paths = columns.map((column) =>
    quoteLiteral(`/${column.name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  const values = columns.map((_, c) => `values_[${c + 1}] AS ${engineName(c)}`);
  const relation = `(SELECT ${values.join(", ")} FROM (SELECT json_extract_string(json, [${paths.join(", ")}]) AS values_ FROM ${objects})) AS source_file`;
  return { columns, relation, isCopied: columns.length > WIDE, mayHaveCommas: false, headerLines: 0 };
}

/** The entries of a structure in their order; an object of JavaScript would put numbers first and lose `__proto__`. */
function entriesOf(structure: string): [string, unknown][] | undefined {
  if (!structure.startsWith("{")) return undefined;
  const entries: [string, unknown][] = [];
  const key = /\s*"((?:[^"\\]|\\.)*)"\s*:\s*/y;
  let at = 1;
  while (structure[at] !== "}" && at < structure.length) {
    key.lastIndex = at;
    const match = key.exec(structure);
    if (!match) return undefined;
    const start = key.lastIndex;
    at = valueEnd(structure, start);
    entries.push([JSON.parse(`"${match[1]}"`) as string, JSON.parse(structure.slice(start, at))]);
    if (structure[at] === ",") at++;
  }
  return entries;
}

/** Where a value of JSON ends: at the comma or brace that is not inside of it. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (letter === "{" || letter === "[") depth++;
    else if ((letter === "}" || letter === "]") && depth-- === 0) return at;
    else if (letter === "," && depth === 0) return at;
  }
  return text.length;
}
