import { quoteLiteral, type SourceColumn } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import { type DataFiles, engineName, readJsonSql } from "../duckdb/engine-files.ts";
import type { Ask, OpenedSource } from "../opened-source.ts";

/** Every pass over JSON looks for every name in every object: with more columns than this one pass is enough. */
const WIDE = 100;

/** JSON files: names and kinds of all objects, not only of the first ones; every value is a text. */
export async function describeJson(ask: Ask, files: DataFiles, name: string): Promise<OpenedSource> {
  const objects = readJsonSql(files);
  const kinds = await columnsOf(ask, objects);
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
  const values = columns.map((_, c) => `values_[${c + 1}] AS ${engineName(c)}`);
  const relation = `(SELECT ${values.join(", ")} FROM (SELECT json_extract_string(json, [${paths.join(", ")}]) AS values_ FROM ${objects})) AS source_file`;
  return { columns, relation, isCopied: columns.length > WIDE, mayHaveCommas: false, headerLines: 0 };
}

/**
 * The names of all objects and what each holds, in the order of their places: where an object leaves some out the others move up, so
 * that the last place is the one that counts. Undefined unless there are objects and nothing else. (`json_group_structure` would tell the same, but
 * keeps all objects in memory.)
 */
async function columnsOf(
  ask: Ask,
  objects: string,
): Promise<[name: string, type: "text" | "list" | "object"][] | undefined> {
  const [[found, others, mayBeNested]] = await ask(
    `SELECT count(*) FILTER (kind = 'OBJECT'), count(*) FILTER (kind NOT IN ('OBJECT', 'NULL')), count(*) FILTER (${MAY_BE_NESTED}) FROM (SELECT json, json_type(json) AS kind FROM ${objects})`,
    3,
  );
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

/** Whether an object has a bracket after its first: of a list, of another object, or in a text. */
const MAY_BE_NESTED = "contains(substr(json, 2), '{') OR contains(json, '[')";
