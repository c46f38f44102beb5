import { readFileSync } from "node:fs";
import { type Classifier, conform, type Model, predict, type Row, saveModel } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indicatorModel } from "../../../../test/python/indicator-model.ts";
import { dialectOf, tableSql } from "../../../workbench/test/export/support/sql-engines.ts";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { duckdb } from "../support/duckdb.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { csvRows } from "../support/run.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
/** An engine's exp may differ from ours in the last bit. */
const TOLERANCE = 1e-12;

const { model: mixture, rows: known } = indicatorModel(2);
/** Complete rows, rows with missing values, and a city that the model does not know. */
const rows: readonly Row[] = known.map((row, r) => (r % 7 === 0 ? { ...row, city: "Atlantis" } : row));
/** One component, which engines compute, and three, which DuckDB leaves to the library. */
const models = [
  { name: "one component", model: conform(mixture.predictor as Classifier, known) },
  { name: "three components", model: mixture },
].map(({ name, model }) => ({ name, model, file: place.write(`${name}.json`, saveModel(model)) }));

async function run(...words: string[]): Promise<string> {
  const { status, stdout, said } = await runInProcess(words);
  expect(status, said).toBe(0);
  return stdout;
}

/** Checks lines of label, two probabilities and key. */
function expectAnswers(model: Model, lines: readonly (readonly unknown[])[]): void {
  expect(lines).toHaveLength(rows.length);
  for (const line of lines) {
    const own = predict(model, rows[Number(line[3])]);
    expect(Math.abs(Number(line[1]) - own.no)).toBeLessThan(TOLERANCE);
    expect(Math.abs(Number(line[2]) - own.yes)).toBeLessThan(TOLERANCE);
  }
}

test.each(models)(
  "predict answers as the library does with indicators, $name, in DuckDB",
  async ({ name, model, file }) => {
    const [data, output] = [place.path(`${name}.parquet`), place.path(`${name}.csv`)];
    await duckdb(
      ...tableSql(dialectOf("duckdb"), mixture, rows, { number: "DOUBLE", text: "VARCHAR" }),
      `COPY data TO '${data}' (FORMAT parquet)`,
    );
    await run("predict", file, data, "--keep", "id", "-o", output);
    expectAnswers(model, csvRows(readFileSync(output, "utf8")));
  },
);

describe.skipIf(postgresPrograms === undefined)("in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    const table = tableSql(dialectOf("postgres"), mixture, rows, { number: "float8", text: "text" });
    server.run(`${table.join(";\n")};`);
  }, 60_000);
  afterAll(() => server?.stop());

  test.each(models)(
    "predict answers as the library does with indicators, $name",
    async ({ name, model, file }) => {
      expectAnswers(model, csvRows(await run("predict", file, `${server.url}#data`, "--keep", "id")));
      const table = name.replace(" ", "_");
      await run("predict", file, `${server.url}#data`, "--keep", "id", "--into", table);
      const json = server.run(`SELECT json_agg(json_build_array(prediction, p_no, p_yes, id)) FROM ${table}`);
      expectAnswers(model, JSON.parse(json));
    },
  );
});

describe.skipIf(clickhouseProgram === undefined)("in ClickHouse", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(1);
    const types = { number: "Nullable(Float64)", text: "Nullable(String)", ending: " ENGINE = Memory" };
    for (const statement of tableSql(dialectOf("clickhouse"), mixture, rows, types))
      await cluster.shards[0].run(statement);
  }, 60_000);
  afterAll(() => cluster?.stop());

  test.each(models)("predict answers as the library does with indicators, $name", async ({ model, file }) => {
    expectAnswers(model, csvRows(await run("predict", file, `${cluster.address}#data`, "--keep", "id")));
  });
});
