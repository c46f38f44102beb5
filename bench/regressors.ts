import { fileURLToPath } from "node:url";
import {
  type AnyModel,
  conformMixture,
  createClassifier,
  createRegressor,
  isRegression,
  predictColumns,
  type Row,
  random,
  trainTreeRegressor,
} from "conformant";
import { createTreeRegressor } from "conformant/trees";
import { type BenchRow, duration, times } from "./support/measure.ts";

const [ROWS, COLUMNS, GAPS] = [1_000_000, 20, 0.3];
/** The least share of the speed of a classifier of the same shape. */
const SHARE = 0.5;
/** A forest, and rows that it is asked about with half of their cells missing. */
const [TREES, ASKED, HIDDEN, FOREST_BAR] = [100, 2000, 0.5, 5000];

/** Regressors beside classifiers of the same shape in the same run, and a forest. */
export async function benchRegressors(): Promise<BenchRow[]> {
  return [...sameShape(), forest()];
}

function sameShape(): BenchRow[] {
  const g = random(1);
  const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);
  const shared = Float64Array.from({ length: ROWS }, () => g.normal());
  const data = Object.fromEntries(
    names.map((name) => [
      name,
      Float64Array.from({ length: ROWS }, (_, r) =>
        g.uniform() < GAPS ? Number.NaN : shared[r] + g.normal(),
      ),
    ]),
  );
  const sample = Object.fromEntries(names.map((name) => [name, data[name].subarray(0, 5000)]));
  const schema = { columns: names.map((name) => ({ name, kind: "numeric" as const })) };
  const own = Float64Array.from(names, () => g.normal());
  const regressor = createRegressor({ schema, output: "y", link: "identity", intercept: 1, weights: own });
  const classifier = createClassifier({
    schema,
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 1),
    weights: Float64Array.from({ length: 2 * COLUMNS }, (_, j) => (j % 2 ? own[j >> 1] : 0)),
  });
  const answer = (model: AnyModel): unknown =>
    isRegression(model) ? predictColumns(model, data) : predictColumns(model, data);
  const shapes = [
    { name: "independent columns", components: 1, numeric: "atoms" },
    { name: "a mixture of 4", components: 4, numeric: "atoms" },
    { name: "a Gaussian", components: 1, numeric: "gaussian" },
  ] as const;
  return shapes.map(({ name, ...how }) => {
    const [number, classes] = [
      conformMixture(regressor, sample, how),
      conformMixture(classifier, sample, how),
    ];
    const [ours, theirs] = [number, classes].map((model) => times(3, () => answer(model)).least);
    return {
      what: `predictColumns of a linear regressor, 10⁶ rows × ${COLUMNS} columns, ${100 * GAPS} % gaps, ${name}, against a classifier of two classes`,
      ours: duration(ours),
      peer: duration(theirs),
      ratio: `${(theirs / ours).toPrecision(3)}×`,
      bar: `${SHARE}×`,
      met: theirs / ours >= SHARE,
    };
  });
}

/** A forest has the structure of boosted trees here, and leaves with numbers of its own size. */
function forest(): BenchRow {
  const rows = makeRows(5000, 1);
  const grown = trainTreeRegressor(rows, { label: "y", iterations: TREES });
  const trees = createTreeRegressor({
    ...grown,
    base: new Float64Array(1),
    values: grown.values.map((value) => value / TREES),
  });
  const model = conformMixture(trees, rows.map(withoutLabel), { components: 8, numeric: "atoms" });
  const g = random(2);
  const asked = makeRows(ASKED, 3).map(
    (row): Row =>
      Object.fromEntries(
        Object.entries(withoutLabel(row)).map(([name, x]) => [name, g.uniform() < HIDDEN ? null : x]),
      ),
  );
  const { least } = times(5, () => predictColumns(model, asked));
  const rate = (1000 * ASKED) / least;
  return {
    what: `expected numbers of a forest of ${TREES} trees of 31 leaves, exact, ${COLUMNS} columns, ${100 * HIDDEN} % hidden, mixture of 8, one thread`,
    ours: `${Math.round(rate).toLocaleString("en")} rows/s`,
    peer: "–",
    ratio: "–",
    bar: `${FOREST_BAR.toLocaleString("en")} rows/s`,
    met: rate >= FOREST_BAR,
  };
}

/** Rows with two hidden causes, and a number that depends on products of columns. */
function makeRows(count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const [a, b] = [g.normal(), g.normal()];
    const x = Array.from({ length: COLUMNS }, (_, i) => a * Math.cos(i) + b * Math.sin(i) + 0.5 * g.normal());
    const y = x[0] * x[1] + x[2] - x[3] + Math.abs(x[4]) + 0.5 * x[5] * x[6] + g.normal();
    return { ...Object.fromEntries(x.map((value, i) => [`x${i}`, value])), y };
  });
}

function withoutLabel({ y: _, ...row }: Row): Row {
  return row;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchRegressors());
