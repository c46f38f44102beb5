import type { AnyModel, Row } from "conformant";
import { type Cluster, clickhouseProgram, startCluster } from "../../../../cli/test/support/clickhouse.ts";
import { duckdb } from "../../../../cli/test/support/duckdb.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../../../../cli/test/support/postgres.ts";
import { exportSql } from "../../../src/export/export-sql.ts";
import { isIndicatorColumn } from "../../../src/source/positions.ts";
import type { Dialect } from "../../../src/sql/dialects/dialect.ts";
import { sqlDialects } from "../../../src/sql/dialects/sql-dialects.ts";
import { hasSqlite, sqlite } from "./sqlite.ts";

/** How an engine calls the types of a table, and what comes after its columns. */
interface TableTypes {
  readonly number: string;
  readonly text: string;
  readonly ending?: string;
}

/** A dialect by its name. */
export function dialectOf(name: string): Dialect {
  const dialect = sqlDialects.get(name);
  if (!dialect) throw new RangeError(`${name} is not a supported dialect`);
  return dialect;
}

/** Rows of a model's columns as a table "data" with a key, in two statements. */
export function tableSql(
  dialect: Dialect,
  { schema }: Pick<AnyModel, "schema">,
  rows: readonly Row[],
  { number, text, ending = "" }: TableTypes,
): [string, string] {
  const supplied = schema.columns.filter((column) => !isIndicatorColumn(column));
  const columns = supplied.map(
    ({ name, kind }) => `${dialect.identifier(name)} ${kind === "categorical" ? text : number}`,
  );
  const cell = (row: Row, name: string): string => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined) return "NULL";
    return typeof value === "number" ? String(value) : dialect.literal(String(value));
  };
  const values = rows.map(
    (row, id) => `(${[id, ...supplied.map(({ name }) => cell(row, name))].join(", ")})`,
  );
  return [
    `CREATE TABLE data (id ${dialect.name === "clickhouse" ? "Int32" : "integer"}, ${columns.join(", ")})${ending}`,
    `INSERT INTO data VALUES ${values.join(",\n")}`,
  ];
}

/** The predictions of the rows of the table, by its key: label, probabilities, key. */
export function predictionsSql(model: AnyModel, dialect: string): string {
  const scored = exportSql(model, { dialect: dialectOf(dialect), table: "data", keep: ["id"] });
  return `SELECT * FROM (${scored}) AS scored ORDER BY ${dialectOf(dialect).identifier("id")}`;
}

/** An engine that answers the rows of a model with its exported SQL: label first, then the probabilities. */
export interface SqlEngine {
  readonly answer: (model: AnyModel, rows: readonly Row[]) => Promise<unknown[][]>;
  readonly stop: () => Promise<void> | void;
}

/** DuckDB in this process, in its own dialect or the standard's. */
function duckdbEngine(dialect: "duckdb" | "ansi"): SqlEngine {
  const types = { number: "DOUBLE", text: "VARCHAR" };
  return {
    answer: (model, rows) =>
      duckdb(...tableSql(dialectOf("duckdb"), model, rows, types), predictionsSql(model, dialect)),
    stop: () => undefined,
  };
}

function sqliteEngine(): SqlEngine {
  return {
    answer: async (model, rows) => {
      const table = tableSql(dialectOf("sqlite"), model, rows, { number: "REAL", text: "TEXT" });
      return sqlite(`${[...table, predictionsSql(model, "sqlite")].join(";\n")};`);
    },
    stop: () => undefined,
  };
}

async function postgresEngine(): Promise<SqlEngine> {
  const server: PostgresServer = await startPostgres();
  return {
    answer: async (model, rows) => {
      const table = tableSql(dialectOf("postgres"), model, rows, { number: "float8", text: "text" });
      server.run(`DROP TABLE IF EXISTS data;\n${table.join(";\n")};`);
      const json = server.run(`SELECT json_agg(r) FROM (${predictionsSql(model, "postgres")}) AS r;`);
      return (JSON.parse(json) as object[]).map((row) => Object.values(row));
    },
    stop: server.stop,
  };
}

async function clickhouseEngine(): Promise<SqlEngine> {
  const cluster: Cluster = await startCluster(1);
  const [{ run }] = cluster.shards;
  const types = { number: "Nullable(Float64)", text: "Nullable(String)", ending: " ENGINE = Memory" };
  return {
    answer: async (model, rows) => {
      await run("DROP TABLE IF EXISTS data");
      for (const statement of tableSql(dialectOf("clickhouse"), model, rows, types)) await run(statement);
      const json = await run(`${predictionsSql(model, "clickhouse")} FORMAT JSONCompact`);
      return (JSON.parse(json) as { data: unknown[][] }).data;
    },
    stop: cluster.stop,
  };
}

/** Every engine, and whether it is installed. */
export const sqlEngines: readonly {
  readonly name: string;
  readonly available: boolean;
  readonly open: () => Promise<SqlEngine>;
}[] = [
  { name: "DuckDB", available: true, open: async () => duckdbEngine("duckdb") },
  { name: "DuckDB, in the standard's dialect", available: true, open: async () => duckdbEngine("ansi") },
  { name: "SQLite", available: hasSqlite, open: async () => sqliteEngine() },
  { name: "PostgreSQL", available: postgresPrograms !== undefined, open: postgresEngine },
  { name: "ClickHouse", available: clickhouseProgram !== undefined, open: clickhouseEngine },
];
