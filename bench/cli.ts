import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { type BenchRow, duration } from "./support/measure.ts";
import { type CommandRun, runCommand } from "./support/run-command.ts";
import { BITS, CATEGORIES, columnNames, makeClassifier, NUMBERS } from "./support/wide-rows.ts";

const ROWS = Number(process.env.CONFORMANT_BENCH_ROWS ?? 10_000_000);
const [WIDE_ROWS, PIXELS] = [60_000, 784];
const MEMORY_BAR = 2 * 1024 ** 3;

/** The command on a long and on a wide CSV file, against DuckDB doing the least that could be asked of it. */
export async function benchCli(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
  try {
    return [...(await benchLong(folder)), ...(await benchWide(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 60,000 rows × 784 pixels and a label, against DuckDB summing each column. */
async function benchWide(folder: string): Promise<BenchRow[]> {
  const [file, classifier, model] = ["wide.csv", "wide.json", "wide-model.json"].map((name) =>
    join(folder, name),
  );
  const names = Array.from({ length: PIXELS }, (_, j) => `pixel${j}`);
  const pixels = names.map(
    (name, j) =>
      `CASE WHEN hash(i * 785 + ${j}) % 5 < 4 THEN 0 ELSE hash(i * 13 + ${j}) % 256 END AS ${name}`,
  );
  await duckdb(
    `COPY (SELECT hash(i * 7) % 10 AS label, ${pixels.join(", ")} FROM range(${WIDE_ROWS}) t(i)) TO '${file}' (HEADER)`,
  );
  const coef = [names.map((_, j) => Math.sin(j) / 1000)];
  writeFileSync(classifier, JSON.stringify({ classes: ["0", "1"], features: names, intercept: [0.1], coef }));
  const sums = await time(() => duckdb(`CREATE TEMP TABLE sums AS SELECT sum(COLUMNS(*)) FROM '${file}'`));
  const imported = runCommand(["fit", file, "--classifier", classifier, "--components", "1", "-o", model]);
  const predicted = runCommand(["predict", model, file, "-o", join(folder, "wide-predictions.csv")]);
  const what = `${WIDE_ROWS.toLocaleString("en")} rows × ${PIXELS + 1} columns of CSV, beside DuckDB summing the columns`;
  return [
    row(`fit --classifier, ${what}`, imported, sums, undefined),
    row(`predict to CSV, ${what}`, predicted, sums, undefined),
  ];
}

/** 10⁷ rows × 20 columns. */
async function benchLong(folder: string): Promise<BenchRow[]> {
  const file = join(folder, "rows.csv");
  await makeRows(file);
  writeFileSync(join(folder, "classifier.json"), JSON.stringify(makeClassifier()));
  const counting = await time(() => countValues(file));
  const imported = runCommand([
    "fit",
    file,
    "--classifier",
    join(folder, "classifier.json"),
    "--components",
    "1",
    "-o",
    join(folder, "model.json"),
  ]);
  const rewriting = await time(() =>
    duckdb(`COPY (FROM '${file}') TO '${join(folder, "copy.csv")}' (HEADER)`),
  );
  const predicted = runCommand([
    "predict",
    join(folder, "model.json"),
    file,
    "-o",
    join(folder, "predictions.csv"),
  ]);
  const trained = runCommand(["fit", file, "--label", "label", "-o", join(folder, "trained.json")]);
  const what = `${ROWS.toLocaleString("en")} rows × 20 columns of CSV`;
  return [
    row(`fit --classifier, ${what}, against DuckDB counting the values per column`, imported, counting, 3),
    row(`predict to CSV, ${what}, against DuckDB reading and rewriting the file`, predicted, rewriting, 1.2),
    row(`fit --label, ${what}`, trained, undefined, undefined),
  ];
}

function row(what: string, ours: CommandRun, peer: number | undefined, most: number | undefined): BenchRow {
  const fits = ours.memory <= MEMORY_BAR;
  const ratio = peer === undefined ? undefined : ours.milliseconds / peer;
  return {
    what,
    ours: `${duration(ours.milliseconds)}, ${Math.round(ours.memory / 1024 ** 2)} MiB`,
    peer: peer === undefined ? "–" : duration(peer),
    ratio: ratio === undefined ? "–" : `${ratio.toPrecision(3)}×`,
    bar: most === undefined ? "2 GiB" : `at most ${most}×, 2 GiB`,
    met: fits && (ratio === undefined || most === undefined || ratio <= most),
  };
}

async function time(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** One GROUP BY per column in a single pass, the fastest way that DuckDB has for it, with the results kept. */
async function countValues(file: string): Promise<void> {
  const names = columnNames();
  const sets = names.map((name) => `(${name})`).join(", ");
  await duckdb(
    `CREATE TEMP TABLE counts AS SELECT ${names.join(", ")}, count(*) FROM '${file}' GROUP BY GROUPING SETS (${sets})`,
  );
}

async function duckdb(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: "640MB",
    temp_directory: tmpdir(),
  });
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

/** Rows by hashing their number: the same file everywhere. One cell in 20 or 25 of the numbers and categories is missing. */
async function makeRows(file: string): Promise<void> {
  const share = (salt: number): string => `((hash(i * 97 + ${salt}) % 1000003) / 1000003.0)`;
  const numbers = Array.from({ length: NUMBERS }, (_, j) => {
    const normal = `sqrt(-2 * ln(1 - ${share(j)})) * cos(6.283185307179586 * ${share(j + 50)})`;
    return `CASE WHEN hash(i * 31 + ${j}) % 20 > 0 THEN round(${j + 1} * ${normal}, ${j % 4}) END AS n${j}`;
  });
  const bits = Array.from({ length: BITS }, (_, j) => `(hash(i * 17 + ${j}) % ${j + 2} = 0)::INT AS b${j}`);
  const categories = CATEGORIES.map(
    (count, j) =>
      `CASE WHEN hash(i * 19 + ${j}) % 25 > 0 THEN 'v' || (hash(i * 23 + ${j}) % ${count}) END AS c${j}`,
  );
  const label = "CASE WHEN hash(i * 3) % 3 = 0 THEN 'yes' ELSE 'no' END AS label";
  await duckdb(
    `COPY (SELECT ${[...numbers, ...bits, ...categories, label].join(", ")} FROM range(${ROWS}) t(i)) TO '${file}' (HEADER)`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchCli());
