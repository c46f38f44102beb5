import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clickhouseProgram } from "../packages/cli/test/support/clickhouse.ts";
import { postgresPrograms } from "../packages/cli/test/support/postgres.ts";
import { type BenchSource, COLUMNS, rowsSql } from "./databases/bench-source.ts";
import { clickhouseSource } from "./databases/clickhouse-source.ts";
import { duckdbSource, fileSource, runDuckdb } from "./databases/duckdb-source.ts";
import { postgresSource } from "./databases/postgres-source.ts";
import { type BenchRow, duration } from "./support/measure.ts";
import { type CommandRun, runCommand } from "./support/run-command.ts";

const ROWS = Number(process.env.CONFORMANT_BENCH_ROWS ?? 5_000_000);
const MEMORY_BAR = 300 * 1024 ** 2;
/** Each is measured so often, by turns; the least time counts, other work only adds to it. */
const TURNS = Number(process.env.CONFORMANT_BENCH_TURNS ?? 3);
/** The engines to measure, all without it. */
const ONLY = process.env.CONFORMANT_BENCH_ENGINES?.split(",");

/** The command on tables of 5·10⁶ rows × 9 columns in each engine, against what the engine itself takes in plain SQL. */
export async function benchDatabases(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
  const [csv, parquet, database] = ["visits.csv", "visits.parquet", "visits.duckdb"].map((name) =>
    join(folder, name),
  );
  const engines: readonly [string, (() => Promise<BenchSource>) | undefined][] = [
    ["PostgreSQL", postgresPrograms === undefined ? undefined : () => postgresSource(csv)],
    ["ClickHouse", clickhouseProgram === undefined ? undefined : () => clickhouseSource(csv)],
    ["DuckDB", async () => duckdbSource(database)],
    ["CSV", async () => fileSource("CSV", csv, join(folder, "from-csv"))],
    ["Parquet", async () => fileSource("Parquet", parquet, join(folder, "from-parquet"))],
  ];
  try {
    await runDuckdb(`CREATE TABLE visits AS ${rowsSql(ROWS)}`, database);
    await runDuckdb("CREATE TABLE few AS FROM visits LIMIT 100", database);
    for (const table of ["visits", "few"])
      for (const file of [csv, parquet].map((path) => path.replace("visits", table)))
        await runDuckdb(`COPY ${table} TO '${file}'`, database);
    const rows: BenchRow[] = [];
    for (const [name, open] of engines) {
      if (ONLY && !ONLY.includes(name)) continue;
      if (open === undefined) console.error(`${name} is missing`);
      else rows.push(...(await benchEngine(await open(), folder)));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchEngine(source: BenchSource, folder: string): Promise<BenchRow[]> {
  const { name, data } = source;
  const [model, trained, sql, csv] = ["model.json", "trained.json", "model.sql", "scores.csv"].map((file) =>
    join(folder, file),
  );
  const one = ["--components", "1", "--exclude", "id"];
  const classifier = join(folder, "classifier.json");
  writeFileSync(classifier, JSON.stringify(CLASSIFIER));
  const rows: BenchRow[] = [];
  const report = (what: string, ours: CommandRun, peer: number, most: number): void => {
    const measured = row(`${name}: ${what}`, ours, peer, most);
    console.error(`${measured.what}: ${measured.ours}, ${measured.peer}, ${measured.ratio}`);
    rows.push(measured);
  };
  try {
    const features = COLUMNS.slice(0, -1);
    await source.count(features); // brings the rows into memory
    const count = (table: string): CommandRun =>
      runCommand(["fit", table, "--classifier", classifier, "--components", "1", "-o", model]);
    const few = Array.from({ length: TURNS }, () => count(source.few).milliseconds);
    const counting = await inTurns(
      () => count(data),
      () => source.count(features),
    );
    const constant = `${duration(Math.min(...few))} of it whatever the rows`;
    report(`counting (fit --classifier --components 1; ${constant})`, counting.ours, counting.peer, 1.5);
    runCommand([
      ...["export", model, "--to", "sql", "--dialect", source.dialect],
      ...["--table", source.table, "--keep", "id", "-o", sql],
    ]);
    const query = readFileSync(sql, "utf8");
    const into = await inTurns(
      () => runCommand(["predict", model, data, "--keep", "id", "--into", source.into]),
      () => source.keep(query),
      source.clear,
    );
    report("predict --into", into.ours, into.peer, 1.3);
    const toCsv = await inTurns(
      () => runCommand(["predict", model, data, "--keep", "id", "-o", csv]),
      () => source.toCsv(query, csv),
    );
    report("predict -o scores.csv", toCsv.ours, toCsv.peer, 2);
    const training = runCommand(["fit", data, "--label", "churned", ...one, "-o", trained]);
    report("fit --label --components 1, against the counting", training, counting.peer, 10);
    return rows;
  } finally {
    await source.stop();
  }
}

/** The command and the engine by turns; the least of each. */
async function inTurns(
  command: () => CommandRun,
  engine: () => Promise<void>,
  clear: () => Promise<void> = async () => undefined,
): Promise<{ ours: CommandRun; peer: number }> {
  const [ours, peers]: [CommandRun[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    await clear();
    const start = performance.now();
    await engine();
    peers.push(performance.now() - start);
    await clear();
    ours.push(command());
    console.error(`  ${duration(peers[turn])}, the command ${duration(ours[turn].milliseconds)}`);
  }
  await clear();
  const milliseconds = Math.min(...ours.map((run) => run.milliseconds));
  const memory = Math.max(...ours.map((run) => run.memory));
  return { ours: { ...ours[0], milliseconds, memory }, peer: Math.min(...peers) };
}

function row(what: string, ours: CommandRun, peer: number, most: number): BenchRow {
  const ratio = ours.milliseconds / peer;
  return {
    what,
    ours: `${duration(ours.milliseconds)}, ${Math.round(ours.memory / 1024 ** 2)} MiB`,
    peer: duration(peer),
    ratio: `${ratio.toPrecision(3)}×`,
    bar: `at most ${most}×, 300 MiB`,
    met: ours.memory <= MEMORY_BAR && ratio <= most,
  };
}

/** A classifier of the features with arbitrary weights. */
const CLASSIFIER = {
  classes: ["no", "yes"],
  features: [
    ...["age", "visits", "spend", "member"],
    ...["basic", "plus", "pro"].map((plan) => `plan=${plan}`),
    ...Array.from({ length: 12 }, (_, r) => `region=r${r}`),
    ...Array.from({ length: 50 }, (_, p) => `product=product ${p}`),
  ],
  intercept: [-1.5],
  coef: [[0.03, -0.1, 0.02, 1, ...Array.from({ length: 65 }, (_, f) => Math.sin(f) / 3)]],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchDatabases());
