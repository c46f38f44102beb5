import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Classifier, type Columns, conform, createClassifier, type Marginals, train } from "conformant";
import { countMarginals } from "conformant/remote";
import { random } from "../packages/conformant/src/math/random.ts";
import { type BenchRow, datasetFile, duration, peer, times } from "./support/measure.ts";

/** Naive conformant learning: against the paper's geometric program, at the size of MNIST and with 10⁵ columns. */
export async function benchConform(): Promise<BenchRow[]> {
  return [...splice(), mnistSize(), ...manyColumns()];
}

function splice(): BenchRow[] {
  const samples = datasetFile("splice/nacl-train-splice-samples.txt");
  const labels = datasetFile("splice/nacl-train-splice-labels.txt");
  if (!samples || !labels) return [];
  const bits = lines(samples).map((line) => line.split(",").map(Number));
  const columns = Object.fromEntries(bits[0].map((_, i) => [`b${i}`, Int8Array.from(bits, (row) => row[i])]));
  const y = lines(labels);
  const data: Columns = { ...columns, y };
  const classifier = train(data, { label: "y", l2: 10 });
  const marginals = countMarginals(classifier.schema, data);
  const ours = times(21, () => conform(classifier, marginals)).median;
  const K = classifier.classes.length;
  const problem = {
    weights: classifier.classes.map((_, k) => [
      classifier.intercept[k],
      ...bits[0].map((_, i) => classifier.weights[i * K + k]),
    ]),
    classCounts: classifier.classes.map((name) => y.filter((label) => label === name).length),
    onesPerClass: classifier.classes.map((name) =>
      bits[0].map((_, i) => bits.reduce((sum, row, r) => sum + (y[r] === name ? row[i] : 0), 0)),
    ),
  };
  const theirs = peer<{ seconds: number }>("conform_cvxopt.py", problem);
  const ratio = theirs && (theirs.seconds * 1000) / ours;
  return [
    {
      what: "conform, Splice (240 bits, 3 classes), against CVXOPT's geometric program",
      ours: duration(ours),
      peer: theirs ? duration(theirs.seconds * 1000) : "–",
      ratio: ratio ? `${Math.round(ratio)}×` : "–",
      bar: "1000× or more",
      met: ratio === undefined ? undefined : ratio >= 1000,
    },
  ];
}

function mnistSize(): BenchRow {
  const { classifier, marginals } = randomProblem(784, 0.3);
  const { median, least, most } = times(41, () => conform(classifier, marginals));
  return {
    what: "conform, MNIST size (784 columns, 10 classes), warm",
    ours: `${duration(median)} (${duration(least)} to ${duration(most)})`,
    peer: "20 to 30 min, as the authors report",
    ratio: "–",
    bar: "30 ms or less",
    met: median <= 30,
  };
}

function manyColumns(): BenchRow[] {
  const small = randomProblem(10_000, 0.03);
  const large = randomProblem(100_000, 0.01);
  const [few, many] = [small, large].map(
    ({ classifier, marginals }) => times(3, () => conform(classifier, marginals)).median,
  );
  return [
    {
      what: "conform, 100,000 columns, 10 classes",
      ours: duration(many),
      peer: `10,000 columns: ${duration(few)}`,
      ratio: `${(many / few).toPrecision(3)}× the time for 10× the columns`,
      bar: "3 s or less",
      met: many <= 3000,
    },
  ];
}

function randomProblem(n: number, scale: number): { classifier: Classifier; marginals: Marginals } {
  const g = random(n);
  const K = 10;
  const schema = {
    columns: Array.from({ length: n }, (_, i) => ({ name: `x${i}`, kind: "binary" as const })),
  };
  const classifier = createClassifier({
    schema,
    classes: Array.from({ length: K }, (_, k) => `${k}`),
    intercept: Float64Array.from({ length: K }, () => g.normal()),
    weights: Float64Array.from({ length: n * K }, () => scale * g.normal()),
  });
  const columns = schema.columns.map(() => {
    const ones = g.integer(60_001);
    return { kind: "discrete" as const, counts: Float64Array.of(60_000 - ones, ones) };
  });
  return { classifier, marginals: { schema, rows: 60_000, columns } };
}

function lines(path: string): string[] {
  return readFileSync(path, "utf8").trim().split("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchConform());
