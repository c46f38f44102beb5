import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { random } from "conformant";
import { expect } from "vitest";
import type { Cluster } from "./clickhouse.ts";
import { duckdb } from "./duckdb.ts";
import type { PostgresServer } from "./postgres.ts";
import { bin, csvCells, type Outcome, succeed } from "./run.ts";

/** A source that rows can be changed in, and a target that is read back as id → prediction. */
export interface RunBench {
  readonly name: string;
  /** DATA and --into. */
  readonly data: string;
  readonly into: string;
  readonly inParts: boolean;
  /** Fills the source anew with the given ids; `shift` changes what the rows say. */
  readonly load: (ids: number, shift: number) => Promise<void>;
  /** All rows of a run in the target, or in another one, as id and probability of the first class. */
  readonly written: (run: string, into?: string) => Promise<[string, number][]>;
  /** Where there is a server: ends it at once and starts it again. */
  readonly restart?: () => Promise<void>;
}

/** Keys that a double cannot tell apart. */
const FIRST = "9007199254740992";

/** The rows of the source as SQL of any engine, given how it writes 0 … ids − 1 as `n`. */
function rowsSql(shift: number, numbers: string, key: string): string {
  return `SELECT ${key} AS id, CASE WHEN (n + ${shift}) % 3 = 0 THEN 'biscoe' WHEN (n + ${shift}) % 3 = 1 THEN 'dream' ELSE 'torgersen' END AS island, 30 + (n * 7 + ${shift}) % 31 AS bill_length FROM ${numbers}`;
}

export function clickhouseBench({ shards: [shard], address }: Cluster): RunBench {
  return {
    name: "ClickHouse",
    data: `${address}#visits`,
    into: "scores",
    inParts: true,
    load: async (ids, shift) => {
      await shard.run("DROP TABLE IF EXISTS visits");
      const rows = rowsSql(shift, `(SELECT number AS n FROM numbers(${ids}))`, `toUInt64(${FIRST}) + n`);
      await shard.run(`CREATE TABLE visits ENGINE = MergeTree ORDER BY id AS ${rows}`);
    },
    written: async (run, into = "scores") =>
      pairs(
        await shard.run(
          `SELECT toString(id), p_adelie FROM ${into} WHERE run = '${run}' FORMAT TabSeparated`,
        ),
      ),
    restart: async () => {
      await shard.stop();
      await shard.start();
    },
  };
}

export function postgresBench(server: PostgresServer): RunBench {
  return {
    name: "PostgreSQL",
    data: `${server.url}#visits`,
    into: "scores",
    inParts: false,
    load: async (ids, shift) => {
      const rows = rowsSql(shift, `generate_series(0, ${ids - 1}) AS n`, `${FIRST} + n`);
      server.run(`BEGIN; DROP TABLE IF EXISTS visits; CREATE TABLE visits AS ${rows}; COMMIT`);
    },
    written: async (run, into = "scores") =>
      pairs(server.run(`SELECT id || E'\\t' || p_adelie FROM ${into} WHERE run = '${run}'`)),
    restart: async () => server.restart(),
  };
}

export function duckdbBench(folder: string): RunBench {
  const file = join(folder, "visits.db");
  return {
    name: "DuckDB",
    data: `duckdb:${file}#visits`,
    into: "scores",
    inParts: false,
    load: async (ids, shift) => {
      const rows = rowsSql(shift, `(SELECT range AS n FROM range(${ids}))`, `${FIRST} + n`);
      await duckdb(`ATTACH '${file}' AS f`, `CREATE OR REPLACE TABLE f.visits AS ${rows}`);
    },
    written: async (run, into = "scores") => {
      const sql = `SELECT CAST(id AS VARCHAR), p_adelie FROM f.${into} WHERE run = '${run}'`;
      return (await duckdb(`ATTACH '${file}' AS f (READ_ONLY)`, sql)) as [string, number][];
    },
  };
}

