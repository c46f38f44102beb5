import { fileURLToPath } from "node:url";
import { type Classifier, conformMixture, createClassifier, type Model, predictColumns } from "conformant";
import { type Random, random } from "../packages/conformant/src/math/random.ts";
import { type BenchRow, duration, peer, time, times } from "./support/measure.ts";

const [ROWS, COLUMNS, COMPONENTS, GAPS] = [10_000, 30, 32, 0.5];
/** Rows of the peer that are timed, thrice; its time is in proportion to them. */
const MEASURED = 500;
/** Patterns of gaps where rows share them. */
const PATTERNS = 10;

const TURNS = 20;
/** Times as fast as the peer. */
const BAR = 250;

const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);

/**
 * Predictions of a mixture of Gaussians, with a pattern of gaps per row and with a few shared ones. The least of several
 * timings counts, for the peer too: other work on the machine only ever adds.
 */
export async function benchGaussian(): Promise<BenchRow[]> {
  const g = random(1);
  const mix = Float64Array.from({ length: COLUMNS * COLUMNS }, () => g.normal());
  const model = fitModel(g, mix);
  const full = makeColumns(ROWS, mix, g);
  const own = hide(full, (r) => r, g);
  const shared = hide(full, (r) => r % PATTERNS, g);
  // In turns, so that a busy moment of the machine meets both.
  const turns = Array.from({ length: TURNS }, () => [
    time(() => predictColumns(model, own)),
    times(4, () => predictColumns(model, shared)).least,
  ]);
  const each = Math.min(...turns.map(([random]) => random));
  const few = Math.min(...turns.map(([, shares]) => shares));
  const task = { training: 10_000, rows: ROWS, columns: COLUMNS, gaps: GAPS, measured: MEASURED };
  const theirs = peer<{ seconds: number }>("predict_knn.py", task);
  const row = (what: string, ours: number, bar: number): BenchRow => {
    const ratio = theirs && (theirs.seconds * 1000) / ours;
    return {
      what,
      ours: duration(ours),
      peer: theirs ? duration(theirs.seconds * 1000) : "–",
      ratio: ratio ? `${ratio.toPrecision(3)}×` : "–",
      bar: `${bar}×`,
      met: ratio === undefined ? undefined : ratio >= bar,
    };
  };
  const what = `predictColumns, ${COMPONENTS} components with a Gaussian over ${COLUMNS} columns, 10⁴ rows, half of the cells missing`;
  return [
    row(`${what}, against KNNImputer with 10⁴ training rows`, each, BAR),
    row(`the same with ${PATTERNS} patterns of gaps`, few, BAR),
  ];
}

function fitModel(g: Random, mix: Float64Array): Model {
  const classifier: Classifier = createClassifier({
    schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
    classes: ["no", "yes"],
    intercept: new Float64Array(2),
    weights: Float64Array.from({ length: 2 * COLUMNS }, (_, j) => (j % 2) * 0.05 * g.normal()),
  });
  const data = Object.fromEntries(makeColumns(2000, mix, g).map((cells, i) => [names[i], cells]));
  return conformMixture(classifier, data, { components: COMPONENTS, numeric: "gaussian", maxIterations: 5 });
}

/** Normal rows with correlated columns. */
function makeColumns(rows: number, mix: Float64Array, g: Random): Float64Array[] {
  const columns = names.map(() => new Float64Array(rows));
  for (let r = 0; r < rows; r++) {
    const z = Float64Array.from(names, () => g.normal());
    for (let i = 0; i < COLUMNS; i++)
      for (let j = 0; j < COLUMNS; j++) columns[i][r] += z[j] * mix[j * COLUMNS + i];
  }
  return columns;
}

/** Hides cells; rows with the same pattern number have the same gaps. */
function hide(
  columns: readonly Float64Array[],
  patternOf: (row: number) => number,
  g: Random,
): Record<string, Float64Array> {
  const gaps = new Map<number, boolean[]>();
  const out = columns.map((cells) => cells.slice());
  for (let r = 0; r < ROWS; r++) {
    const pattern = patternOf(r);
    const own = gaps.get(pattern) ?? names.map(() => g.uniform() < GAPS);
    gaps.set(pattern, own);
    own.forEach((gap, i) => {
      if (gap) out[i][r] = Number.NaN;
    });
  }
  return Object.fromEntries(out.map((cells, i) => [names[i], cells]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchGaussian());
