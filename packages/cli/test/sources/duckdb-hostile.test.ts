import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { conformant, csvRows, type Outcome, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const rows = (count: number): string =>
  `SELECT n AS id, ['biscoe', 'dream', 'torgersen'][n % 3 + 1] AS island, 30 + n % 31 AS x, CASE WHEN n % 7 > 2 THEN 'yes' ELSE 'no' END AS y FROM range(${count}) AS r(n)`;
const FIT = ["--label", "y", "--exclude", "id", "--components", "1", "--json", "-o"];
/** The error of a command with --json. */
const errorOf = (stderr: string): { code: string; message: string } => JSON.parse(stderr).error;

beforeAll(async () => {
  await duckdb(
    `ATTACH '${place.path("few.duckdb")}' AS few`,
    "USE few",
    `CREATE TABLE few AS ${rows(300)}`,
    "CREATE VIEW seen AS FROM main.few",
    'CREATE SCHEMA "my.own"',
    'CREATE TABLE "my.own"."ta.b""le" AS FROM main.few',
    "CREATE TABLE narrow (prediction VARCHAR, p_no FLOAT, p_yes DOUBLE, id BIGINT, run VARCHAR)",
  );
  succeed(["fit", "duckdb:few.duckdb#few", ...FIT, "m.json"], { cwd });
});

describe("a DuckDB file", () => {
  const predict = (data: string, ...rest: string[]): Outcome =>
    conformant(["predict", "m.json", data, "--keep", "id", ...rest], { cwd });

  test("has views and names with dots", () => {
    const expected = predict("duckdb:few.duckdb#few").stdout;
    expect(csvRows(expected)).toHaveLength(300);
    for (const table of ["seen", '"my.own"."ta.b""le"'])
      expect(predict(`duckdb:few.duckdb#${table}`).stdout, table).toBe(expected);
    expect(predict("duckdb:few.duckdb#few", "--into", '"my.own"."to.x"').stderr).toMatch(/300 predictions/);
  });

  test("keeps no predictions in a table that would round them", () => {
    expect(predict("duckdb:few.duckdb#few", "--into", "narrow").stderr).toMatch(
      /error\[wrong-table\]: --into "narrow", column "p_no": expected the type DOUBLE, got FLOAT/,
    );
  });

  test("that another process is writing to is an error which says so", async () => {
    const program = `const { DuckDBInstance } = await import(${JSON.stringify(import.meta.resolve("@duckdb/node-api"))}); await DuckDBInstance.create("few.duckdb"); console.log("held"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd });
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    for (const into of [[], ["--into", "scores"]])
      expect(predict("duckdb:few.duckdb#few", ...into).stderr).toMatch(/error\[.*"few.duckdb".* lock/);
    holder.kill("SIGKILL");
    await new Promise((resolve) => holder.once("close", resolve));
  });
});

describe("Parquet files of one table", () => {
  /** Writes two files, of which the second is as given, and fits both. */
  const fitBoth = async (name: string, second: string): Promise<Outcome> => {
    mkdirSync(place.path(name), { recursive: true });
    await duckdb(`COPY (${rows(200)}) TO '${place.path(`${name}/a.parquet`)}'`);
    await duckdb(`COPY (${second}) TO '${place.path(`${name}/b.parquet`)}'`);
    return conformant(["fit", name, ...FIT, "both.json"], { cwd });
  };

  test.each([
    [
      "fractions",
      "SELECT * REPLACE (x + 0.5::DOUBLE AS x)",
      /column "x": DOUBLE in .*b\.parquet"?, whole numbers in/,
    ],
    ["less", "SELECT * EXCLUDE (island)", /column "island": missing in .*b\.parquet/],
    ["more", "SELECT *, 1 AS more", /column "more": whole numbers in .*b\.parquet"?, missing in/],
  ])("that differ are an error: %s", async (name, select, says) => {
    const { status, stderr } = await fitBoth(name, `${select} FROM (${rows(50)})`);
    const { code, message } = errorOf(stderr);
    expect(code).toBe("unreadable-file");
    expect(message).toMatch(says);
    expect(status).toBe(1);
  });

  test("may have their columns in another order and no rows at all", async () => {
    const reordered = await fitBoth("order", `SELECT y, x, island, id FROM (${rows(50)})`);
    expect((JSON.parse(reordered.stdout) as { rows: number }).rows).toBe(250);
    const empty = await fitBoth("empty", `FROM (${rows(0)})`);
    expect((JSON.parse(empty.stdout) as { rows: number }).rows).toBe(200);
  });

  test("that are empty or broken are named", async () => {
    await fitBoth("broken", `FROM (${rows(50)})`);
    for (const text of ["", "PAR1 and nothing else PAR1"]) {
      place.write("broken/b.parquet", text);
      const { stderr } = conformant(["fit", "broken", ...FIT, "both.json"], { cwd });
      expect(errorOf(stderr)).toMatchObject({
        code: "unreadable-file",
        message: expect.stringContaining("b.parquet"),
      });
    }
  });

  test("have what their folders say as columns, with NULL as a gap, where all folders say it", async () => {
    const folder = place.path("hive");
    await duckdb(
      `COPY (SELECT * REPLACE (NULLIF(island, 'dream') AS island) FROM (${rows(300)})) TO '${folder}' (FORMAT parquet, PARTITION_BY (island))`,
    );
    const { stdout } = succeed(["fit", "hive", ...FIT, "hive.json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 300,
      columns: [{ name: "x" }, { name: "island", gaps: 100 }],
    });
    mkdirSync(`${folder}/island=biscoe/deeper=1`);
    await duckdb(`COPY (SELECT id, x, y FROM (${rows(10)})) TO '${folder}/island=biscoe/deeper=1/c.parquet'`);
    const { code, message } = errorOf(conformant(["fit", "hive", ...FIT, "hive.json"], { cwd }).stderr);
    expect(code).toBe("unreadable-file");
    expect(message).toMatch(/"hive": the folders of .*c\.parquet" say island, deeper, those of .* island;/);
    rmSync(folder, { recursive: true });
  });
});
