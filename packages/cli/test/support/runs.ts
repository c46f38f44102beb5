import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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
  /** Fills the source anew with the given rows. */
  readonly put: (rows: readonly VisitRow[]) => Promise<void>;
  /** What is beside the source and the target: tables, files, folders, leases. */
  readonly leftovers: () => Promise<string[]>;
  /** All rows of a run in the target, or in another one, as id and a column: the probability of the first class, or the given one. */
  readonly written: (run: string, into?: string, column?: string) => Promise<[string, number][]>;
  /** What the command is told instead of --into and --run. */
  readonly output?: readonly string[];
  /** Where there is a server: ends it at once and starts it again. */
  readonly restart?: () => Promise<void>;
}

/** A row of the source: id, island, bill_length. */
export type VisitRow = readonly [string, string, number];

/** The rows that `load` makes. */
export function visitRows(ids: number, shift: number): VisitRow[] {
  return Array.from({ length: ids }, (_, n) => [
    String(BigInt(FIRST) + BigInt(n)),
    ["biscoe", "dream", "torgersen"][(n + shift) % 3],
    30 + ((n * 7 + shift) % 31),
  ]);
}

function valuesSql(rows: readonly VisitRow[]): string {
  return rows.map(([id, island, bill]) => `(${id}, '${island}', ${bill})`).join(", ");
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
      // numbers(0) is endless in ClickHouse 18.16.
      const numbers = `(SELECT number AS n FROM numbers(${Math.max(ids, 1)}) WHERE number < ${ids})`;
      const rows = rowsSql(shift, numbers, `toUInt64(${FIRST}) + n`);
      await shard.run(`CREATE TABLE visits ENGINE = MergeTree ORDER BY id AS ${rows}`);
    },
    put: async (rows) => {
      await shard.run("DROP TABLE IF EXISTS visits");
      await shard.run("CREATE TABLE visits (id UInt64, island String, bill_length UInt8) ENGINE = Memory");
      await shard.run(`INSERT INTO visits VALUES ${valuesSql(rows)}`);
    },
    leftovers: async () => {
      const own = "'visits', 'scores', 'scores_runs'";
      const sql = `SELECT name FROM system.tables WHERE database = 'default' AND name NOT IN (${own})`;
      const queries = "SELECT query FROM system.processes WHERE query_id LIKE 'conformant-%'";
      return `${await shard.run(sql)}${await shard.run(queries)}`.split("\n").filter((name) => name !== "");
    },
    written: async (run, into = "scores", column = "p_adelie") =>
      pairs(
        await shard.run(
          `SELECT toString(id), ${column} FROM ${into} WHERE run = '${run}' FORMAT TabSeparated`,
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
    put: async (rows) => {
      server.run(
        `BEGIN; DROP TABLE IF EXISTS visits; CREATE TABLE visits (id bigint, island text, bill_length integer); INSERT INTO visits VALUES ${valuesSql(rows)}; COMMIT`,
      );
    },
    leftovers: async () =>
      server
        .run(
          `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('visits', 'scores', 'scores_runs')
           UNION ALL SELECT locktype || ' of session ' || pid FROM pg_locks WHERE pid <> pg_backend_pid()`,
        )
        .split("\n")
        .filter((name) => name !== ""),
    written: async (run, into = "scores", column = "p_adelie") =>
      pairs(server.run(`SELECT id || E'\\t' || ${column} FROM ${into} WHERE run = '${run}'`)),
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
    put: async (rows) => {
      await duckdb(
        `ATTACH '${file}' AS f`,
        `CREATE OR REPLACE TABLE f.visits AS FROM (VALUES ${valuesSql(rows)}) AS v(id, island, bill_length)`,
      );
    },
    leftovers: async () => {
      const tables = (await duckdb(
        `ATTACH '${file}' AS f (READ_ONLY)`,
        "SELECT table_name FROM duckdb_tables() WHERE table_name NOT IN ('visits', 'scores', 'scores_runs')",
      )) as [string][];
      const files = readdirSync(folder).filter(
        (name) => name.startsWith("visits.db") && name !== "visits.db",
      );
      return [...tables.flat(), ...files];
    },
    written: async (run, into = "scores", column = "p_adelie") => {
      const sql = `SELECT CAST(id AS VARCHAR), ${column} FROM f.${into} WHERE run = '${run}'`;
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
    put: async (rows) => {
      rmSync(file, { force: true });
      await duckdb(`COPY (FROM (VALUES ${valuesSql(rows)}) AS v(id, island, bill_length)) TO '${file}'`);
    },
    leftovers: async () => readdirSync(scores).filter((name) => !/^run=[^.]*\.parquet$/.test(name)),
    written: async (run, into = scores, column = "p_adelie") => {
      return (await duckdb(
        `SELECT CAST(id AS VARCHAR), ${column} FROM read_parquet('${into}run=${run}.parquet')`,
      )) as [string, number][];
    },
  };
}

/** A file of CSV, which has no runs. */
export function fileBench(folder: string): RunBench {
  const own = join(folder, "file");
  mkdirSync(own, { recursive: true });
  const file = join(own, "scores.csv");
  return {
    ...parquetBench(folder),
    name: "a file of CSV",
    into: file,
    output: ["-o", file],
    leftovers: async () => readdirSync(own).filter((name) => name !== "scores.csv"),
    written: async () => {
      const [header, ...rows] = existsSync(file) ? csvCells(readFileSync(file, "utf8")) : [[]];
      return rows.map((row) => [row[header.indexOf("id")], Number(row[header.indexOf("p_adelie")])]);
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
function job(
  { data, into, output = ["--into", into, "--run", "r"] }: RunBench,
  model: string,
  rest: readonly string[],
  killAfter?: number,
  { signal = "SIGKILL", temporary = tmpdir() }: { signal?: "SIGKILL" | "SIGINT"; temporary?: string } = {},
): Promise<Outcome> {
  const words = ["predict", model, data, "--keep", "id", ...output, ...rest];
  const child = spawn(process.execPath, [bin, ...words], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill(signal), killAfter);
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

/** Changes rows at random between two runs. The second must say that it writes anew, and every prediction must be of the rows as they are. */
export async function noticeUpdates(
  bench: RunBench,
  model: string,
  updates: number,
  seed: number,
): Promise<void> {
  const generator = random(seed);
  const words = ["predict", model, bench.data, "--keep", "id", "--into", bench.into, "--run", "u"];
  let rows = visitRows(40, 3);
  await bench.put(rows);
  succeed(words);
  for (let update = 0; update < updates; update++) {
    const [a, b] = [generator.integer(rows.length), generator.integer(rows.length - 1)];
    const [first, second] = [rows[a], rows[b >= a ? b + 1 : b]]; // two different rows
    const kinds: readonly (() => VisitRow[])[] = [
      () => exchange(rows, first, second, 1),
      () => exchange(rows, first, second, 2),
      () => rows.filter((row) => row !== first),
      () => rows.map((row) => (row === first ? [row[0], row[1], 30 + ((row[2] + 1) % 31)] : row)),
    ];
    const changed = kinds[update % kinds.length]();
    await bench.put(changed);
    const isSame = sorted(changed) === sorted(rows);
    expect(succeed(words).stderr).toMatch(isSame ? /, before\n$/ : /predictions are replaced/);
    await expectEachRowOnce(bench, model, "u");
    rows = changed;
  }
  await bench.put([...rows.slice(1), rows[1]]); // one row deleted, another one doubled: as many as before
  expect(succeed(words).stderr).toMatch(/predictions are replaced/);
}

/** Two rows with each other's value of a column. */
function exchange(rows: readonly VisitRow[], first: VisitRow, second: VisitRow, column: 1 | 2): VisitRow[] {
  const withValue = (row: VisitRow, other: VisitRow): VisitRow =>
    column === 1 ? [row[0], other[1], row[2]] : [row[0], row[1], other[2]];
  return rows.map((row) => {
    if (row === first) return withValue(first, second);
    return row === second ? withValue(second, first) : row;
  });
}

function sorted(rows: readonly VisitRow[]): string {
  return rows.map(String).sort().join("\n");
}

/**
 * Ends jobs at random moments, by an interrupt and at once in turn, after the rows have changed. The target must then hold the rows as
 * they were before or as they are now, whole, and the message must say which; the next job must leave every row once, and nothing else.
 */
export async function killAtRandom(
  bench: RunBench,
  model: string,
  folder: string,
  kills: number,
  seed: number,
): Promise<void> {
  const generator = random(seed);
  const temporary = join(folder, `temporary of ${bench.name}`);
  mkdirSync(temporary, { recursive: true });
  const answers = answersOf(model, folder);
  const truth = (ids: number, shift: number): [string, number][] =>
    visitRows(ids, shift).map(([id, island, bill]) => [id, answers.get(`${island} ${bill}`) ?? Number.NaN]);
  const parts = (): string[] => (bench.inParts ? ["--parts", String(1 + generator.integer(4))] : []);
  let before: [string, number][] = [];
  let usual = 1000;
  for (let kill = 0; kill < kills; kill++) {
    const [ids, shift] = [1000 + generator.integer(2000), generator.integer(93)];
    await bench.load(ids, shift);
    const now = truth(ids, shift);
    const signal = kill % 2 === 0 ? ("SIGINT" as const) : ("SIGKILL" as const);
    const moment = usual * (0.3 + 0.8 * generator.uniform());
    const { status, stderr } = await job(bench, model, parts(), moment, { signal, temporary });
    const written = kill === 0 && status !== 0 ? await written0(bench) : await bench.written("r");
    const isNew = isSame(written, now);
    const told = `${bench.name}, kill ${kill}, ${signal} after ${Math.round(moment)} ms, status ${status}: ${stderr}`;
    expect(isNew || isSame(written, before), told).toBe(true);
    if (status === 0 || /had been written/.test(stderr)) expect(isNew, told).toBe(true);
    if (/nothing was written/.test(stderr)) expect(isSame(written, before), told).toBe(true);
    if (signal === "SIGINT" && status !== 0 && stderr !== "")
      expect(stderr, told).toMatch(/error\[interrupted\]: stopped before the end; .*written/);
    const start = performance.now();
    const next = await job(bench, model, parts(), undefined, { temporary });
    usual = performance.now() - start;
    expect(next.status, `${told}\n${next.stderr}`).toBe(0);
    expect(isSame(await bench.written("r"), now), told).toBe(true);
    expect(await remaining(bench), told).toEqual([]);
    expect(readdirSync(temporary), told).toEqual([]);
    before = now;
  }
}

/** What a target holds that may not be there yet. */
async function written0(bench: RunBench): Promise<[string, number][]> {
  return bench.written("r").catch(() => []);
}

/** A session that has ended is gone from the lists of a server a moment later. */
async function remaining(bench: RunBench): Promise<string[]> {
  for (let look = 0; look < 20; look++) {
    if ((await bench.leftovers()).length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return bench.leftovers();
}

/** The probability of the first class by island and length. */
function answersOf(model: string, folder: string): ReadonlyMap<string, number> {
  const cases = ["biscoe", "dream", "torgersen"].flatMap((island) =>
    Array.from({ length: 31 }, (_, b) => [island, 30 + b] as const),
  );
  const file = join(folder, "cases.csv");
  writeFileSync(file, ["island,bill_length", ...cases.map(String), ""].join("\n"));
  const [, ...rows] = csvCells(succeed(["predict", model, file]).stdout);
  return new Map(cases.map(([island, bill], c) => [`${island} ${bill}`, Number(rows[c][1])]));
}

function isSame(written: readonly [string, number][], truth: readonly [string, number][]): boolean {
  const own = new Map(written);
  return (
    written.length === truth.length &&
    truth.every(([id, p]) => Math.abs((own.get(id) ?? Number.NaN) - p) < TOLERANCE)
  );
}
