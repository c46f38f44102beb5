import type { DuckDBConnection } from "@duckdb/node-api";
import type { Storage } from "conformant-workbench";
import { quoteIdentifier, quoteLiteral, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import type { Address, ServerAddress } from "../address.ts";
import { describeCsv } from "../files/describe-csv.ts";
import { describeJson } from "../files/describe-json.ts";
import { encodingOf, readHead } from "../files/file-head.ts";
import { findFiles } from "../files/input-file.ts";
import { compressionOf, requireWhole } from "../files/packed-file.ts";
import { recodeFiles } from "../files/recode-file.ts";
import type { Ask, OpenedSource } from "../opened-source.ts";
import type { SourceOptions } from "../source-options.ts";
import {
  type DataFiles,
  engineName,
  engineNames,
  parquetSchemaSql,
  readParquetSql,
  readTypedJsonSql,
  SCHEMA_WIDTH,
} from "./engine-files.ts";
import { requireAlike, topLevel } from "./parquet-files.ts";

export type DuckdbAddress = Exclude<Address, ServerAddress>;

/** Finds out what a source holds. */
export async function describeSource(
  connection: DuckDBConnection,
  address: DuckdbAddress,
  file: string,
  name: string,
  options: SourceOptions,
): Promise<OpenedSource> {
  const ask = asker(connection);
  if (address.engine === "duckdb") {
    await connection.run(`ATTACH ${quoteLiteral(file)} AS source${options.writable ? "" : " (READ_ONLY)"}`);
    if (options.sql) await connection.run("USE source");
    return describeRelation(ask, tableRelation(address.table, options.sql), options.sql !== undefined);
  }
  const match = async (pattern: string): Promise<string[]> =>
    (await ask(`SELECT file FROM glob(${quoteLiteral(pattern)}) ORDER BY file`, 1)).map(
      ([path]) => path ?? "",
    );
  const { paths, format } = await findFiles(file, name, match);
  const compression = format === "parquet" ? "none" : commonCompression(paths, name);
  const nameOf = (path: string): string => (paths.length > 1 ? path : name);
  for (const path of paths) await requireWhole(path, nameOf(path), compression);
  const found: DataFiles = { paths, compression };
  const files = format === "json" ? await inUtf8(found, nameOf, options) : found;
  if (format === "csv") {
    const opened = await describeCsv(ask, files, name, options);
    return options.sql ? describeQuery(connection, ask, opened.typed, options.sql) : opened;
  }
  if (options.sql) {
    if (format === "parquet") await requireAlike(ask, files, name);
    const reader = format === "json" ? readTypedJsonSql(files) : readParquetSql(files);
    return describeQuery(connection, ask, `SELECT * FROM ${reader}`, options.sql);
  }
  return format === "json" ? describeJson(ask, files, name) : describeParquet(ask, files, name);
}

/** JSON files as the engine reads them. */
async function inUtf8(
  files: DataFiles,
  nameOf: (path: string) => string,
  { encoding }: SourceOptions,
): Promise<DataFiles> {
  const encodings = files.paths.map((path) => encodingOf(readHead(path), encoding));
  return encodings.every((own) => own === "utf-8") ? files : recodeFiles(files, encodings, nameOf);
}

/** How all of the files are packed. */
function commonCompression(paths: readonly string[], name: string): DataFiles["compression"] {
  const kinds = new Map(paths.map((path) => [compressionOf(path), path]));
  const [first, ...others] = kinds;
  if (others.length === 0) return first[0];
  const listed = [first, ...others].map(([kind, path]) => `${quoted(path)}: ${kind}`).join(", ");
  throw new CliError("unreadable-file", `${quoted(name)} (${listed}): expected all of them packed alike`);
}

/** The result of a query of the person's own, in which the file is called data. */
async function describeQuery(
  connection: DuckDBConnection,
  ask: Ask,
  data: string,
  sql: string,
): Promise<OpenedSource> {
  await connection.run(`CREATE TEMP VIEW data AS ${data}`);
  return describeRelation(ask, queryRelation(sql), true);
}

function tableRelation(table: string | undefined, sql: string | undefined): string {
  if (sql) return queryRelation(sql);
  const parts = splitName(table ?? "");
  return ["source", ...(parts.length === 1 ? ["main"] : []), ...parts].map(quoteIdentifier).join(".");
}

function queryRelation(sql: string): string {
  return `(${sql.trim().replace(/;\s*$/, "")}\n) AS result`;
}

async function describeRelation(ask: Ask, relation: string, isCopied: boolean): Promise<OpenedSource> {
  const rows = await ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${relation})`, 2);
  const columns = rows.map(([name, type]) => ({
    name: name ?? "",
    type: type ?? "",
    storage: storageOf(type ?? ""),
  }));
  return { columns, relation, isCopied, mayHaveCommas: false, headerLines: 0 };
}

/** Parquet files: the engine renames columns whose names differ only in case, the files' own schema does not. */
async function describeParquet(ask: Ask, files: DataFiles, name: string): Promise<OpenedSource> {
  await requireAlike(ask, files, name);
  const reader = readParquetSql(files);
  const { columns } = await describeRelation(ask, reader, false);
  const own = topLevel(await ask(parquetSchemaSql(files.paths.slice(0, 1)), SCHEMA_WIDTH));
  const named = columns.map((column, c) => ({
    ...column,
    name: own[c]?.name ?? column.name,
    engineName: engineName(c),
  }));
  const twice = named.find((column, c) => named.findIndex((other) => other.name === column.name) !== c);
  if (twice)
    throw new CliError(
      "source",
      `${quoted(name)}: two columns are called ${quoted(twice.name)}, expected a different name for each`,
    );
  const relation = `${reader} AS source_file(${engineNames(columns.length)})`;
  return { columns: named, relation, isCopied: false, mayHaveCommas: false, headerLines: 0 };
}

function asker(connection: DuckDBConnection): Ask {
  return async (sql, width) => {
    const rows = await (await connection.run(sql)).getRows();
    return rows.map((row) =>
      Array.from({ length: width }, (_, c) => (row[c] === null ? null : String(row[c]))),
    );
  };
}

function storageOf(type: string): Storage {
  if (type.endsWith("]")) return "other"; // a list
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (/^(VARCHAR|UUID|JSON|ENUM.*)$/.test(type)) return "text";
  return /^(DATE|TIME.*|INTERVAL)$/.test(type) ? "time" : "other";
}
