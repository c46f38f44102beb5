import { quoteLiteral, type SourceColumn } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import { type DataFiles, engineName, readJsonSql, readTypedJsonSql } from "../duckdb/engine-files.ts";
import type { Ask, OpenedFile } from "../opened-source.ts";
import { exactTypes, type TextColumn } from "./exact-types.ts";

/** Every pass over JSON looks up every name in every object: with more columns than this, only one pass is made. */
const WIDE = 100;

/**
 * JSON files: the names and kinds of all objects, not only the first; every value is a text.
 *
 * @param ofNone the columns of a file without rows, which has no names of its own; without them it is an error
 */
export async function describeJson(
  ask: Ask,
  files: DataFiles,
  name: string,
  ofNone: readonly string[] = [],
): Promise<OpenedFile> {
  const objects = readJsonSql(files);
  const kinds = await columnsOf(ask, objects, ofNone);
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
      storage: type === "text" ? "text" : "other",
      type,
      engineName: engineName(c),
    }),
  );
  const paths = columns.map((column) =>
    quoteLiteral(`/${column.name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  const isNested = (c: number): boolean => columns[c].storage === "other";
  const nested = columns.some((_, c) => isNested(c))
    ? `, json_extract_string(json, [${paths.join(", ")}]) AS nested_`
    : "";
  const values = columns.map(
    (_, c) => `${isNested(c) ? "nested_" : "values_"}[${c + 1}] AS ${engineName(c)}`,
  );
  const relation = `(SELECT ${values.join(", ")}, json AS object_ FROM (SELECT json, json_extract_string(${numbersAsTexts("json")}, [${paths.join(", ")}]) AS values_${nested} FROM ${objects})) AS source_file`;
  const typed = async (): Promise<string[]> => {
    const found = await ask(
      `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${readTypedJsonSql(files)})`,
      2,
    );
    const types = new Map(found.map(([own, type]) => [own ?? "", type ?? ""]));
    const typeOf = (c: number): string => types.get(columns[c].name) ?? "VARCHAR";
    const texts = columns.map((_, c) => ({ raw: engineName(c), may: kindOf(typeOf(c)) }));
    const exact = await exactTypes(ask, relation, texts, []);
    return exact.map((sql, c) => {
      if (isNested(c)) return `CAST(json_extract(object_, ${paths[c]}) AS ${typeOf(c)})`;
      return typeOf(c) === "BOOLEAN" ? `CAST(${engineName(c)} AS BOOLEAN)` : sql;
    });
  };
  return { columns, relation, isCopied: columns.length > WIDE, mayHaveCommas: false, headerLines: 0, typed };
}

function kindOf(type: string): TextColumn["may"] {
  if (/^(U?(BIG|HUGE)?INT|DOUBLE)/.test(type)) return "number";
  return /^(DATE|TIME)/.test(type) ? "time" : "text";
}

/** A number that the engine may print differently, because it reads JSON numbers as doubles. */
const CHANGING = "-0|[0-9.]{16}|[0-9][eE]|[.][0-9]*0[^0-9]";

/**
 * SQL: an object with all its numbers quoted, if the engine would print one of them differently. JSON escapes control characters, so two
 * of them mark the places.
 */
function numbersAsTexts(json: string): string {
  const marked = `regexp_replace(CAST(${json} AS VARCHAR), '("(?:[^"\\\\]|\\\\.)*")|(-?[0-9][-+.0-9eE]*)', '\\1' || chr(1) || '\\2' || chr(2), 'g')`;
  const quoted = `replace(replace(replace(${marked}, chr(1) || chr(2), ''), chr(1), '"'), chr(2), '"')`;
  return `CASE WHEN regexp_matches(CAST(${json} AS VARCHAR), '${CHANGING}') THEN CAST(${quoted} AS JSON) ELSE ${json} END`;
}

/**
 * The names of all objects and the kinds of their values, in the order of their positions. If an object omits names the others move up, so
 * the last position counts. Undefined unless all values are objects. (`json_group_structure` would return the same, but
 * keeps all objects in memory.)
 */
async function columnsOf(
  ask: Ask,
  objects: string,
  ofNone: readonly string[],
): Promise<[name: string, type: "text" | "list" | "object"][] | undefined> {
  const [[all, found, others, mayBeNested]] = await ask(
    `SELECT count(*), count(*) FILTER (kind = 'OBJECT'), count(*) FILTER (kind NOT IN ('OBJECT', 'NULL')), count(*) FILTER (${MAY_BE_NESTED}) FROM (SELECT json, json_type(json) AS kind FROM ${objects})`,
    4,
  );
  if (all === "0" && ofNone.length > 0) return [...new Set(ofNone)].map((name) => [name, "text"]);
  if (found === "0" || others !== "0") return undefined;
  const names = await ask(
    `SELECT name_ FROM (SELECT unnest(names_) AS name_, generate_subscripts(names_, 1) AS place_ FROM (SELECT json_keys(json) AS names_ FROM ${objects})) GROUP BY name_ ORDER BY max(place_), name_`,
    1,
  );
  const nested = new Map(
    mayBeNested === "0"
      ? []
      : (
          await ask(
            `SELECT each_.key, max(each_.type) FROM (SELECT json FROM ${objects} WHERE ${MAY_BE_NESTED}) AS o, json_each(o.json) AS each_ WHERE each_.type IN ('ARRAY', 'OBJECT') GROUP BY each_.key`,
            2,
          )
        ).map(([key, type]) => [key, type === "ARRAY" ? "list" : "object"] as const),
  );
  return names.map(([name]) => [name ?? "", nested.get(name) ?? "text"]);
}

/** Whether an object contains another bracket after its first: of a list, of an object, or in a text. */
const MAY_BE_NESTED = "contains(substr(json, 2), '{') OR contains(json, '[')";
