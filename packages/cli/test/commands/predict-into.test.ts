import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  conformMixture,
  loadRegressionModel,
  predict,
  random,
  saveModel,
  trainRegressor,
  trainTreeRegressor,
} from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { duckdb } from "../support/duckdb.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { conformant, csvCells, succeed } from "../support/run.ts";
import {
  clickhouseBench,
  disturbRuns,
  duckdbBench,
  expectEachRowOnce,
  noticeUpdates,
  parquetBench,
  postgresBench,
  type RunBench,
  visitRows,
} from "../support/runs.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const [model, gaussian, trees] = ["model.json", "gaussian.json", "trees.json"].map((name) =>
  place.path(name),
);
/** Models of a number: one that SQL scores, one with a Gaussian, and one of trees. */
const numbers = ["sums.json", "correlated.json", "forest.json"];
/** Rounds of disturbances per target; the slow test has two hundred in all. */
const ROUNDS = 2;
/** Updates between two runs per target; the slow test has fifty. */
const UPDATES = 4;

beforeAll(() => {
  const words = ["--label", "species", "--columns", "island,bill_length", "--components", "1"];
  for (const [file, ...rest] of [
    [model, "--numeric", "atoms"],
    [gaussian, "--numeric", "gaussian"],
    [trees, "--model", "trees"],
  ])
    succeed(["fit", place.path("penguins.csv"), ...words, ...rest, "-o", file]);
  const g = random(1);
  const rows = Array.from({ length: 200 }, () => {
    const [island, length] = [["biscoe", "dream", "torgersen"][g.integer(3)], 45 + 8 * g.normal()];
    const sex = g.uniform() < 0.5 + (length - 45) / 40 ? "male" : "female";
    return { island, bill_length: length, sex, mass: 3000 + 20 * length + (sex === "male" ? 700 : 0) };
  });
  const linear = trainRegressor(rows, { label: "mass" });
  const trained = [linear, linear, trainTreeRegressor(rows, { label: "mass", maxIterations: 5 })];
  for (const [n, file] of numbers.entries()) {
    const numeric = file === "correlated.json" ? "gaussian" : "atoms";
    place.write(file, saveModel(conformMixture(trained[n], rows, { components: 2, numeric })));
  }
});

function expectNumbers(
  written: readonly (readonly [string, number])[],
  truth: readonly (readonly [string, number])[],
): void {
  const own = new Map(written);
  expect(own.size).toBe(truth.length);
  for (const [id, number] of truth)
    expect(Math.abs((own.get(id) ?? Number.NaN) / number - 1)).toBeLessThan(1e-12);
}

