import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadModel, random } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { bin, conformant, csvRows, type Outcome, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Names that the queries might use themselves, in an order that would mix them up. */
const NAMES = ["species", "island", "x1", "x0", "flipper_length", "p0", "sex"];
const COLUMNS = ["--columns", "island,x1,x0,sex", "--train-on", "complete", "--bins", "8"];

/** Options of a fit to the groups. */
const GROUPED = ["--label", "label", "--exclude", "id", "--train-on", "complete", "--bins", "8"];

/** Groups of rows, and components to find. */
const GROUPS = 4;

/** Rows of so many groups as lines of CSV; one cell in twenty is missing. */
function groupedLines(rows: number): string[] {
  const generator = random(5);
  return Array.from({ length: rows }, (_, r) => {
    const group = r % GROUPS;
    const digit = (place: number): number =>
      generator.uniform() < 0.9 ? (group >> place) & 1 : generator.integer(2);
    const cells = [
      `a${digit(0)}`,
      `b${digit(1)}`,
      `c${digit(2)}`,
      (group + generator.normal() / 4).toFixed(2),
    ];
    const label = digit(0) + digit(1) + generator.integer(2) > 1 ? "yes" : "no";
    return [r, ...cells.map((cell) => (generator.uniform() < 0.05 ? "" : cell)), label].join(",");
  });
}

/** All numbers of two models, in pairs. */
function pairs(a: unknown, b: unknown): [number, number][] {
  if (typeof a === "number" && typeof b === "number") return [[a, b]];
  if (a === null || typeof a !== "object") {
    expect(b).toEqual(a);
    return [];
  }
  expect(Object.keys(b as object)).toEqual(Object.keys(a));
  return Object.entries(a).flatMap(([key, value]) => pairs(value, (b as Record<string, unknown>)[key]));
}

function largestDifference(a: unknown, b: unknown): number {
  return Math.max(...pairs(a, b).map(([x, y]) => Math.abs(x - y)));
}

interface ModelFile {
  readonly classifier: {
    readonly intercept: unknown;
    readonly weights: unknown;
    readonly training: {
      readonly objective: number;
      readonly l2: number;
      readonly rows: number;
      readonly rowsWithGaps: number;
    };
  };
  readonly distribution: { readonly components: readonly unknown[]; readonly atoms: unknown };
}

function model(name: string): ModelFile {
  return JSON.parse(place.read(name)) as ModelFile;
}

/** Weights and distribution, without how many steps it took to get there. */
function parameters(name: string): unknown {
  const { classifier, distribution } = model(name);
  return { weights: classifier.weights, intercept: classifier.intercept, distribution };
}

/** Starts the command and does something as soon as `ready`. */
async function meanwhile(
  words: readonly string[],
  ready: () => boolean | Promise<boolean>,
  action: (kill: () => void) => unknown,
): Promise<Outcome> {
  const child = spawn(process.execPath, [bin, ...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  while (child.exitCode === null && !(await ready())) await new Promise((resolve) => setTimeout(resolve, 10));
  await action(() => child.kill("SIGKILL"));
  return { status: await ended, stdout, stderr };
}

describe.skipIf(clickhouseProgram === undefined)("a ClickHouse cluster of two servers", () => {
  let cluster: Cluster;
  let table = "";

  beforeAll(async () => {
    cluster = await startCluster();
    table = `${cluster.address}#birds`;
    const [, ...lines] = place.read("penguins.csv").trimEnd().split("\n");
    place.write("union.csv", [`id,${NAMES.join(",")}`, ...lines.map((line, r) => `${r},${line}`)].join("\n"));
    const cells = lines.map((line, r) => [r, ...line.split(",").map((cell) => cell || "\\N")].join("\t"));
    const columns =
      "id Int32, species String, island Nullable(String), x1 Nullable(Float64), x0 Nullable(Float64), flipper_length Nullable(Int16), p0 Nullable(Float32), sex Nullable(String)";
    const groups = groupedLines(1600);
    place.write("groups.csv", ["id,a,b,c,x,label", ...groups].join("\n"));
    const groupColumns =
      "id Int32, a Nullable(String), b Nullable(String), c Nullable(String), x Nullable(Float64), label String";
    await Promise.all(
      cluster.shards.map(async (shard, s) => {
        await shard.run(`CREATE TABLE group_part (${groupColumns}) ENGINE = MergeTree ORDER BY id`);
        await shard.run("CREATE TABLE groups AS group_part ENGINE = Distributed(both, default, group_part)");
        const own = groups
          .filter((_, r) => r % 2 === s)
          .map((line) => `${line.replaceAll(/,(?=,)/g, ",\\N")}\n`);
        await shard.run("INSERT INTO group_part FORMAT CSV", own.join(""));
        await shard.run(`CREATE TABLE part (${columns}) ENGINE = MergeTree ORDER BY id`);
        await shard.run("CREATE TABLE birds AS part ENGINE = Distributed(both, default, part)");
        await shard.run(
          "INSERT INTO part FORMAT TabSeparated",
          cells
            .filter((_, r) => r % 2 === s)
            .map((line) => `${line}\n`)
            .join(""),
        );
      }),
    );
    succeed(["fit", "union.csv", "--label", "species", ...COLUMNS, "--components", "1", "-o", "file1.json"], {
      cwd,
    });
  }, 60_000);
  afterAll(() => cluster?.stop());

  test("one component: the parameters of the file's model, from a Distributed table and from its parts", () => {
    succeed(["fit", table, "--label", "species", ...COLUMNS, "--components", "1", "-o", "table1.json"], {
      cwd,
    });
    expect(largestDifference(parameters("table1.json"), parameters("file1.json"))).toBeLessThan(1e-9);
    const query = ["--sql", "SELECT * FROM birds WHERE id >= 0", "-o", "query1.json"];
    succeed(["fit", cluster.address, "--label", "species", ...COLUMNS, "--components", "1", ...query], {
      cwd,
    });
    expect(largestDifference(parameters("query1.json"), parameters("file1.json"))).toBeLessThan(1e-9);
  });

  test("a server stopped in the middle of a fit is named, and --resume gives the model of an undisturbed run", async () => {
    const sized = ["--components", String(GROUPS)];
    const words = ["fit", `${cluster.address}#groups`, ...GROUPED, ...sized, "--sample", "600"];
    succeed([...words, "-o", "whole.json"], { cwd });
    expect(existsSync(place.path("whole.json.checkpoint"))).toBe(false);
    const path = place.path("broken.json.checkpoint");
    const { status, stderr } = await meanwhile(
      [...words, "-o", "broken.json"],
      () => existsSync(path) && JSON.parse(readFileSync(path, "utf8")).answers.length > 1,
      () => cluster.shards[1].stop(),
    );
    expect(stderr).toMatch(/error\[connection\]: .*127\.0\.0\.1:\d+/);
    expect(stderr).toContain(`:${cluster.shards[1].tcpPort}`);
    expect(status).toBe(1);
    copyFileSync(path, place.path("copy.checkpoint"));
    await cluster.shards[1].start();
    succeed([...words, "-o", "broken.json", "--resume"], { cwd });
    // The servers add up in any order, so the last bits of two runs may differ.
    expect(largestDifference(parameters("broken.json"), parameters("whole.json"))).toBeLessThan(1e-9);
    const [whole, resumed] = ["whole.json", "broken.json"].map((name) => {
      const { rows, baselineAccuracy, logLoss } = JSON.parse(place.read(name)).metadata.verdict;
      return { rows, baselineAccuracy, logLoss: logLoss.toFixed(2) };
    });
    expect(resumed).toEqual(whole);
    expect(existsSync(path)).toBe(false);
    // The same start on the union of the rows, with DuckDB's sums in place of ClickHouse's.
    const start = JSON.parse(place.read("copy.checkpoint")) as { identity: Record<string, string> };
    const { rows: _, checksum: __, sample: ___, ...identity } = start.identity;
    const ofFile = { ...identity, source: '"groups.csv"', sample: "" };
    writeFileSync(
      place.path("start.checkpoint"),
      JSON.stringify({ ...start, identity: ofFile, answers: [] }),
    );
    const rest = ["--resume", "--checkpoint", "start.checkpoint", "-o", "union.json"];
    succeed(["fit", "groups.csv", ...GROUPED, ...sized, ...rest], { cwd });
    // A component that no row is left to may have been dropped on the way, in both.
    const { components } = model("whole.json").distribution;
    expect(components.length).toBeGreaterThan(GROUPS / 2);
    expect(model("union.json").distribution.components).toHaveLength(components.length);
    expect(largestDifference(parameters("union.json"), parameters("whole.json"))).toBeLessThan(1e-6);
  }, 120_000);

  test("a Gaussian over numbers is fitted to rows that are read in passes, with a word about it", () => {
    const words = ["fit", table, "--label", "species", ...COLUMNS, "--components", "2", "--sample", "120"];
    const { stderr } = succeed([...words, "--numeric", "gaussian", "-o", "numbers.json"], { cwd });
    expect(stderr).toContain("--numeric gaussian reads all 344 rows in passes");
    const { certificate, rows } = loadModel(place.read("numbers.json"));
    expect(certificate.gaussian?.columns).toEqual(["x1", "x0"]);
    expect(rows).toBe(344);
  }, 60_000);

  test("training by sums that the servers compute ends where training on the file does", () => {
    // The penalty of the file: that of the sample is chosen from fewer rows and may be another.
    const penalty = String(model("file1.json").classifier.training.l2);
    const words = ["fit", table, "--label", "species", ...COLUMNS, "--components", "1", "--sample", "120"];
    const { stdout } = succeed([...words, "--l2", penalty, "-o", "outside.json"], { cwd });
    expect(stdout).toMatch(
      /^training +logistic regression on 333 complete rows, l2 [\d.]+; 11 incomplete rows not used$/m,
    );
    const [inside, outside] = ["file1.json", "outside.json"].map((name) => model(name).classifier.training);
    expect(outside).toMatchObject({
      status: "converged",
      rows: inside.rows,
      rowsWithGaps: inside.rowsWithGaps,
    });
    expect(Math.abs(outside.objective / inside.objective - 1)).toBeLessThan(1e-6);
  }, 60_000);

  test("numbers of very many values are cut at the servers' quantiles, into bins of about equal weight", async () => {
    await cluster.shards[0].run(
      "CREATE TABLE fine ENGINE = MergeTree ORDER BY tuple() AS SELECT cityHash64(number) / 18446744073709551616. AS u, if(u > 0.4, 'yes', 'no') AS y FROM numbers(200000)",
    );
    const words = ["fit", `${cluster.address}#fine`, "--label", "y", "--components", "1", "--bins", "10"];
    succeed([...words, "--sample", "1000", "-o", "fine.json"], { cwd });
    const { edges } = (
      JSON.parse(place.read("fine.json")) as { distribution: { atoms: { edges: number[] }[] } }
    ).distribution.atoms[0];
    expect(edges).toHaveLength(9);
    for (const [j, edge] of edges.entries()) expect(Math.abs(edge - (j + 1) / 10)).toBeLessThan(0.03);
  }, 60_000);

  test("keys that are the same number are one atom: 0 and −0, whole numbers beyond 2⁵³", async () => {
    await cluster.shards[0].run(
      "CREATE TABLE same ENGINE = MergeTree ORDER BY tuple() AS SELECT [-1., -0., 0., 1.][number % 4 + 1] AS zero, toUInt64(9007199254740992) + number % 4 AS large, if(number % 3 = 0, 'yes', 'no') AS y FROM numbers(400)",
    );
    succeed(["fit", `${cluster.address}#same`, "--label", "y", "--components", "1", "-o", "same.json"], {
      cwd,
    });
    const { atoms } = model("same.json").distribution as { atoms: { values: number[] }[] };
    expect(atoms[0].values).toEqual([-1, 0, 1]);
    expect(atoms[1].values).toEqual([2 ** 53, 2 ** 53 + 2, 2 ** 53 + 4]);
    succeed(["predict", "same.json", `${cluster.address}#same`, "-o", "same.csv"], { cwd });
  });

  test("predictions of one component and of a mixture are those on the file, streamed and written next to the data", async () => {
    const words = [
      "fit",
      "union.csv",
      "--label",
      "species",
      ...COLUMNS,
      "--components",
      "3",
      "--numeric",
      "atoms",
    ];
    succeed([...words, "-o", "file3.json"], { cwd });
    for (const [m, name] of ["file1.json", "file3.json"].entries()) {
      const truth = new Map(
        csvRows(succeed(["predict", name, "union.csv", "--keep", "id"], { cwd }).stdout).map((row) => [
          row[4],
          row,
        ]),
      );
      const streamed = csvRows(succeed(["predict", name, table, "--keep", "id"], { cwd }).stdout);
      succeed(["predict", name, table, "--keep", "id", "--into", `answers${m}`, "--parts", "3"], { cwd });
      const sql = `SELECT prediction, p_adelie, p_chinstrap, p_gentoo, id FROM answers${m} FORMAT CSV`;
      const written = csvRows(`\n${(await cluster.shards[0].run(sql)).replaceAll('"', "")}`);
      for (const rows of [streamed, written]) {
        expect(new Set(rows.map((row) => row[4])).size).toBe(344);
        expect(rows).toHaveLength(344);
        for (const row of rows) {
          const expected = truth.get(row[4]) as string[];
          expect(row[0]).toBe(expected[0]);
          for (let k = 1; k <= 3; k++)
            expect(Math.abs(Number(row[k]) - Number(expected[k]))).toBeLessThan(1e-9);
        }
      }
    }
  }, 60_000);

  test("evaluate scores a sample that the servers choose by hash", () => {
    const { stderr } = succeed(
      [
        "evaluate",
        "file1.json",
        table,
        "--label",
        "species",
        "--repeats",
        "1",
        "--rows",
        "50",
        "--allow-training-rows",
      ],
      { cwd },
    );
    expect(stderr).toContain("50 rows scored");
  });

  test("what is wrong is said in a line: no table, no server, a value that cannot be, a table that is no sink", async () => {
    expect(conformant(["fit", `${cluster.address}#nothing`, "--label", "y"]).stderr).toMatch(
      /^error\[missing-file\]: .*nothing.*/,
    );
    const away = conformant(["fit", "clickhouse://me:secret@127.0.0.1:1/db#t", "--label", "y"]);
    expect(away.stderr).toMatch(
      /^error\[connection\]: "clickhouse:\/\/me@127\.0\.0\.1:1\/db#t": .*ECONNREFUSED/,
    );
    expect(away.stderr).not.toContain("secret");
    const [shard] = cluster.shards;
    await shard.run("CREATE TABLE words ENGINE = Memory AS SELECT 'oops' AS x1, 'dream' AS island");
    for (const rest of [
      ["-o", "x.csv"],
      ["--into", "never"],
    ]) {
      const words = ["predict", "file1.json", `${cluster.address}#words`, ...rest];
      const { stderr } = conformant([...words, "--strict"], { cwd });
      expect(stderr).toMatch(/error\[invalid-value\]: .*row 1, column "x1".*got "oops"/);
      expect(conformant(words, { cwd }).stderr).toMatch(/note: .*"x1".*"oops"/);
    }
    expect(conformant(["predict", "file1.json", table, "--into", "part"], { cwd }).stderr).toMatch(
      /error\[wrong-table\]: --into "part": the table lacks "prediction"/,
    );
  });
});
