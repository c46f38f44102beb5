import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { bin, conformant, csvRows, succeed } from "../support/run.ts";
import { examples, Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
/** The server's exp may differ from ours in the last bit. */
const TOLERANCE = 1e-12;
/** A mixture whose rows with gaps are trained on, without the time of its choice. */
const TWO = ["--components", "2", "--numeric", "gaussian"];

describe.skipIf(postgresPrograms === undefined)("a PostgreSQL server (Debian's postgresql)", () => {
  let server: PostgresServer;
  let table = "";

  beforeAll(async () => {
    writePenguins(place, "file.json", ...TWO);
    server = await startPostgres();
    table = `${server.url}#birds`;
    server.run(`CREATE TABLE birds (species text, island text, bill_length numeric, bill_depth float8, flipper_length int, body_mass int, sex text, seen date, tame boolean);
\\copy birds (species, island, bill_length, bill_depth, flipper_length, body_mass, sex) FROM '${place.path("penguins.csv")}' WITH (FORMAT csv, HEADER true)
UPDATE birds SET tame = body_mass > 4000, seen = '2024-01-01';
CREATE TABLE texts AS SELECT island, bill_length::text, sex FROM birds;
UPDATE texts SET bill_length = 'oops' WHERE bill_length = '40.3';`);
  }, 60_000);
  afterAll(() => server?.stop());

  test("fit and predict give what they give on the file", () => {
    const { stderr } = succeed(
      ["fit", table, "--label", "species", "--exclude", "tame", ...TWO, "-o", "table.json"],
      { cwd },
    );
    expect(stderr).toContain('column "seen" is left out: it is 2024-01-01 in every row that has it');
    expect(JSON.parse(place.read("table.json"))).toMatchObject({
      distribution: JSON.parse(place.read("file.json")).distribution,
    });
    const sorted = (text: string): string[][] => csvRows(text).sort((a, b) => (a.join() < b.join() ? -1 : 1));
    const fromFile = sorted(
      succeed(["predict", "file.json", "penguins.csv", "--keep", "body_mass,bill_length"], { cwd }).stdout,
    );
    const query = ["--sql", "SELECT * FROM birds", "--keep", "body_mass,bill_length"];
    const fromTable = sorted(succeed(["predict", "table.json", server.url, ...query], { cwd }).stdout);
    expect(fromTable).toHaveLength(344);
    fromTable.forEach((row, r) => {
      for (let k = 1; k <= 3; k++)
        expect(Math.abs(Number(row[k]) - Number(fromFile[r][k]))).toBeLessThan(TOLERANCE);
    });
  });

  test("explain, and predict with added columns, give what they give on the file", () => {
    const query = [
      "--sql",
      "SELECT * FROM birds WHERE sex IS NULL AND body_mass > 3000 ORDER BY body_mass, bill_length",
    ];
    const inFile = ["--sql", query[1].replace("birds", "data")];
    for (const words of [
      ["explain", "file.json", "--json"],
      ["predict", "file.json", "--explain", "--surprise", "--keep", "body_mass"],
    ]) {
      const fromTable = succeed([...words, server.url, ...query], { cwd }).stdout;
      expect(fromTable).toBe(succeed([...words, "penguins.csv", ...inFile], { cwd }).stdout);
      expect(fromTable.trimEnd().split("\n").length).toBeGreaterThan(5);
    }
  });

  test("rows that do not fit stay on the server: training and the mixture are sums that it computes", () => {
    const words = ["--label", "species", "--train-on", "complete", "--columns", "island,bill_length,sex"];
    succeed(["fit", "penguins.csv", ...words, "--components", "1", "-o", "inside.json"], { cwd });
    const { stdout } = succeed(
      ["fit", table, ...words, "--components", "2", "--sample", "200", "-o", "outside.json"],
      {
        cwd,
      },
    );
    expect(stdout).toContain("2 components");
    const [inside, outside] = ["inside.json", "outside.json"].map(
      (name) =>
        (JSON.parse(place.read(name)) as { classifier: { training: { objective: number } } }).classifier
          .training,
    );
    expect(outside).toMatchObject({ status: "converged" });
    expect(Math.abs(outside.objective / inside.objective - 1)).toBeLessThan(1e-6);
  });

  test("truth values are categories, and evaluate and Parquet output work", () => {
    const words = ["--label", "species", "--columns", "tame,body_mass", "--components", "1"];
    succeed(["fit", table, ...words, "-o", "tame.json"], { cwd });
    expect(JSON.parse(place.read("tame.json"))).toMatchObject({
      schema: { columns: [{ kind: "categorical", values: ["false", "true"] }, { kind: "numeric" }] },
    });
    succeed(
      ["evaluate", "tame.json", table, "--label", "species", "--repeats", "1", "--allow-training-rows"],
      { cwd },
    );
    succeed(["predict", "tame.json", table, "-o", "tame.parquet"], { cwd });
  });

  test("with --strict a text in a numeric column is an error with row and column", () => {
    const words = ["predict", "file.json", `${server.url}#texts`, "-o", "x.csv", "--strict"];
    const { status, stderr } = conformant(words, { cwd });
    expect(stderr).toMatch(/error\[invalid-value\]: .*row \d+, column "bill_length".*got "oops"/);
    expect(status).toBe(1);
  });

  test("no such table, no such server: one line, and never the password", () => {
    expect(conformant(["fit", `${server.url}#nothing`, "--label", "y"]).stderr).toMatch(
      /^error\[missing-file\]: .*"nothing" does not exist/,
    );
    const { status, stderr } = conformant(["fit", "postgres://me:secret@127.0.0.1:1/db#t", "--label", "y"]);
    expect(stderr).toMatch(/^error\[connection\]: "postgres:\/\/me@127\.0\.0\.1:1\/db#t": .*ECONNREFUSED/);
    expect(stderr).not.toContain("secret");
    expect(status).toBe(1);
  });

  test("the walk through a PostgreSQL table prints what is shown beside it", async () => {
    const tools = place.path("conformant");
    writeFileSync(tools, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(tools, 0o755);
    const env = {
      PATH: `${dirname(tools)}:${process.env.PATH}`,
      HOME: process.env.HOME ?? "",
      DATABASE_URL: server.url,
    };
    const { stdout, stderr, status } = spawnSync("bash", [join(examples, "postgres-table.sh")], {
      cwd,
      env,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    await expect(stdout).toMatchFileSnapshot(join(examples, "postgres-table.txt"));
  });
});