/** What every target promises. */
function promises(bench: () => RunBench): void {
  const into = (...rest: string[]): ReturnType<typeof conformant> =>
    conformant(["predict", model, bench().data, "--keep", "id", "--into", bench().into, ...rest]);

  test("the same again writes nothing, rows that have changed are scored anew, another query is another run", async () => {
    await bench().load(1000, 0);
    expect(into("--run", "a").stderr).toMatch(/1,000 predictions written into .* by run a\n/);
    expect(into("--run", "a").stderr).toMatch(/by run a, before/);
    await expectEachRowOnce(bench(), model, "a");
    await bench().load(1000, 5); // as many rows, other values
    expect(into("--run", "a").stderr).toMatch(/its 1,000 predictions are replaced/);
    await expectEachRowOnce(bench(), model, "a");
    const refused = into("--run", "a", "--where", "bill_length > 40");
    expect(refused.stderr).toMatch(/error\[usage\]: run "a" of .* differs in "query" from this one/);
    expect(refused.status).toBe(2);
    await expectEachRowOnce(bench(), model, "a");
    const [all, some] = [into(), into("--where", "bill_length > 40")].map(
      ({ stderr }) => /([\d,]+) predictions .* run (\w+)/.exec(stderr)?.slice(1) ?? [],
    );
    expect(all[0]).toBe("1,000");
    expect(all[1]).not.toBe(some[1]);
    expect(await bench().written(some[1])).toHaveLength(Number(some[0]));
    expect(into("--run", "a", "--replace", "--where", "bill_length > 40").status).toBe(0);
    expect(await bench().written("a")).toHaveLength(Number(some[0]));
  }, 60_000);

  test("rows that have been deleted lose their predictions, also when all are, and no row is no error", async () => {
    for (const [file, run] of [
      [model, "z"],
      [trees, "zt"],
    ]) {
      const table = file === model ? bench().into : bench().into.replace(/scores/, "of_trees");
      const words = ["predict", file, bench().data, "--keep", "id", "--into", table, "--run", run];
      await bench().load(100, 0);
      succeed(words);
      await bench().load(60, 0);
      expect(succeed(words).stderr).toMatch(/its 100 predictions are replaced\n60 predictions written/);
      await expectEachRowOnce(bench(), file, run, table);
      await bench().load(0, 0);
      expect(succeed(words).stderr).toMatch(/its 60 predictions are replaced\n0 predictions written/);
      expect(await bench().written(run, table)).toEqual([]);
      expect(succeed(words).stderr).toMatch(/^0 predictions written into .*, before\n$/);
      await bench().load(10, 0);
      expect(succeed(words).stderr).toMatch(/^10 predictions written/);
      await expectEachRowOnce(bench(), file, run, table);
    }
    expect(into("--run", "none", "--where", "bill_length > 1000")).toMatchObject({ status: 0 });
    expect(into("--run", "none", "--where", "bill_length > 1000").stderr).toMatch(/^0 predictions .*before/);
    const [csv, parquet] = ["none.csv", "none.parquet"].map((name) => place.path(name));
    const words = ["predict", model, bench().data, "--keep", "id", "--since", "bill_length=1000"];
    expect(succeed(words).stdout).toBe("prediction,p_adelie,p_chinstrap,p_gentoo,id\n");
    expect(succeed([...words, "-o", csv]).stderr).toBe(`0 predictions written to ${csv}\n`);
    expect(place.read("none.csv")).toBe("prediction,p_adelie,p_chinstrap,p_gentoo,id\n");
    succeed([...words, "-o", parquet]);
    expect(await duckdb(`SELECT count(*) FROM '${parquet}'`)).toEqual([["0"]]);
    expect(await duckdb(`SELECT column_name FROM (DESCRIBE FROM '${parquet}')`)).toHaveLength(5);
  }, 120_000);

  test("values that rows exchange, rows that are deleted and rows that are doubled are noticed", async () => {
    await noticeUpdates(bench(), model, UPDATES, 1);
  }, 120_000);

  test("trees are asked here, and their answers are written like all else", async () => {
    await bench().load(300, 1);
    const into = bench().into.replace(/scores/, "of_trees");
    const words = ["predict", trees, bench().data, "--keep", "id", "--into", into, "--run", "t"];
    expect(succeed(words).stderr).toMatch(/300 predictions written into .* by run t\n/);
    expect(succeed(words).stderr).toMatch(/by run t, before/);
    await expectEachRowOnce(bench(), trees, "t", into);
  }, 60_000);

  test("numbers are written as the library predicts them, by SQL or row by row", async () => {
    const shift = 4;
    await bench().load(200, shift);
    for (const file of numbers) {
      const own = loadRegressionModel(place.read(file));
      const truth = visitRows(200, shift).map(([id, island, bill_length]): [string, number] => [
        id,
        predict(own, { island, bill_length }),
      ]);
      const table = bench().into.replace(/scores/, file.replace(".json", ""));
      const words = [
        "predict",
        place.path(file),
        bench().data,
        "--keep",
        "id",
        "--into",
        table,
        "--run",
        "n",
      ];
      expect(succeed(words).stderr).toMatch(/200 predictions written into .* by run n\n/);
      expect(succeed(words).stderr).toMatch(/by run n, before/);
      expectNumbers(await bench().written("n", table, "prediction"), truth);
      if (file !== numbers[0]) continue;
      const [parquet, plain] = [place.path("numbers.parquet"), ["predict", place.path(file), bench().data]];
      const [, ...lines] = csvCells(succeed([...plain, "--keep", "id"]).stdout);
      expectNumbers(
        lines.map(([number, id]) => [id, Number(number)]),
        truth,
      );
      succeed([...plain, "--keep", "id", "-o", parquet]);
      const rows = await duckdb(`SELECT CAST(id AS VARCHAR), prediction FROM '${parquet}'`);
      expectNumbers(rows as [string, number][], truth);
    }
  }, 60_000);

  test("each row is there once, whatever befalls the jobs", async () => {
    await disturbRuns(bench(), model, ROUNDS, 1);
  }, 120_000);
}

