import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { duckdb } from "../support/duckdb.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { csvCells, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const [ROWS, COLUMNS, MOST_OF_POSTGRES] = [100, 2000, 1600];
const PATIENCE_MS = 600_000;

const names = Array.from({ length: COLUMNS }, (_, j) => `t${j}`);
const rows = Array.from({ length: ROWS }, (_, i) => [
  ...names.map((_, j) => `w${(i * (1 + (j % 4)) + j) % 5}`),
  i % 3 === 0 ? "no" : "yes",
]);
const csv = (width: number): string =>
  [[...names, "y"], ...rows].map((row) => `${[...row.slice(0, width), row[COLUMNS]].join(",")}\n`).join("");

/** Fits and predicts with the default memory; every row has an answer. */
function fitAndPredict(data: string, columns: number): void {
  const report = JSON.parse(
    succeed(["fit", data, "--label", "y", "--components", "1", "-o", "m.json", "--json"], { cwd }).stdout,
  ) as { columns: unknown[] };
  expect(report.columns).toHaveLength(columns);
  expect(csvCells(succeed(["predict", "m.json", data], { cwd }).stdout)).toHaveLength(ROWS + 1);
}

describe("two thousand columns of texts and a hundred rows are fitted and predicted from", () => {
  beforeAll(async () => {
    place.write("w.csv", csv(COLUMNS));
    const objects = rows.map((row) => Object.fromEntries([...names, "y"].map((name, j) => [name, row[j]])));
    place.write("w.jsonl", objects.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const read = `read_csv('${place.path("w.csv")}', all_varchar = true)`;
    await duckdb(`COPY (FROM ${read}) TO '${place.path("w.parquet")}'`);
    await duckdb(`ATTACH '${place.path("w.duckdb")}' AS f`, `CREATE TABLE f.w AS FROM ${read}`);
  });

  test.each(["w.csv", "w.jsonl", "w.parquet", "duckdb:w.duckdb#w"])(
    "%s",
    (data) => {
      fitAndPredict(data, COLUMNS);
    },
    PATIENCE_MS,
  );
});

describe.skipIf(clickhouseProgram === undefined)("the same from ClickHouse", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(1);
    const [{ run }] = cluster.shards;
    // A MergeTree needs a megabyte a column to be written to, more than the server of the tests may take.
    await run(
      `CREATE TABLE w (${[...names, "y"].map((name) => `${name} String`).join(", ")}) ENGINE = Memory`,
    );
    await run("INSERT INTO w FORMAT CSVWithNames", csv(COLUMNS));
  }, PATIENCE_MS);
  afterAll(() => cluster?.stop());
  test("a table", () => fitAndPredict(`${cluster.address}#w`, COLUMNS), PATIENCE_MS);
});

describe.skipIf(postgresPrograms === undefined)("the same from PostgreSQL, which has 1,600 at most", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    const width = MOST_OF_POSTGRES - 1;
    const columns = [...names.slice(0, width), "y"].map((name) => `${name} text`).join(", ");
    server.run(`CREATE TABLE w (${columns}); COPY w FROM STDIN CSV HEADER;\n${csv(width)}\\.\n`);
  }, PATIENCE_MS);
  afterAll(() => server?.stop());
  test("a table", () => fitAndPredict(`${server.url}#w`, MOST_OF_POSTGRES - 1), PATIENCE_MS);
});
