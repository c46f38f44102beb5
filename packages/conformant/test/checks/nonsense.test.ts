import { expect, it } from "vitest";
import * as library from "../support/library.ts";

const rows = Array.from({ length: 12 }, (_, i) => ({
  x: i * 0.7 - 2,
  z: i % 2,
  c: "abc"[i % 3],
  y: i % 3 ? "no" : "yes",
}));
const clf = library.train(rows, { label: "y" });
const model = library.conform(clf, rows);
const calibration = library.calibrate(model, rows);
const schema = clf.schema;
const table = library.encode(schema, rows);
const trees = library.trainTrees(rows, { label: "y", maxIterations: 2 });
const tm = library.conformMixture(trees, rows, { components: 1 });
const why = library.explain(model, { z: 1, c: "a" });
const marg = library.countMarginals(schema, rows);
const json = { classes: ["no", "yes"], features: ["x", "z"], intercept: [0], coef: [[1, 2]] };
const tj = {
  kind: "trees",
  classes: ["a", "b"],
  features: ["x"],
  link: "softmax",
  trees: [
    {
      feature: [0, -1, -1],
      threshold: [0, null, null],
      left: [1, -1, -1],
      right: [2, -1, -1],
      value: [null, 1, 2],
      output: 0,
    },
  ],
};

const priced = rows.map(({ x, z, c }, r) => ({ x, z, c, price: r % 5 }));
const regressor = library.trainRegressor(priced, { label: "price" });
const numbers = library.conform(regressor, rows);
const numberCalibration = library.calibrate(numbers, priced, { label: "price" });
const regressorJson = { output: "price", features: ["x", "z"], intercept: 1, coef: [1, 2] };

const labelled = {
  ...table,
  schema: {
    columns: [...schema.columns, { name: "y", kind: "categorical" as const, values: ["no", "yes"] }],
  },
  columns: [...table.columns, Int32Array.from(rows, ({ y }) => (y === "no" ? 0 : 1))],
};

