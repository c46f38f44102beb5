// Trains model.json, a classifier of handwritten digits with 784 columns, on MNIST and rounds it. The comparison of question
// orders uses it, and the benchmark and the tests of the service, which need a wide model.
//
//   npm run datasets && npx tsx paper/digits/train.ts

import { writeFileSync } from "node:fs";
import {
  type Classifier,
  type Columns,
  conformMixture,
  createClassifier,
  loadModel,
  type Model,
  predictColumns,
  random,
  saveModel,
  train,
} from "conformant";
import { classTilt } from "conformant/remote";
import { type Digit, PIXELS, readMnist } from "./read-digits.ts";

const COMPONENTS = 20;
/** Strong enough that no pixel at the edge, where few training digits have ink, gets a large weight. */
const L2 = 100;
/** Decimals of the weights and of log q in the file. */
const [WEIGHT_DIGITS, LOG_DIGITS] = [4, 3];

const names = Array.from({ length: PIXELS }, (_, i) => `pixel${i}`);
const training = readMnist("train");
const data = columnsOf(training);

const classifier = train({ ...data, digit: training.map(({ label }) => label) }, { label: "digit", l2: L2 });
const model = rounded(conformMixture(classifier, data, { components: COMPONENTS, maxIterations: 60 }));

writeFileSync(new URL("model.json", import.meta.url), saveModel(model));
report(loadModel(saveModel(model)), readMnist("t10k"));

/** The model as the file has it: fewer decimals, a fraction of the size. */
function rounded(exact: Model<Classifier>): Model<Classifier> {
  const round = (digits: number) => (x: number) => Number(x.toFixed(digits));
  const { intercept, weights } = exact.predictor;
  const predictor = createClassifier({
    ...exact.predictor,
    intercept: intercept.map(round(WEIGHT_DIGITS)),
    weights: weights.map(round(WEIGHT_DIGITS)),
  });
  return {
    ...exact,
    predictor,
    tilt: classTilt(predictor),
    components: exact.components.map((component) => ({
      ...component,
      logWeight: round(LOG_DIGITS)(component.logWeight),
      logQ: component.logQ.map(round(LOG_DIGITS)),
    })),
  };
}

/** Accuracy on the test digits, whole and with pixels missing at random. */
function report(loaded: Model, test: readonly Digit[]): void {
  for (const missing of [0, 400, 640]) {
    const hidden = test.map((digit, r) => ({ ...digit, bits: hide(digit.bits, missing, r) }));
    const { probabilities, classes } = predictColumns(loaded, columnsOf(hidden));
    const right = test.filter(({ label }, r) => {
      const own = probabilities.subarray(r * classes.length, (r + 1) * classes.length);
      return classes[own.indexOf(Math.max(...own))] === label;
    });
    console.log(
      `${missing} of ${PIXELS} pixels missing: accuracy ${(right.length / test.length).toFixed(4)}`,
    );
  }
}

function hide(bits: Int8Array, count: number, seed: number): Int8Array {
  const g = random(seed);
  const order = Array.from(bits, (_, i) => ({ i, key: g.uniform() })).sort((a, b) => a.key - b.key);
  const left = bits.slice();
  for (const { i } of order.slice(0, count)) left[i] = -1;
  return left;
}

function columnsOf(digits: readonly Digit[]): Columns {
  return Object.fromEntries(
    names.map((name, i) => [name, Int8Array.from(digits, ({ bits }) => bits[i])] as const),
  );
}
