import type { DuckDBConnection } from "@duckdb/node-api";
import type { Storage } from "conformant-workbench";
import { quoteIdentifier, quoteLiteral, type SourceColumn, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import type { Address, FileFormat, ServerAddress, SqliteAddress } from "../address.ts";
import { convertWorkbooks } from "../files/convert-workbooks.ts";
import { describeCsv } from "../files/describe-csv.ts";
import { describeJson } from "../files/describe-json.ts";
import { encodingOf, readHead } from "../files/file-head.ts";
import { foreignFormat } from "../files/foreign-format.ts";
import { findFiles } from "../files/input-file.ts";
import { compressionOf, requireWhole } from "../files/packed-file.ts";
import { recodeFiles } from "../files/recode-file.ts";
import { watchFiles } from "../files/watch-files.ts";
import type { Ask, OpenedFile, OpenedSource } from "../opened-source.ts";
import type { SourceOptions } from "../source-options.ts";
import { copySqlite } from "./copy-sqlite.ts";
import {
  type DataFiles,
  engineName,
  engineNames,
  parquetSchemaSql,
  readParquetSql,
  SCHEMA_WIDTH,
} from "./engine-files.ts";
import { requireAlike, topLevel } from "./parquet-files.ts";
import { passColumns, type ScopeColumn } from "./passed-columns.ts";

export type DuckdbAddress = Exclude<Address, ServerAddress>;

/** Describes a source: its columns, types and how to read it. */
export async function describeSource(
  connection: DuckDBConnection,
  address: DuckdbAddress,
  options: SourceOptions,
): Promise<OpenedSource> {
  const ask = asker(connection);
  const { name } = address;
  if (address.engine === "duckdb") {
    await connection.run(
      `ATTACH ${quoteLiteral(address.path)} AS source${options.writable ? "" : " (READ_ONLY)"}`,
    );
    if (options.sql) await connection.run("USE source");
    return describeRelation(ask, tableRelation(address.table, options.sql), options.sql !== undefined);
  }
  if (address.engine === "sqlite") {
    const requireUnchanged = watchFiles([address.path], () => name);
    const opened = await describeSqlite(connection, ask, address, options.copying);
    const source = options.sql ? await describeQuery(connection, ask, opened, options.sql) : opened;
    return { ...source, requireUnchanged };
  }
  const match = async (pattern: string): Promise<string[]> =>
    (await ask(`SELECT file FROM glob(${quoteLiteral(pattern)}) ORDER BY file`, 1)).map(
      ([path]) => path ?? "",
    );
  const { paths, format, nameOf: nameOfFile } = await findFiles(address.paths, name, match, options.format);
  const requireUnchanged = watchFiles(paths, nameOfFile);
  if (options.sheet !== undefined && format !== "xlsx")
    throw new CliError("usage", `--sheet requires an Excel workbook, ${quoted(name)} is none`);
  if (format === "xlsx") {
    for (const path of paths) requireWorkbook(path, nameOfFile(path));
    const files = await convertWorkbooks(paths, nameOfFile, options);
    const converted = new Map(files.paths.map((path, f) => [path, nameOfFile(paths[f])]));
    const marks = { separator: ",", quote: '"', escape: '"' };
    const opened = await describeCsv(ask, files, (path) => converted.get(path) ?? path, {
      ...options,
      encoding: "utf-8",
      marks,
    });
    const source = options.sql ? await describeQuery(connection, ask, opened, options.sql) : opened;
    return { ...source, requireUnchanged };
  }
  const compression = format === "parquet" ? "none" : commonCompression(paths, name);
  const isUtf8 = (path: string): boolean => encodingOf(readHead(path), options.encoding) === "utf-8";
  for (const path of paths)
    await requireWhole(path, nameOfFile(path), compression, format !== "parquet" && isUtf8(path));
  const found: DataFiles = { paths, compression };
  const files = format === "json" ? await inUtf8(found, nameOfFile, options) : found;
  const opened = await describeFile(ask, files, format, { name, nameOf: nameOfFile }, options);
  const source = options.sql ? await describeQuery(connection, ask, opened, options.sql) : opened;
  return { ...source, requireUnchanged };
}

function describeFile(
  ask: Ask,
  files: DataFiles,
  format: FileFormat,
  { name, nameOf }: { readonly name: string; readonly nameOf: (path: string) => string },
  options: SourceOptions,
): Promise<OpenedFile> {
  if (format === "csv") return describeCsv(ask, files, nameOf, options);
  return format === "json"
    ? describeJson(ask, files, name, options.mayBeEmpty ? options.expected : undefined)
    : describeParquet(ask, files, name);
}

async function describeSqlite(
  connection: DuckDBConnection,
  ask: Ask,
  address: SqliteAddress,
  sql: string | undefined,
): Promise<OpenedFile> {
  const { relation, names } = await copySqlite(connection, address, sql);
  const described = await describeRelation(ask, relation, false);
  const columns = described.columns.map((column, c) => ({
    ...column,
    name: names[c],
    engineName: engineName(c),
  }));
  return { ...described, columns, typed: async () => columns.map(nameOf) };
}

function requireWorkbook(path: string, name: string): void {
  const head = readHead(path, false);
  const foreign = foreignFormat(head);
  if (head.subarray(0, 4).toString("latin1") === "PK\x03\x04") return;
  throw new CliError(
    "unreadable-file",
    `${quoted(name)} is ${foreign?.is ?? "no Excel workbook"}, expected .xlsx`,
    {
      hint: foreign?.hint,
    },
  );
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

/** The compression of all files. */
function commonCompression(paths: readonly string[], name: string): DataFiles["compression"] {
  const kinds = new Map(paths.map((path) => [compressionOf(path), path]));
  const [first, ...others] = kinds;
  if (others.length === 0) return first[0];
  const listed = [first, ...others].map(([kind, path]) => `${quoted(path)}: ${kind}`).join(", ");
  throw new CliError("unreadable-file", `${quoted(name)} (${listed}): expected all of them packed alike`);
}

/** The names of a file's views: with the columns that a query sees, and with the raw columns in addition. */
const [DATA, WIDENED] = ["data", "conformant_data"];

/** The result of a user's query, in which the file is called data. Columns that it passes through keep their raw text. */
async function describeQuery(
  connection: DuckDBConnection,
  ask: Ask,
  opened: OpenedFile,
  sql: string,
): Promise<OpenedSource> {
  const scope = scopeOf(opened.columns);
  const typed = await opened.typed();
  const own = scope.map(({ name }, c) => `${typed[c]} AS ${quoteIdentifier(name)}`);
  const raws = scope.map(({ raw }, c) => `${nameOf(opened.columns[c])} AS ${quoteIdentifier(raw)}`);
  await connection.run(`CREATE TEMP VIEW ${DATA} AS SELECT ${own.join(", ")} FROM ${opened.relation}`);
  await connection.run(
    `CREATE TEMP VIEW ${WIDENED} AS SELECT ${[...own, ...raws].join(", ")} FROM ${opened.relation}`,
  );
  const result = await describeRelation(ask, queryRelation(sql), true);
  const passing = await passColumns(ask, sql, DATA, WIDENED, scope);
  if (passing?.columns.length !== result.columns.length) return result;
  const relation = queryRelation(passing.sql);
  // An aggregate mixed with columns of a row is invalid: the query stays as it is.
  const isBound = await describeRelation(ask, relation, true).then(
    () => true,
    () => false,
  );
  if (!isBound) return result;
  const byRaw = new Map(scope.map(({ raw }, c) => [raw, opened.columns[c]]));
  const columns = result.columns.map((column, c) => {
    const { ownName, raw } = passing.columns[c];
    const source = raw === undefined ? undefined : byRaw.get(raw);
    return source ? { ...source, name: ownName, engineName: raw } : column;
  });
  return { ...result, columns: columns as SourceColumn[], relation, mayHaveCommas: opened.mayHaveCommas };
}

function nameOf({ engineName: own, name }: SourceColumn): string {
  return quoteIdentifier(own ?? name);
}

/** The columns of a file in a query: SQL treats names that differ only in case as one, so the second is numbered. */
function scopeOf(columns: readonly SourceColumn[]): (ScopeColumn & { readonly raw: string })[] {
  const taken = new Set<string>();
  const unique = (name: string): string => {
    let free = name;
    for (let n = 1; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`;
    taken.add(free.toLowerCase());
    return free;
  };
  const names = columns.map(({ name }) => unique(name));
  return columns.map(({ name }, c) => ({ name: names[c], ownName: name, raw: unique(`raw_${c}`) }));
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

/** Parquet files: the engine renames columns whose names differ only in case; the file's schema has the original names. */
async function describeParquet(ask: Ask, files: DataFiles, name: string): Promise<OpenedFile> {
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
  const typed = async (): Promise<string[]> => named.map(nameOf);
  return { columns: named, relation, isCopied: false, mayHaveCommas: false, headerLines: 0, typed };
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
