import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";
import type { BenchSource } from "./bench-source.ts";

/** Runs a statement in an engine of its own, with the memory that the command's has on a small machine. */
export async function runDuckdb(sql: string, file = ":memory:"): Promise<void> {
  const instance = await DuckDBInstance.create(file, { memory_limit: "640MB", temp_directory: tmpdir() });
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

/** One GROUP BY per column in a single pass, the fastest way that DuckDB has for it, with the results kept. */
function countSql(relation: string, columns: readonly string[]): string {
  const sets = columns.map((name) => `(${name})`).join(", ");
  return `CREATE TEMP TABLE counts AS SELECT ${columns.join(", ")}, count(*) FROM ${relation} GROUP BY GROUPING SETS (${sets})`;
}

/** A table of a DuckDB file. */
export function duckdbSource(file: string): BenchSource {
  return {
    name: "DuckDB",
    data: `duckdb:${file}#visits`,
    few: `duckdb:${file}#few`,
    into: "scores",
    ownResult: "own_scores",
    dialect: "duckdb",
    table: "visits",
    count: (columns) => runDuckdb(countSql("visits", columns), file),
    keep: (query) => runDuckdb(`CREATE TABLE own_scores AS ${query}`, file),
    toCsv: (query, target) => runDuckdb(`COPY (${query}) TO '${target}' (HEADER)`, file),
    clear: () =>
      runDuckdb(
        "DROP TABLE IF EXISTS own_scores; DROP TABLE IF EXISTS scores; DROP TABLE IF EXISTS scores_runs",
        file,
      ),
    stop: async () => undefined,
  };
}

/** A file of CSV or Parquet; results go to a folder of Parquet files. */
export function fileSource(name: string, file: string, folder: string): BenchSource {
  const own = `${folder}.parquet`;
  const inEngine = (query: string): string => `CREATE TEMP VIEW visits AS FROM '${file}'; ${query}`;
  return {
    name,
    data: file,
    few: file.replace("visits", "few"),
    into: `${folder}/`,
    ownResult: own,
    dialect: "duckdb",
    table: "visits",
    count: (columns) => runDuckdb(countSql(`'${file}'`, columns)),
    keep: (query) => runDuckdb(inEngine(`COPY (${query}) TO '${own}'`)),
    toCsv: (query, target) => runDuckdb(inEngine(`COPY (${query}) TO '${target}' (HEADER)`)),
    clear: async () => {
      for (const path of [own, folder]) if (existsSync(path)) rmSync(path, { recursive: true });
    },
    stop: async () => undefined,
  };
}
