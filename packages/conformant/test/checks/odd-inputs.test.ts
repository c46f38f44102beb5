import { describe, expect, it } from "vitest";
import { createComponent } from "../../src/distribution/distribution.ts";
import { classifyRows, valueLabels } from "../../src/entries/internal.ts";
import { conformChunks } from "../../src/entries/remote.ts";
import {
  classify,
  conform,
  createClassifier,
  encode,
  expectedPrediction,
  explain,
  impute,
  readClassifier,
  type Schema,
  shapley,
  surprise,
  train,
} from "../../src/index.ts";
import { expectError } from "../support/error.ts";
import * as library from "../support/library.ts";
import { randomModel } from "../support/random-model.ts";

const binned: Schema = {
  columns: [
    { name: "x", kind: "binned", edges: [0, 1] },
    { name: "z", kind: "binary" },
  ],
};
const scorecard = createClassifier({
  schema: binned,
  classes: ["no", "yes"],
  label: "y",
  intercept: Float64Array.of(0, -0.5),
  weights: Float64Array.of(0, -1, 0, 0.5, 0, 2, 0, 1),
});

describe("odd inputs that are right", () => {
  it("surprise has an expected log P without pseudo-counts, where some rows cannot occur", () => {
    const classifier = createClassifier({
      ...scorecard,
      schema: { columns: [{ name: "c", kind: "categorical", values: ["a", "b", "never"] }] },
      weights: Float64Array.of(0, 1, 0, -1, 0, 2),
    });
    const model = conform(classifier, [{ c: "a" }, { c: "b" }, { c: "a" }], { pseudocount: 0 });
    const { expected } = surprise(model, { c: "a" });
    expect(expected).toBeCloseTo((2 * Math.log(2 / 3) + Math.log(1 / 3)) / 3, 9);
  });

  it("a scorecard is read with a feature per bin, and not with one number", () => {
    const labels = valueLabels(binned.columns[0] as { name: "x"; kind: "binned"; edges: number[] });
    const features = [...labels.map((label) => `x=${label}`), "z"];
    const json = { classes: ["no", "yes"], features, intercept: [-0.5], coef: [[-1, 0.5, 2, 1]] };
    expect(readClassifier(json, binned).weights).toEqual(scorecard.weights);
    const one = { ...json, features: ["x", "z"], coef: [[1, 1]] };
    expectError(
      () => readClassifier(one, binned),
      "unknown-column",
      /"x" is one number, but the column is binned: it needs a feature per value \("x=< 0"\)/,
    );
  });

  it("classifyRows finds columns by name", () => {
    const other: Schema = { columns: [binned.columns[1], binned.columns[0]] };
    const [no, yes] = classifyRows(scorecard, encode(other, [{ x: 0.5, z: 1 }]));
    expect({ no, yes }).toEqual(classify(scorecard, { x: 0.5, z: 1 }));
  });

  it("the standard error of answers around 1e8 is that of the answers around 0", () => {
    const model = randomModel({ seed: 3, columns: 4, classes: 2, kinds: ["binary"] });
    const [near, far] = [0, 1e8].map((level) =>
      expectedPrediction((row) => level + Number(row.x0), model, {}, { enumerate: 0, samples: 400 }),
    );
    expect(far.standardError).toBeCloseTo(near.standardError ?? 0, 6);
    expect(near.standardError).toBeGreaterThan(0.001);
  });

  it("a column of 150,000 categories is imputed", () => {
    const values = Array.from({ length: 150_000 }, (_, v) => `v${v}`);
    const classifier = createClassifier({
      schema: { columns: [{ name: "c", kind: "categorical", values }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: new Float64Array(300_000),
    });
    const { c } = impute(conform(classifier, [{ c: "v77" }]), {});
    expect(c.kind === "discrete" && c.mostLikely).toBe("v77");
  });

  it("values drawn for a bin fall into it, however large its edge and however narrow it is", () => {
    for (const edges of [
      [5.4e89],
      [-5.4e89],
      [1, 1 + Number.EPSILON],
      [1 + Number.EPSILON, 1 + 2 * Number.EPSILON],
    ]) {
      const schema: Schema = { columns: [{ name: "x", kind: "binned", edges }] };
      const bins = edges.length + 1;
      const weights = new Float64Array(2 * bins);
      const card = createClassifier({
        schema,
        classes: ["no", "yes"],
        intercept: new Float64Array(2),
        weights,
      });
      const cells = [-1e90, ...edges];
      const model = conform(
        card,
        cells.map((x) => ({ x })),
      );
      const drawn = encode(schema, library.sample(model, {}, { count: 200 })).columns[0];
      for (let bin = 0; bin < bins; bin++)
        expect(drawn.filter((b: number) => b === bin).length, `bin ${bin} of ${edges}`).toBeGreaterThan(20);
    }
  });

  it("surprise knows what a row is worth whose class is too unlikely for a number", () => {
    const classifier = createClassifier({
      schema: { columns: [{ name: "x", kind: "binary" }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, -800),
      weights: Float64Array.of(0, 900),
    });
    const model = conform(classifier, [{ x: 0 }, { x: 1 }]);
    const component = createComponent(classifier, model.atoms, {
      logWeight: 0,
      logQ: Float64Array.of(0, -1500),
    });
    // P(x = 1) = P(no) e^−1500 + P(yes) e^−600, with P(yes) = e^−800.
    const { logEvidence } = surprise({ ...model, components: [component] }, { x: 1 });
    expect(logEvidence).toBeCloseTo(-1400, 6);
  });

  it("a mixture has no more components than rows, however many are asked for", () => {
    const rows = [0, 1, 0].map((z, r) => ({ x: r - 0.5, z }));
    const many = library.conformMixture(scorecard, rows, { components: 1e9 });
    expect(many.components.length).toBeLessThanOrEqual(3);
    expect(many.certificate).toEqual(library.conformMixture(scorecard, rows, { components: 3 }).certificate);
  });

  it("moments of numbers that are tiny are compared without underflow", () => {
    const tiny = [3, -8.1e-161, -1].map((b, r) => ({ a: [-7e-292, 0, 1.8e-111][r], b }));
    const classifier = createClassifier({
      schema: { columns: ["a", "b"].map((name) => ({ name, kind: "numeric" as const })) },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0.3),
      weights: Float64Array.of(0, -1000, 0, -2),
    });
    const model = library.conformMixture(classifier, tiny, { components: 1, numeric: "gaussian" });
    expect(Number.isFinite(model.certificate.gaussian?.momentMismatch)).toBe(true);
  });
});

describe("odd inputs that are wrong", () => {
  it("chunks that can be read only once", async () => {
    const once = [{ data: [{ x: 1, z: 0 }] }][Symbol.iterator]();
    const chunks = () => ({ [Symbol.iterator]: () => once });
    await expect(conformChunks(scorecard, chunks, { components: 1 })).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringMatching(/chunks gave no rows when it was called again/),
    });
  });

  it("surprise names what is no number among those to compare with", () => {
    const model = conform(scorecard, [{ x: 0.5, z: 1 }]);
    for (const [reference, words] of [
      ["abc", /^options.reference must be a list of numbers, got "abc"/],
      [[-1, Number.NaN], /^options.reference\[1\] must be a number, got NaN/],
      [{ length: 1 }, /^options.reference\[0\] must be a number, got undefined/],
    ] as const)
      expectError(
        () => surprise(model, { z: 1 }, { reference: reference as never }),
        "invalid-argument",
        words,
      );
  });

  it("train says that weights of 0 leave no row", () => {
    const rows = [
      { x: 1, y: "a" },
      { x: 2, y: "b" },
    ];
    expectError(
      () => train(rows, { label: "y", weights: [0, 0] }),
      "empty-data",
      /have no label, or a weight of 0/,
    );
  });

  const rows = [
    { x: 0.5, z: 1, y: "no" },
    { x: 2, z: 0, y: "yes" },
  ];
  const model = conform(scorecard, rows);
  const calibration = library.calibrate(model, rows, { label: "y" });
  const trees = library.trainTrees(rows, { label: "y", maxIterations: 1 });
  const treeModel = library.conformMixture(trees, rows, { components: 1 });
  const table = encode(binned, rows);
  const priced = rows.map((row, r) => ({ ...row, price: r % 5 }));
  const numbers = library.conform(library.trainRegressor(priced, { label: "price" }), priced);
  const numberCalibration = library.calibrate(numbers, priced, { label: "price" });
  /** Every function of the library that takes options. */
  const withOptions: Record<string, (options: never) => unknown> = {
    askNext: (options) => library.askNext(model, {}, options),
    askPlan: (options) => library.askPlan(model, {}, options),
    askTree: (options) => library.askTree(model, {}, options),
    calibrate: (options) => library.calibrate(model, rows, options),
    conform: (options) => conform(scorecard, rows, options),
    conformChunks: (options) => conformChunks(scorecard, () => [{ data: rows }], options),
    conformMixture: (options) => library.conformMixture(scorecard, rows, options),
    conformRemote: (options) =>
      library.conformRemote(
        scorecard,
        library.startMixture(scorecard, rows, 2),
        async () => never(),
        options,
      ),
    countMarginals: (options) => library.countMarginals(binned, rows, options),
    encode: (options) => encode(binned, rows, options),
    predictRow: (options) => library.predictRow(treeModel, {}, options),
    expectedPrediction: (options) => expectedPrediction(() => 1, model, {}, options),
    explain: (options) => explain(model, {}, options),
    howSure: (options) => library.howSure(model, {}, options),
    impute: (options) => impute(model, {}, options),
    inferSchema: (options) => library.inferSchema(rows, options),
    logEvidence: (options) => library.logEvidence(model, {}, options),
    logJoint: (options) => library.logJoint(model, {}, options),
    marginalsFromCounts: (options) =>
      library.marginalsFromCounts(binned, { rows: 1, columns: { x: [[1, 1]], z: [[1, 1]] } }, options),
    predict: (options) => library.predict(model, {}, options),
    predictSmall: (options) => library.predictSmall(model, {}, options),
    predictColumns: (options) => library.predictColumns(model, rows, options),
    predictionInterval: (options) => library.predictionInterval(numbers, numberCalibration, {}, options),
    predictionIntervals: (options) =>
      library.predictionIntervals(numbers, numberCalibration, priced, options),
    predictionSet: (options) => library.predictionSet(model, calibration, {}, options),
    predictionSets: (options) => library.predictionSets(model, calibration, rows, options),
    sample: (options) => library.sample(model, {}, options),
    sensitivity: (options) => library.sensitivity(model, {}, options),
    startMixture: (options) => library.startMixture(scorecard, rows, 2, options),
    shapley: (options) => shapley(model, {}, options),
    surprise: (options) => surprise(model, {}, options),
    train: (options) => train(rows, options),
    trainRemote: (options) =>
      library.trainRemote(table, { rows: 2, rowsWithGaps: 0, scaling: new Map() }, options, async () =>
        never(),
      ),
    trainRegressor: (options) => library.trainRegressor(rows, options),
    trainTreeRegressor: (options) => library.trainTreeRegressor(rows, options),
    trainTrees: (options) => library.trainTrees(rows, options),
    trainOnIncomplete: (options) => library.trainOnIncomplete(rows, options),
  };

  it.each(Object.entries(withOptions))("options of %s that are no object", async (_, call) => {
    for (const [options, text] of [
      [null, "null"],
      ["y", '"y"'],
      [["y"], "Array of length 1"],
    ])
      await expect(async () => call(options as never)).rejects.toMatchObject({
        code: "invalid-argument",
        message: `options must be an object, got ${text}`,
      });
  });

  it("no function that takes options is forgotten", () => {
    const declared = Object.entries(library).filter(
      ([, value]) => typeof value === "function" && /^[^{]*\boptions\b/.test(String(value)),
    );
    const names = declared.map(([name]) => name).filter((name) => name !== "trainWithGaps"); // an old name of trainOnIncomplete
    expect(names.filter((name) => !Object.hasOwn(withOptions, name))).toEqual([]);
  });
});

function never(): never {
  throw new Error("nobody is to ask");
}