/** A call of every function as it should be. */
const calls: Readonly<Record<string, readonly unknown[]>> = {
  lossSums: [clf, labelled, new Map()],
  completeTable: [model, labelled, library.random(1)],
  checkTreesJson: [tj],
  conformChunks: [clf, () => [{ data: rows }], { components: 1 }],
  conformRemote: [clf, library.startMixture(clf, rows, 12, { components: 1 }), async () => undefined, {}],
  trainRemote: [
    table,
    { rows: 12, rowsWithGaps: 0, scaling: new Map() },
    { label: "y" },
    async () => undefined,
  ],

  createRegressor: [regressor],
  functionRegressor: [{ schema, output: "price", answer: () => 1 }],
  isRegression: [numbers],
  loadAnyModel: [library.saveModel(model)],
  loadRegressionModel: [library.saveModel(numbers)],
  readRegressor: [regressorJson, rows],
  regress: [regressor, rows[0]],
  trainRegressor: [rows, { label: "x" }],
  trainTreeRegressor: [rows, { label: "x", maxIterations: 1 }],
  createTreeRegressor: [library.trainTreeRegressor(rows, { label: "x", maxIterations: 1 })],

  askNext: [model, { z: 1 }, {}],
  askTree: [model, { z: 1 }, {}],
  branchInWords: [{ values: ["a"], next: library.askTree(model, {}) }],
  explain: [model, { z: 1 }, {}],
  howSure: [model, { z: 1 }, {}],
  predict: [model, { z: 1 }, {}],
  predictSmall: [model, { z: 1 }, {}],
  predictColumns: [model, rows, {}],
  createThreads: [[{ postMessage: () => undefined }]],
  helpThreads: [{ on: () => undefined }],
  predictRow: [tm, {}, {}],
  treesOf: [tm],
  classTilt: [clf],
  createModel: [clf, model],
  addColumns: [clf, [{ name: "extra", kind: "binary" }]],
  createClassifier: [clf],
  classify: [clf, rows[0]],
  classifyRows: [clf, table],
  readClassifier: [json, rows],
  train: [rows, { label: "y" }],
  conform: [clf, rows, {}],
  conformMixture: [clf, rows, { components: 1 }],
  startMixture: [clf, rows, 12, { components: 1 }],
  mixtureShape: [model],
  trainTrees: [rows, { label: "y", maxIterations: 1 }],
  trainOnIncomplete: [rows, { label: "y", components: 1, maxRounds: 1 }],
  countMarginals: [schema, rows, {}],
  marginalsFromCounts: [schema, { rows: 1, columns: { x: [[1, 1]], z: [[1, 1]], c: [["a", 1]] } }, {}],
  mergeMarginals: [marg, marg],
  random: [1],
  loadModel: [library.saveModel(model)],
  loadSmallModel: [library.saveModel(model)],
  saveModel: [model],
  askPlan: [model, { z: 1 }, {}],
  mixtureBetween: [
    { weights: Float64Array.of(1), means: Float64Array.of(0), standardDeviations: Float64Array.of(1) },
    0,
    1,
  ],
  decide: [[0.1, 0.9]],
  decisionInWords: [why],
  expectedPrediction: [() => 1, model, { z: 1 }, {}],
  explainInWords: [why],
  impute: [model, { z: 1 }, {}],
  logEvidence: [model, { z: 1 }, {}],
  logJoint: [model, { z: 1 }, {}],
  sample: [model, { z: 1 }, {}],
  calibrate: [model, rows, { label: "y" }],
  saveCalibration: [calibration],
  loadCalibration: [library.saveCalibration(calibration)],
  loadNumberCalibration: [library.saveCalibration(numberCalibration)],
  predictionInterval: [numbers, numberCalibration, { z: 1 }, {}],
  predictionIntervals: [numbers, numberCalibration, priced, {}],
  predictionSet: [model, calibration, { z: 1 }, {}],
  predictionSets: [model, calibration, rows, {}],
  sensitivity: [model, { z: 1 }, {}],
  sensitivityInWords: [library.sensitivity(model, { z: 1 })],
  shiftMissing: [model, { x: 0.5, c: { a: 1 } }],
  shapley: [model, { z: 1 }, {}],
  surprise: [model, { z: 1 }, {}],
  slotOffsets: [schema],
  encode: [schema, rows, {}],
  inferSchema: [rows, {}],
  findCompleteRows: [table],
  pickRows: [table, Int32Array.of(0)],
  sortLabels: [["b", "a"]],
  additiveOf: [trees],
  readTrees: [tj, schema],
  answerOfTrees: [trees, Float64Array.of(1, 2, 3)],
  createTreeClassifier: [trees],
  answerRows: [trees, rows],
  usualRange: [library.impute(model, {}).x],
};

/** Functions of one number, one text or one column, which are called for every cell and look at nothing twice. */
const PLAIN = [
  "ConformantError",
  "above",
  "below",
  "categoryFinder",
  "categoryKey",
  "foldText",
  "isDateText",
  "isMissingText",
  "numberPattern",
  "readNumberText",
  "singleBelow",
  "singleThreshold",
  "trimText",
  "truthNotation",
  "valueCount",
  "valueLabels",
];

const NONSENSE: readonly unknown[] = [
  null,
  undefined,
  7,
  "text",
  true,
  () => 1,
  [],
  {},
  [1, 2],
  [null],
  new Date(),
  new Map(),
  Number.NaN,
  { columns: null },
  { classes: [] },
  { schema: {} },
  "__proto__",
  [[]],
  Promise.resolve(),
  Symbol("s"),
  [Symbol("s"), Symbol("t")],
  10n,
  [10n],
  Object.create(null),
];

it.each(Object.entries(calls))(
  "%s takes nonsense for each of its arguments, or says what it must be",
  async (name, words) => {
    const call = (library as unknown as Record<string, (...all: unknown[]) => unknown>)[name];
    for (const [at] of words.entries())
      for (const bad of NONSENSE)
        try {
          await call(...words.map((word, j) => (j === at ? bad : word)));
        } catch (thrown) {
          expect(thrown, `argument ${at}`).toBeInstanceOf(library.ConformantError);
        }
  },
);

it("no function is forgotten", () => {
  const functions = Object.entries(library).flatMap(
    ([name, value]) => (typeof value === "function" && name !== "trainWithGaps" ? [name] : []), // an old name of trainOnIncomplete
  );
  expect([...Object.keys(calls), ...PLAIN].sort()).toEqual(functions.sort());
});
