import { CliError, quoted } from "../../errors.ts";
import type { Ask } from "../opened-source.ts";
import { type DataFiles, parquetSchemaSql, SCHEMA_WIDTH } from "./engine-files.ts";

/**
 * Throws unless all Parquet files of a table have the same columns. The engine takes columns and types from the first file and
 * would drop columns that only others have, round their fractions, and drop values of folder names that not all have.
 */
export async function requireAlike(ask: Ask, files: DataFiles, name: string): Promise<void> {
  const [first, ...others] = files.paths;
  if (others.length === 0) return;
  const keys = keysOf(first);
  const uneven = others.find((path) => keysOf(path) !== keys);
  if (uneven !== undefined)
    throw new CliError(
      "unreadable-file",
      `${quoted(name)}: the folders of ${quoted(uneven)} say ${keysOf(uneven) || "nothing"}, those of ${quoted(first)} ${keys || "nothing"}; expected the same of all`,
    );
  const schemas = new Map<string, (string | null)[][]>();
  for (const row of await ask(parquetSchemaSql(files.paths), SCHEMA_WIDTH))
    schemas.set(row[0] ?? "", [...(schemas.get(row[0] ?? "") ?? []), row]);
  const [[firstPath, expected], ...rest] = Array.from(schemas, ([path, schema]) => {
    const types = topLevel(schema).map(({ name: column, type }) => [column, type] as const);
    return [path, new Map(types)] as const;
  });
  for (const [path, own] of rest)
    for (const column of new Set([...expected.keys(), ...own.keys()])) {
      const [here, there] = [own.get(column), expected.get(column)];
      if (here === there) continue;
      throw new CliError(
        "unreadable-file",
        `${quoted(name)}, column ${quoted(column)}: ${here ?? "missing"} in ${quoted(path)}, ${there ?? "missing"} in ${quoted(firstPath)}; expected the same in all files`,
        { hint: "unite them in a query of your own, with read_parquet('…', union_by_name = true)" },
      );
    }
}

/** The names in the folders of a path, as in `year=2024/month=1`. */
function keysOf(path: string): string {
  return path
    .split(/[/\\]/)
    .slice(0, -1)
    .flatMap((folder) => /^([^=]+)=/.exec(folder)?.[1] ?? [])
    .join(", ");
}

/** The columns of a schema in depth-first order. */
export function topLevel(schema: readonly (string | null)[][]): { name: string; type: string }[] {
  const columns: { name: string; type: string }[] = [];
  let at = 1; // the root
  const skip = (): void => {
    const children = Number(schema[at++]?.[2] ?? 0);
    for (let child = 0; child < children; child++) skip();
  };
  while (at < schema.length) {
    columns.push({ name: schema[at][1] ?? "", type: schema[at][3] ?? "" });
    skip();
  }
  return columns;
}