/** Questions that are asked of one row at a time. */
const QUESTIONS = ["--interval", "--explain", "--surprise"];

/** What no query computes is computed here and sent back. */
function answersQuestions(bench: () => RunBench, read: (sql: string) => Promise<string> | string): void {
  test("models without an expression, and questions, are computed here and written like all else", async () => {
    const { data, into } = bench();
    await bench().load(200, 3);
    const words = ["predict", gaussian, data, "--keep", "id", ...QUESTIONS];
    const { stdout } = succeed(words);
    succeed([...words, "--into", `${into}_asked`, "--run", "asked"]);
    const [header, ...rows] = csvCells(stdout);
    for (const name of ["prediction", "p_adelie", "interval_low", "typicality", "explanation", "id"]) {
      const own = rows.map((row) => row[header.indexOf(name)]);
      const written = (await read(`SELECT ${name} FROM ${into}_asked WHERE run = 'asked'`))
        .trimEnd()
        .split("\n");
      // Engines write 1e-7 in several ways, and ClickHouse 18.16 reads the last digit of a double as it likes.
      const spelled = (text: string): string =>
        /^(p_|int|typ)/.test(name) ? Number(text).toPrecision(14) : text;
      expect(written.map(spelled).sort()).toEqual(own.map(spelled).sort());
    }
  }, 60_000);
}

describe("predict --into a folder of Parquet files", () => {
  promises(() => parquetBench(place.folder));

  test("what a killed job has left of its file is taken away by the next, and nothing else", () => {
    const { data } = parquetBench(place.folder);
    const into = place.path("left/");
    mkdirSync(into);
    const others = ["run=s.parquet.123.partial", "run=r.parquet.old.partial"];
    for (const name of [...others, "run=r.parquet.123.partial"]) writeFileSync(join(into, name), "half");
    succeed(["predict", model, data, "--keep", "id", "--into", into, "--run", "r"]);
    expect(readdirSync(into).sort()).toEqual([...others, "run=r.parquet"].sort());
  });

  test("has the added columns too, and keys of 64 bits as they are", async () => {
    const { data } = parquetBench(place.folder);
    const into = place.path("asked/");
    succeed([
      "predict",
      model,
      data,
      "--keep",
      "id",
      "--where",
      "bill_length = 31",
      "--into",
      into,
      ...QUESTIONS,
    ]);
    const types = await duckdb(`SELECT column_name, column_type FROM (DESCRIBE FROM '${into}*.parquet')`);
    expect(Object.fromEntries(types)).toMatchObject({
      interval_low: "DOUBLE",
      explanation: "VARCHAR",
      id: "BIGINT",
    });
  });
});

describe("predict --into a DuckDB file", () => {
  promises(() => duckdbBench(place.folder));
});

describe.skipIf(postgresPrograms === undefined)("predict --into PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop());
  promises(() => postgresBench(server));
  answersQuestions(
    () => postgresBench(server),
    (sql) => server.run(sql),
  );
});

describe.skipIf(clickhouseProgram === undefined)("predict --into ClickHouse", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(1);
  }, 60_000);
  afterAll(() => cluster?.stop());
  promises(() => clickhouseBench(cluster));
  answersQuestions(
    () => clickhouseBench(cluster),
    (sql) => cluster.shards[0].run(sql),
  );

  test("a run that was begun keeps its parts, and one that is done is not cut anew", async () => {
    const [shard] = cluster.shards;
    await clickhouseBench(cluster).load(4000, 0);
    const words = ["predict", model, `${cluster.address}#visits`, "--keep", "id", "--into", "cut"];
    succeed([...words, "--parts", "4"]);
    expect(succeed([...words, "--parts", "2"]).stderr).toMatch(/before/);
    expect(await shard.run("SELECT count(), uniqExact(id) FROM cut")).toBe("4000\t4000\n");
    expect(await shard.run("SELECT count() FROM system.tables WHERE name LIKE 'cut%'")).toBe("2\n");
  });
});
