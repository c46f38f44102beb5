import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { conform, conformMixture, createClassifier, predictColumns, random, train } from "conformant";

/*
 * How time and memory grow with rows and with columns: `npx tsx bench/growth.ts` measures every point that bench/growth.json does not have,
 * in a process of its own, and adds it there; `npm run pictures` draws it as docs/images/growth.svg.
 */

/** Ten columns while the rows grow, ten thousand rows while the columns grow. */
const [FEW_COLUMNS, SOME_ROWS] = [10, 10_000];
const ROWS = [1e4, 1e5, 1e6, 1e7];
const COLUMNS = [10, 100, 1000, 10_000];
/** A point ten times as large is left out where one took longer than this, in seconds. */
const PATIENCE = 60;

interface Data {
  readonly rows: Readonly<Record<string, Float64Array | string[]>>;
  readonly sample: Readonly<Record<string, Float64Array>>;
  readonly names: readonly string[];
}

type Work = (data: Data) => () => unknown;

const LABEL = "label";
const classifierOf = (names: readonly string[]) => {
  const g = random(2);
  return createClassifier({
    schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
    classes: ["a", "b", "c"],
    intercept: new Float64Array(3),
    weights: Float64Array.from({ length: 3 * names.length }, () => g.normal() / Math.sqrt(names.length)),
  });
};

/** What is measured, by the words of the picture: what is prepared, and what then counts. */
const WORKS: Readonly<Record<string, { readonly gaps: number; readonly work: Work }>> = {
  predict: {
    gaps: 0.3,
    work: ({ rows, sample, names }) => {
      const model = conform(classifierOf(names), sample);
      return () => predictColumns(model, rows);
    },
  },
  "predict, mixture of 8": {
    gaps: 0.3,
    work: ({ rows, sample, names }) => {
      const options = { components: 8, numeric: "atoms", maxIterations: 2 } as const;
      const model = conformMixture(classifierOf(names), sample, options);
      return () => predictColumns(model, rows);
    },
  },
  "fit one component": {
    gaps: 0.3,
    work:
      ({ rows, names }) =>
      () =>
        conform(classifierOf(names), rows),
  },
  "fit a mixture of 8, 10 steps": {
    gaps: 0.3,
    work:
      ({ rows, names }) =>
      () =>
        conformMixture(classifierOf(names), rows, { components: 8, numeric: "atoms", maxIterations: 10 }),
  },
  "train, 10 steps": {
    gaps: 0,
    work:
      ({ rows }) =>
      () =>
        train(rows, { label: LABEL, maxIterations: 10 }),
  },
};

export interface GrowthPoint {
  readonly what: string;
  readonly rows: number;
  readonly columns: number;
  /** Of a processor, which other work on the machine hardly changes. */
  readonly seconds: number;
  /** The largest resident memory beyond the data. */
  readonly mebibytes: number;
}

function makeData(count: number, columns: number, gaps: number, labelled: boolean): Data {
  const g = random(1);
  const names = Array.from({ length: columns }, (_, i) => `x${i}`);
  const arrays = names.map(() =>
    Float64Array.from({ length: count }, () => (g.uniform() < gaps ? Number.NaN : g.uniform())),
  );
  const all = Object.fromEntries(names.map((name, i) => [name, arrays[i]]));
  const labels = labelled && { [LABEL]: Array.from({ length: count }, (_, r) => "abc"[r % 3]) };
  const sample = Object.fromEntries(names.map((name, i) => [name, arrays[i].subarray(0, 2000)]));
  return { rows: { ...all, ...labels }, sample, names };
}

function measurePoint(what: string, rows: number, columns: number): GrowthPoint {
  const { gaps, work } = WORKS[what];
  const run = work(makeData(rows, columns, gaps, gaps === 0));
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  const mebibytes = Math.max(1, process.resourceUsage().maxRSS / 1024 - before / 2 ** 20);
  return { what, rows, columns, seconds, mebibytes };
}

/** Measures the points that are not there yet and hands on what there is after each. */
function measureAll(known: readonly GrowthPoint[], soFar: (points: readonly GrowthPoint[]) => void): void {
  const shapes = [ROWS.map((rows) => [rows, FEW_COLUMNS]), COLUMNS.map((columns) => [SOME_ROWS, columns])];
  const points = [...known];
  for (const what of Object.keys(WORKS)) {
    for (const line of shapes) {
      let last = 0;
      for (const [rows, columns] of line) {
        if (last > PATIENCE) break;
        const before = points.find(
          (one) => one.what === what && one.rows === rows && one.columns === columns,
        );
        last = before?.seconds ?? 0;
        if (before) continue;
        const args = ["--import", "tsx", fileURLToPath(import.meta.url), what, String(rows), String(columns)];
        const point = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as GrowthPoint;
        const { seconds, mebibytes } = point;
        console.error(
          `${what}: ${rows} × ${columns}: ${seconds.toPrecision(3)} s, ${mebibytes.toFixed()} MiB`,
        );
        points.push(point);
        last = seconds;
        soFar(points);
      }
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, rows, columns] = process.argv.slice(2);
  if (what) console.log(JSON.stringify(measurePoint(what, Number(rows), Number(columns))));
  else {
    const target = fileURLToPath(new URL("growth.json", import.meta.url));
    const known = existsSync(target) ? (JSON.parse(readFileSync(target, "utf8")) as GrowthPoint[]) : [];
    measureAll(known, (points) => writeFileSync(target, `${JSON.stringify(points, undefined, 2)}\n`));
  }
}