export function parquetBench(folder: string): RunBench {
  const file = join(folder, "visits.parquet");
  const scores = `${join(folder, "scores")}/`;
  return {
    name: "a folder of Parquet files",
    data: file,
    into: scores,
    inParts: false,
    load: async (ids, shift) => {
      rmSync(file, { force: true });
      await duckdb(
        `COPY (${rowsSql(shift, `(SELECT range AS n FROM range(${ids}))`, `${FIRST} + n`)}) TO '${file}'`,
      );
    },
    written: async (run, into = scores) => {
      expect(readdirSync(into).filter((name) => name.endsWith(".partial"))).toEqual([]);
      return (await duckdb(
        `SELECT CAST(id AS VARCHAR), p_adelie FROM read_parquet('${into}run=${run}.parquet')`,
      )) as [string, number][];
    },
  };
}

function pairs(text: string): [string, number][] {
  return text
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"))
    .map(([id, p]) => [id, Number(p)]);
}

/** The last bits of two engines' exponentials may differ. */
const TOLERANCE = 1e-9;

/** Throws unless the target is the source joined with the model's answers, which the plain predict gives. */
export async function expectEachRowOnce(
  bench: RunBench,
  model: string,
  run: string,
  into?: string,
): Promise<void> {
  const { stdout } = succeed(["predict", model, bench.data, "--keep", "id"]);
  const [header, ...rows] = csvCells(stdout);
  const truth = new Map(rows.map((row) => [row[header.indexOf("id")], Number(row[1])]));
  const written = await bench.written(run, into);
  expect(written).toHaveLength(truth.size);
  for (const [id, p] of written) expect(Math.abs(p - (truth.get(id) ?? Number.NaN))).toBeLessThan(TOLERANCE);
  expect(new Set(written.map(([id]) => id)).size).toBe(truth.size);
}

/** Starts a predict into the target, and ends it at once after some time where one is given. */
function job(bench: RunBench, model: string, rest: readonly string[], killAfter?: number): Promise<Outcome> {
  const words = ["predict", model, bench.data, "--keep", "id", "--into", bench.into, "--run", "r", ...rest];
  const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  return new Promise((resolve) =>
    child.once("close", (status) => {
      clearTimeout(timer);
      resolve({ status, stdout: "", stderr });
    }),
  );
}

/** What a job may end with: others had the run, the file or the rows; with a server that crashed also anything that names it. */
const [DISTURBED, CRASHED] = [/lock|another|changed/, /^error\[(?!internal)/m];

/**
 * Rounds of what befalls scheduled jobs: rows that change, jobs that are killed at any moment, other parts, two jobs at once, a
 * server that crashes and is started again. After the last job of each round, which is left in peace, every row must be there once.
 */
export async function disturbRuns(
  bench: RunBench,
  model: string,
  rounds: number,
  seed: number,
): Promise<void> {
  const generator = random(seed);
  const parts = (): string[] => (bench.inParts ? ["--parts", String(1 + generator.integer(5))] : []);
  /** Any moment of a job, as long as the one before took that was left in peace. */
  let usual = 1000;
  const moment = (): number => usual * (0.15 + 0.95 * generator.uniform());
  await bench.load(2000, 0);
  for (let round = 0; round < rounds; round++) {
    if (generator.uniform() < 0.8)
      await bench.load(1000 + 500 * generator.integer(4), generator.integer(100));
    const jobs = Array.from({ length: 1 + generator.integer(2) }, () =>
      job(bench, model, parts(), generator.uniform() < 0.7 ? moment() : undefined),
    );
    const crashes = generator.uniform() < 0.3 && bench.restart !== undefined;
    if (crashes) {
      await new Promise((resolve) => setTimeout(resolve, moment()));
      await bench.restart?.();
    }
    for (const { status, stderr } of await Promise.all(jobs))
      if (status !== null && status !== 0) expect(stderr).toMatch(crashes ? CRASHED : DISTURBED);
    const start = performance.now();
    const last = await job(bench, model, parts());
    usual = performance.now() - start;
    expect(last.status, last.stderr).toBe(0);
    await expectEachRowOnce(bench, model, "r");
  }
}
