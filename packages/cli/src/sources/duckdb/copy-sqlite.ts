import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import { quoteLiteral } from "conformant-workbench/sql";
import { CliError, listed, quoted, systemError } from "../../errors.ts";
import { scratchFolder } from "../../output/scratch-folder.ts";
import type { SqliteAddress } from "../address.ts";
import { engineName } from "./engine-files.ts";

/** A statement of node:sqlite; its types are not those of Node.js 20. */
interface Statement {
  readonly columns: () => readonly { readonly name: string }[];
  readonly iterate: () => Iterable<Readonly<Record<string, unknown>>>;
  readonly setReadBigInts: (on: boolean) => void;
}

interface Database {
  readonly prepare: (sql: string) => Statement;
  readonly close: () => void;
}

/** The copy of a table or of the result of a query. */
export interface CopiedTable {
  readonly relation: string;
  readonly names: readonly string[];
}

/** Rows copied between two writes to the engine's file. */
const TOGETHER = 50_000;
/** What a value of SQLite is, from the narrowest to the widest type of a column. */
const KINDS = { null: 0, integer: 1, real: 2, text: 3, blob: 4 } as const;
const TYPES = ["VARCHAR", "BIGINT", "DOUBLE", "VARCHAR", "BLOB"] as const;

/**
 * Copies a table of an SQLite database, or the result of a query in it, into the engine's scratch file, because the engine's own reader
 * would have to be downloaded. Types are those of the values, as SQLite checks no declared ones.
 */
export async function copySqlite(
  connection: DuckDBConnection,
  { path, name, source }: SqliteAddress,
  sql: string | undefined,
): Promise<CopiedTable> {
  const database = await openDatabase(path, name);
  try {
    const query =
      sql === undefined
        ? `SELECT * FROM ${identifier(chooseTable(database, name, source))}`
        : withoutEnd(sql);
    const names = database
      .prepare(query)
      .columns()
      .map((column) => column.name);
    const twice = names.find((own, c) => names.indexOf(own) !== c);
    if (twice !== undefined)
      throw new CliError(
        "source",
        `${quoted(name)}: two columns are called ${quoted(twice)}, expected a different name for each`,
      );
    if (names.length === 0)
      throw new CliError("source", `${quoted(name)}: expected a query that returns rows`);
    const kinds = findKinds(database, query, names.length);
    const relation = "conformant_sqlite.main.copy";
    await connection.run(
      `ATTACH ${quoteLiteral(join(scratchFolder(), `${randomUUID()}.duckdb`))} AS conformant_sqlite`,
    );
    await connection.run(
      `CREATE TABLE ${relation} (${kinds.map((kind, c) => `${engineName(c)} ${TYPES[kind]}`).join(", ")})`,
    );
    const appender = await connection.createAppender("copy", "main", "conformant_sqlite");
    copyRows(appender, database, query, kinds);
    return { relation, names };
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    const { message } = systemError(thrown);
    const isDamaged = /malformed|not a database|disk image/i.test(message);
    throw new CliError(isDamaged ? "unreadable-file" : "source", `${quoted(name)}: ${message}`, {
      cause: thrown,
    });
  } finally {
    database.close();
  }
}

async function openDatabase(path: string, name: string): Promise<Database> {
  // Node.js warns that the module is experimental, which says nothing about the data.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const specifier = "node:sqlite";
    const { DatabaseSync } = (await import(specifier)) as {
      DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => Database;
    };
    return new DatabaseSync(path, { readOnly: true });
  } catch (thrown) {
    const { code, message } = systemError(thrown);
    if (code === "ERR_UNKNOWN_BUILTIN_MODULE")
      throw new CliError(
        "not-available",
        `${quoted(name)} is an SQLite database: reading it requires Node.js 22.13 or newer, this is ${process.version}`,
        {
          hint: "or write the table as CSV: sqlite3 -header -csv FILE 'SELECT * FROM TABLE' > table.csv",
          cause: thrown,
        },
      );
    throw new CliError("unreadable-file", `${quoted(name)} cannot be opened: ${message}`, { cause: thrown });
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The named table or view, or the only one. */
function chooseTable(database: Database, name: string, wanted: string | undefined): string {
  const rows = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .iterate();
  const tables = Array.from(rows, (row) => String(row.name));
  const found =
    tables.find((table) => table === wanted) ??
    tables.find((table) => table.toLowerCase() === wanted?.toLowerCase());
  if (found !== undefined) return found;
  if (wanted !== undefined)
    throw new CliError(
      "source",
      `${quoted(name)} has no table ${quoted(wanted)}, there are ${listed(tables)}`,
    );
  if (tables.length === 1) return tables[0];
  throw new CliError(
    "usage",
    `${quoted(name)} has ${tables.length === 0 ? "no tables" : `the tables ${listed(tables)}`}, expected one`,
    {
      hint: `name the table, as in sqlite:${name}#TABLE, or give --sql "SELECT …"`,
    },
  );
}

/** The widest type of the values of each column: a position among {@link TYPES}. */
function findKinds(database: Database, query: string, width: number): number[] {
  const names = Array.from({ length: width }, (_, c) => engineName(c));
  const cases = Object.entries(KINDS).map(([type, kind]) => `WHEN '${type}' THEN ${kind}`);
  const widest = names.map((own) => `max(CASE typeof(${own}) ${cases.join(" ")} END) AS ${own}`);
  const sql = `WITH result(${names.join(", ")}) AS (${query}\n) SELECT ${widest.join(", ")} FROM result`;
  const [row] = database.prepare(sql).iterate();
  return names.map((own) => Number(row[own] ?? 0));
}

function copyRows(
  appender: DuckDBAppender,
  database: Database,
  query: string,
  kinds: readonly number[],
): void {
  const names = kinds.map((_, c) => engineName(c));
  const statement = database.prepare(`WITH result(${names.join(", ")}) AS (${query}\n) SELECT * FROM result`);
  statement.setReadBigInts(true); // a whole number beyond 2⁵³ is an error otherwise
  let rows = 0;
  for (const row of statement.iterate()) {
    for (const [c, name] of names.entries()) append(appender, kinds[c], row[name]);
    appender.endRow();
    if (++rows % TOGETHER === 0) appender.flushSync();
  }
  appender.closeSync();
}

function append(appender: DuckDBAppender, kind: number, value: unknown): void {
  if (value === null || value === undefined || kind === KINDS.blob) appender.appendNull();
  else if (kind === KINDS.integer) appender.appendBigInt(value as bigint);
  else if (kind === KINDS.real) appender.appendDouble(Number(value));
  else appender.appendVarchar(String(value));
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function withoutEnd(sql: string): string {
  return sql.trim().replace(/;\s*$/, "");
}
