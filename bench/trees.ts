import { fileURLToPath } from "node:url";
import {
  conformMixture,
  type Data,
  type Model,
  predict,
  predictColumns,
  type Row,
  random,
  type TreeClassifier,
  trainTrees,
} from "conformant";
import { answerRows, createTreeClassifier } from "conformant/trees";
import { type BenchRow, duration, peer, time, times } from "./support/measure.ts";

const COLUMNS = 20;
/** Rows that are answered at a time, and the share of their cells that is hidden. */
const [ASKED, HIDDEN] = [400, 0.5];
const TREES = 100;
const FOREST = 300;

/** Expected answers of boosted trees and of a forest, one row by itself, and training beside scikit-learn's histogram boosting. */
export async function benchTrees(): Promise<BenchRow[]> {
  const rows = makeRows(5000, 1);
  const boosted = trainTrees(rows, { label: "y", maxIterations: TREES, patience: TREES });
  const model = mixtureOf(boosted, rows);
  const asked = makeRows(ASKED, 2).map(hide);
  return [
    manyRows(`boosted, ${TREES} trees of 31 leaves`, model, asked, 10_000),
    manyRows(`a forest of ${FOREST} trees, exact`, mixtureOf(forestOf(rows), rows), asked, 500),
    oneRow(model, asked),
    training(),
  ];
}

function mixtureOf(trees: TreeClassifier, rows: readonly Row[]): Model {
  return conformMixture(trees, rows.map(withoutLabel), { components: 8, numeric: "atoms" });
}

function manyRows(what: string, model: Model, asked: readonly Row[], bar: number): BenchRow {
  let worst = 0;
  const { median } = times(5, () => {
    worst = Math.max(0, ...(predictColumns(model, asked).standardErrors ?? []));
  });
  const rate = (1000 * ASKED) / median;
  return {
    what: `expected answers of trees: ${what}, ${COLUMNS} columns, ${100 * HIDDEN} % hidden, mixture of 8, one thread`,
    ours: `${Math.round(rate)} rows/s, largest standard error ${worst.toPrecision(2)}`,
    peer: "–",
    ratio: "–",
    bar: `${bar} rows/s at 0.01`,
    met: rate >= bar && worst <= 0.0101,
  };
}

function oneRow(model: Model, asked: readonly Row[]): BenchRow {
  for (const row of asked.slice(0, 100)) predict(model, row);
  const taken = asked.map((row) => time(() => predict(model, row))).sort((a, b) => a - b);
  const late = taken[Math.floor(0.95 * taken.length)];
  return {
    what: "expected answer of the same trees to one row, standard error 0.002",
    ours: `median ${duration(taken[taken.length >> 1])}, 95 % under ${duration(late)}`,
    peer: "–",
    ratio: "–",
    bar: "16 ms or less",
    met: late <= 16,
  };
}

/** Both on the same columns of numbers with their defaults, evaluated on rows that neither has seen. */
function training(): BenchRow {
  const [rows, test] = [makeRows(20_000, 3), makeRows(5000, 4)];
  const columns = Object.fromEntries(
    Object.keys(rows[0]).map((name) => {
      const cells = rows.map((row) => row[name]);
      return [name, name === "y" ? cells : Float64Array.from(cells as number[])];
    }),
  );
  let trees: TreeClassifier | undefined;
  const ours = times(3, () => {
    trees = trainTrees(columns, { label: "y" });
  }).least;
  const answers = answerRows(trees as TreeClassifier, test.map(withoutLabel) as Data);
  const loss =
    -test.reduce((sum, { y }, r) => sum + Math.log(answers[2 * r + (y === "yes" ? 1 : 0)]), 0) / test.length;
  const numbers = (all: readonly Row[]): unknown[][] => all.map((row) => Object.values(row));
  const theirs = peer<{ seconds: number; loss: number }>("boosting.py", {
    train: numbers(rows),
    test: numbers(test),
  });
  const ratio = theirs && (1000 * theirs.seconds) / ours;
  return {
    what: `train boosted trees, ${rows.length.toLocaleString("en")} rows × ${COLUMNS} columns, against HistGradientBoostingClassifier`,
    ours: `${duration(ours)}, log loss ${loss.toFixed(4)}`,
    peer: theirs ? `${duration(1000 * theirs.seconds)}, log loss ${theirs.loss.toFixed(4)}` : "–",
    ratio: ratio ? `${ratio.toFixed(2)}×` : "–",
    bar: "its quality; its speed",
    met: theirs && loss <= 1.02 * theirs.loss && ratio !== undefined && ratio >= 1,
  };
}

/** Rows with two hidden causes, and a class that depends on products of columns. */
function makeRows(count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const [a, b] = [g.normal(), g.normal()];
    const x = Array.from({ length: COLUMNS }, (_, i) => a * Math.cos(i) + b * Math.sin(i) + 0.5 * g.normal());
    const score = x[0] * x[1] + x[2] - x[3] + Math.abs(x[4]) - 0.8 + 0.5 * x[5] * x[6];
    const y = g.uniform() < 1 / (1 + Math.exp(-2 * score)) ? "yes" : "no";
    return { ...Object.fromEntries(x.map((value, i) => [`x${i}`, value])), y };
  });
}

function withoutLabel({ y: _, ...row }: Row): Row {
  return row;
}

function hide(row: Row, r: number): Row {
  const g = random(r);
  return Object.fromEntries(
    Object.entries(withoutLabel(row)).map(([name, x]) => [name, g.uniform() < HIDDEN ? null : x]),
  );
}

/** A forest with the structure of boosted trees: leaves hold probabilities instead of steps. */
function forestOf(rows: readonly Row[]): TreeClassifier {
  const grown = trainTrees(rows, { label: "y", maxIterations: FOREST, patience: FOREST });
  const leaves = grown.outputs.length;
  const values = new Float64Array(2 * leaves);
  for (let leaf = 0; leaf < leaves; leaf++) {
    const p = 1 / (1 + Math.exp(-5 * grown.values[leaf]));
    values.set([(1 - p) / grown.roots.length, p / grown.roots.length], 2 * leaf);
  }
  return createTreeClassifier({
    ...grown,
    link: "probability",
    base: new Float64Array(2),
    width: 2,
    values,
    outputs: new Int32Array(leaves),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchTrees());
