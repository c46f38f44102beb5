import { fileURLToPath } from "node:url";
import { conform, createClassifier, predict, predictColumns } from "conformant";
import { createThreads } from "conformant/threads";
import { random } from "../packages/conformant/src/math/random.ts";
import { model50, row50 } from "./support/fifty-columns.ts";
import { type BenchRow, duration, peer, times } from "./support/measure.ts";
import { startWorker } from "./support/start-worker.ts";

const [ROWS, COLUMNS, GAPS] = [1_000_000, 54, 0.3];
/** By number of classes: how many times as fast as the peer, and what share of the speed of copying the array. */
const BARS: Readonly<Record<number, { readonly ratio: number; readonly ofCopying: number }>> = {
  2: { ratio: 3, ofCopying: 0.4 },
  7: { ratio: 2, ofCopying: 0.2 },
};
/** Times as fast on two threads as on one. */
const THREADS_BAR = 1.7;
/** Microseconds for a row by itself. */
const ROW_BAR = 5;

/** Expected predictions for a million rows with gaps, against mean imputation followed by the classifier, and on two threads; and for one row. */
export async function benchPredict(): Promise<BenchRow[]> {
  const g = random(1);
  const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);
  const arrays = names.map(() =>
    Float64Array.from({ length: ROWS }, () => (g.uniform() < GAPS ? Number.NaN : g.uniform())),
  );
  const data = Object.fromEntries(names.map((name, i) => [name, arrays[i]]));
  const sample = Object.fromEntries(names.map((name, i) => [name, arrays[i].subarray(0, 20_000)]));
  const copy = times(5, () => arrays.map((array) => array.slice())).least;
  const worker = startWorker();
  const threads = createThreads([worker]);
  const shared = Object.fromEntries(names.map((name, i) => [name, threads.share(arrays[i])]));
  const many = Object.entries(BARS).flatMap(([classes, bar]): BenchRow[] => {
    const K = Number(classes);
    const classifier = createClassifier({
      schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
      classes: Array.from({ length: K }, (_, k) => `${k}`),
      intercept: new Float64Array(K),
      weights: Float64Array.from({ length: COLUMNS * K }, (_, j) =>
        K === 2 && j % K === 0 ? 0 : g.normal(),
      ),
    });
    const model = conform(classifier, sample);
    const ours = times(5, () => predictColumns(model, data)).least;
    const theirs = peer<{ seconds: number }>("predict_sklearn.py", {
      rows: ROWS,
      columns: COLUMNS,
      gaps: GAPS,
      classes: K,
    });
    const ratio = theirs && (theirs.seconds * 1000) / ours;
    const alone = {
      what: `predictColumns, 10⁶ rows × ${COLUMNS} columns, 30 % gaps, ${K} classes, against SimpleImputer + predict_proba`,
      ours: `${duration(ours)}, ${Math.round((100 * copy) / ours)} % of the speed of copying the array (${duration(copy)})`,
      peer: theirs ? duration(theirs.seconds * 1000) : "–",
      ratio: ratio ? `${ratio.toPrecision(3)}×` : "–",
      bar: `${bar.ratio}×, ${100 * bar.ofCopying} % of copying`,
      met: ratio === undefined ? undefined : ratio >= bar.ratio && copy / ours >= bar.ofCopying,
    };
    const together = times(9, () => predictColumns(model, shared, { threads })).least;
    const gain = ours / together;
    const onTwo = {
      what: `the same with ${K} classes on two threads, against one`,
      ours: duration(together),
      peer: duration(ours),
      ratio: `${gain.toPrecision(3)}×`,
      bar: `${THREADS_BAR}×`,
      met: gain >= THREADS_BAR,
    };
    return [alone, onTwo];
  });
  await worker.terminate();
  return [...many, benchRow()];
}

/** A row of 50 columns, every third unknown, from an object of its names. */
function benchRow(): BenchRow {
  const [model, row, count] = [model50(), row50(), 20_000];
  const all = times(7, () => {
    for (let i = 0; i < count; i++) predict(model, row);
  });
  const microseconds = (1000 * all.least) / count;
  return {
    what: "predict, one row of 50 columns, every third unknown",
    ours: `${microseconds.toPrecision(3)} µs`,
    peer: "–",
    ratio: "–",
    bar: `${ROW_BAR} µs`,
    met: microseconds <= ROW_BAR,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchPredict());
