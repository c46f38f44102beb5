import { spawnSync } from "node:child_process";
import { startPostgres } from "../../packages/cli/test/support/postgres.ts";
import type { BenchSource } from "./bench-source.ts";

/** A table of a PostgreSQL server, filled from a file of CSV. */
export async function postgresSource(file: string): Promise<BenchSource> {
  const server = await startPostgres();
  const run = async (sql: string): Promise<void> => void server.run(sql);
  server.run(
    "CREATE TABLE visits (id bigint, age integer, visits integer, spend float8, member integer, plan text, region text, product text, churned text)",
  );
  copy(server.url, `\\copy visits FROM '${file}' CSV HEADER`);
  server.run("CREATE TABLE few AS SELECT * FROM visits LIMIT 100");
  server.run("VACUUM ANALYZE visits");
  return {
    name: "PostgreSQL",
    data: `${server.url}#visits`,
    few: `${server.url}#few`,
    into: "scores",
    ownResult: "own_scores",
    dialect: "postgres",
    table: "visits",
    count: (columns) => {
      const sets = columns.map((name) => `(${name})`).join(", ");
      return run(
        `CREATE TEMP TABLE counts AS SELECT ${columns.join(", ")}, count(*) AS n FROM visits GROUP BY GROUPING SETS (${sets})`,
      );
    },
    // As --into does: into a table that is there. (CREATE TABLE AS would be computed in parallel, INSERT is not.)
    keep: (query) =>
      run(
        `CREATE TABLE own_scores AS ${query} WITH NO DATA; ALTER TABLE own_scores ADD run text; INSERT INTO own_scores SELECT *, 'run' FROM (${query}) AS answers`,
      ),
    toCsv: async (query, target) =>
      copy(server.url, `\\copy (${query.replaceAll("\n", " ")}) TO '${target}' CSV HEADER`),
    clear: () =>
      run(
        "DROP TABLE IF EXISTS own_scores; DROP TABLE IF EXISTS scores; DROP TABLE IF EXISTS scores_runs; CHECKPOINT",
      ),
    stop: async () => server.stop(),
  };
}

function copy(url: string, command: string): void {
  const { status, stderr } = spawnSync("psql", ["-q", url], { input: `${command}\n`, encoding: "utf8" });
  if (status !== 0 || stderr !== "") throw new Error(`psql ended with ${status}: ${stderr}`);
}
