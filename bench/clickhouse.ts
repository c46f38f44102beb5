import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cluster, clickhouseProgram, startCluster } from "../packages/cli/test/support/clickhouse.ts";
import { type BenchRow, duration } from "./support/measure.ts";
import { type CommandRun, runCommand } from "./support/run-command.ts";
import { BITS, CATEGORIES, columnNames, makeClassifier, NUMBERS } from "./support/wide-rows.ts";

const ROWS = Number(process.env.CONFORMANT_BENCH_ROWS ?? 20_000_000);
const MEMORY_BAR = 300 * 1024 ** 2;
const COMPONENTS = 8;
/** How often the fit and the plain GROUP BY are measured in turns; the least time of each counts, other work only adds to it. */
const TURNS = 3;

/** The command on two ClickHouse servers of this machine, against the plain GROUP BYs over the same columns. */
export async function benchClickhouse(): Promise<BenchRow[]> {
  if (clickhouseProgram === undefined) {
    console.error("clickhouse-server is missing");
    return [];
  }
  const rows: BenchRow[] = [];
  const report = (measured: BenchRow): void => {
    console.error(`${measured.what}: ${measured.ours}, ${measured.peer}, ${measured.ratio}`);
    rows.push(measured);
  };
  const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
  const cluster = await startCluster();
  try {
    await makeRows(cluster);
    writeFileSync(join(folder, "classifier.json"), JSON.stringify(makeClassifier()));
    const model = join(folder, "model.json");
    const fitTable = (table: string, components: number): CommandRun =>
      runCommand([
        ...["fit", `${cluster.address}#${table}`, "--classifier", join(folder, "classifier.json")],
        ...["--components", String(components), "-o", model, "--json"],
      ]);
    const what = `${ROWS.toLocaleString("en")} rows × 20 columns on two servers`;
    const { one, counting } = await inTurns(cluster, () => fitTable("rows", 1));
    report(row(`fit --components 1, ${what}, against a GROUP BY per column`, one, counting, 2));
    // A step's time goes with the number of rows, and a tenth of them is enough to tell.
    const [tenth, mixture] = [fitTable("tenth", 1), fitTable("tenth", COMPONENTS)];
    const { certificate } = JSON.parse(mixture.stdout) as { certificate: { iterations: number } };
    // Each step asks once more than it changes the components, and the class scores are asked for once.
    const step = (mixture.milliseconds - tenth.milliseconds) / (certificate.iterations + 2);
    const fewer = `${Math.floor(ROWS / 10).toLocaleString("en")} of the rows`;
    report(row(`an EM step of ${COMPONENTS} components, ${fewer}`, { ...mixture, milliseconds: step }));
    const written = runCommand(["predict", model, `${cluster.address}#tenth`, "--into", "answers"]);
    report(row(`predict --into, a mixture of ${COMPONENTS}, ${fewer}`, written));
    return rows;
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The fit and the plain GROUP BYs by turns, after one of the latter has brought the rows into memory; the least of each. */
async function inTurns(
  cluster: Cluster,
  fitOne: () => CommandRun,
): Promise<{ one: CommandRun; counting: number }> {
  await groupBy(cluster);
  const [fits, counts]: [CommandRun[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    counts.push(await groupBy(cluster));
    fits.push(fitOne());
    console.error(`  GROUP BY ${duration(counts[turn])}, fit ${duration(fits[turn].milliseconds)}`);
  }
  const memory = Math.max(...fits.map((run) => run.memory));
  const milliseconds = Math.min(...fits.map((run) => run.milliseconds));
  return { one: { ...fits[0], milliseconds, memory }, counting: Math.min(...counts) };
}

function row(what: string, ours: CommandRun, peer?: number, most?: number): BenchRow {
  const ratio = peer === undefined ? undefined : ours.milliseconds / peer;
  return {
    what,
    ours: `${duration(ours.milliseconds)}, driver ${Math.round(ours.memory / 1024 ** 2)} MiB`,
    peer: peer === undefined ? "–" : duration(peer),
    ratio: ratio === undefined ? "–" : `${ratio.toPrecision(3)}×`,
    bar: most === undefined ? "300 MiB" : `at most ${most}×, 300 MiB`,
    met: ours.memory <= MEMORY_BAR && (ratio === undefined || most === undefined || ratio <= most),
  };
}

/** One GROUP BY per column of the classifier, all at once, the results thrown away. */
async function groupBy({ shards: [first] }: Cluster): Promise<number> {
  const parts = columnNames()
    .filter((name) => name !== "label")
    .map(
      (name, c) =>
        `SELECT ${c} AS place, toString(${name}) AS value, count() AS n FROM rows GROUP BY ${name}`,
    );
  const start = performance.now();
  await first.run(`SELECT count() FROM (${parts.join(" UNION ALL ")})`);
  return performance.now() - start;
}

/** The rows of the bench of files without its gaps, half of them on each server. */
async function makeRows({ shards }: Cluster): Promise<void> {
  const share = (salt: number): string => `(cityHash64(number * 97 + ${salt}) % 1000003) / 1000003`;
  const numbers = Array.from({ length: NUMBERS }, (_, j) => {
    const normal = `sqrt(-2 * log(1 - ${share(j)})) * cos(6.283185307179586 * ${share(j + 50)})`;
    return `round(${j + 1} * ${normal}, ${j % 4}) AS n${j}`;
  });
  const bits = Array.from(
    { length: BITS },
    (_, j) => `toUInt8(cityHash64(number * 17 + ${j}) % ${j + 2} = 0) AS b${j}`,
  );
  const categories = CATEGORIES.map(
    (count, j) => `concat('v', toString(cityHash64(number * 23 + ${j}) % ${count})) AS c${j}`,
  );
  const label = "if(cityHash64(number * 3) % 3 = 0, 'yes', 'no') AS label";
  const selected = [...numbers, ...bits, ...categories, label].join(", ");
  for (const [s, shard] of shards.entries()) {
    const range = `numbers(${Math.floor(ROWS / 2)})`;
    await shard.run(
      `CREATE TABLE part ENGINE = MergeTree ORDER BY tuple() AS SELECT ${selected} FROM (SELECT number * 2 + ${s} AS number FROM ${range})`,
    );
    await shard.run("CREATE TABLE rows AS part ENGINE = Distributed(both, default, part)");
    await shard.run(
      `CREATE TABLE less ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM part LIMIT ${Math.floor(ROWS / 20)}`,
    );
    await shard.run("CREATE TABLE tenth AS less ENGINE = Distributed(both, default, less)");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchClickhouse());
