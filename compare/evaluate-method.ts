import {
  type EncodedColumn,
  predictColumns,
  random,
  type Table,
  type TreeClassifier,
  train,
  trainTrees,
} from "conformant";
import { classifyRows, pickRows } from "conformant/internal";
import { shuffle } from "../packages/conformant/src/math/random.ts";
import type { Answer, Cost, Task } from "./methods/compare-method.ts";
import { METHODS } from "./methods/methods.ts";
import { fitCandidate, fitOurs } from "./methods/ours.ts";
import { TREE_METHODS } from "./methods/trees.ts";
import { LABEL } from "./tables/compare-table.ts";

/** Shares of the cells that are hidden. */
export const RATES = [0.2, 0.4, 0.6, 0.8] as const;
/** The share of the rows that is trained on. */
const TRAINED = 0.7;

/** What one method came to on one split: a number per rate, and what it took to fit and answer. */
export interface Score extends Cost {
  readonly method: string;
  readonly logLoss: readonly number[];
  readonly crossEntropy: readonly number[];
}

/** One split of a table: the methods, and the candidates that ours chose from. */
export interface SplitScores {
  readonly scores: readonly Score[];
  readonly candidates: readonly Score[];
}

/** In place of a method: the candidates that ours chose from, each by itself. */
export const CANDIDATES = "candidates of ours";

/** Everything that is tested on a split. */
export const EVALUATED: readonly string[] = [
  ...[...METHODS, ...TREE_METHODS].map(({ name }) => name),
  CANDIDATES,
];

/** Trains scikit-learn's logistic regression (C = 1) on part of the rows and evaluates a method, or the candidates, on the others. */
export function evaluateMethod(table: Table, split: number, method: string): Score[] {
  const [training, test] = splitTable(table, split);
  const classifier = train(training, { label: LABEL, l2: 1 });
  let trees: TreeClassifier | undefined;
  let elsewhere: Cost = { seconds: 0, memory: 0 };
  const task: Task = {
    classifier,
    training,
    trees: () => {
      trees ??= trainTrees(training, { label: LABEL });
      return trees;
    },
    took: ({ seconds, memory }) => {
      elsewhere = { seconds: elsewhere.seconds + seconds, memory: Math.max(elsewhere.memory, memory) };
    },
  };
  const n = classifier.schema.columns.length;
  const features: Table = { ...test, schema: classifier.schema, columns: test.columns.slice(0, n) };
  const full = classifyRows(classifier, features);
  const labels = labelCodes(test, classifier.classes);
  const hidden = RATES.map((rate, i) => maskCells(features, rate, 1000 * split + i));
  const score = (name: string, learn: () => Answer): Score => {
    const before = process.cpuUsage();
    const answer = learn();
    const answers = hidden.map((rows) => answer(rows));
    return {
      method: name,
      logLoss: answers.map((own) => lossOf(own, labels)),
      crossEntropy: answers.map((own) => lossOf(own, full)),
      ...costSince(before, elsewhere),
    };
  };
  const known = [...METHODS, ...TREE_METHODS].find(({ name }) => name === method);
  if (known) return [score(method, () => known.learn(task))];
  const curve = fitOurs(task).certificate.choice?.curve ?? [];
  return curve.map((candidate) =>
    score(
      `${candidate.gaussian?.length ? `Gaussian of ${candidate.gaussian.length}` : "atoms"}, ${candidate.components}`,
      () => {
        const model = fitCandidate(task, candidate);
        return (rows) => predictColumns(model, rows).probabilities;
      },
    ),
  );
}

/** What this process took since, and another one that it asked; the memory is that of the one that did the work. */
function costSince(before: NodeJS.CpuUsage, elsewhere: Cost): Cost {
  const { user, system } = process.cpuUsage(before);
  return {
    seconds: (user + system) / 1e6 + elsewhere.seconds,
    memory: elsewhere.memory || process.resourceUsage().maxRSS * 1024,
  };
}

/** Rows to train on and rows to test on, at random. */
function splitTable(table: Table, seed: number): [training: Table, test: Table] {
  const order = shuffle(
    Int32Array.from({ length: table.rows }, (_, r) => r),
    random(seed),
  );
  const cut = Math.round(TRAINED * table.rows);
  return [pickRows(table, order.slice(0, cut)), pickRows(table, order.slice(cut))];
}

function maskCells(table: Table, rate: number, seed: number): Table {
  const generator = random(seed);
  const hide = (cells: EncodedColumn): EncodedColumn => {
    const gap = cells instanceof Float64Array ? Number.NaN : -1;
    return cells.map((x) => (generator.uniform() < rate ? gap : x));
  };
  return { ...table, columns: table.columns.map(hide) };
}

/** The labels as probabilities of 0 and 1, rows × K. */
function labelCodes({ schema, columns }: Table, classes: readonly string[]): Float64Array {
  const label = schema.columns[columns.length - 1];
  const names = label.kind === "categorical" ? label.values : [];
  const codes = columns[columns.length - 1];
  const out = new Float64Array(codes.length * classes.length);
  for (let r = 0; r < codes.length; r++) out[r * classes.length + classes.indexOf(names[codes[r]])] = 1;
  return out;
}

/** Mean over the rows of −Σ_k p_k log q_k. */
function lossOf(answers: Float64Array, wanted: Float64Array): number {
  let [sum, rows] = [0, 0];
  for (let at = 0; at < wanted.length; at++) {
    if (wanted[at] > 0) sum -= wanted[at] * Math.log(Math.max(answers[at], Number.MIN_VALUE));
    rows += wanted[at];
  }
  return sum / rows;
}
