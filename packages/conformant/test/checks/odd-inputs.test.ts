import { describe, expect, it } from "vitest";
import {
  classify,
  classifyRows,
  conform,
  conformChunks,
  createClassifier,
  drawPanels,
  encode,
  expectedPrediction,
  explain,
  fitBaseline,
  impute,
  keepsDecision,
  type Row,
  readClassifier,
  type Schema,
  surprise,
  train,
  valueLabels,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
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

  it("reduced models answer for a scorecard", () => {
    const g = random(1);
    const rows: Row[] = Array.from({ length: 80 }, () => {
      const [x, z] = [2 * g.normal(), g.integer(2)];
      return { x, z, y: x + z + g.normal() > 0.5 ? "yes" : "no" };
    });
    const { probabilities } = fitBaseline("reduced", scorecard, rows).predict([
      { x: 3 },
      { x: -3 },
      { z: 1 },
      {},
      { x: 1, z: 1 },
    ]);
    const yes = [0, 1, 2, 3, 4].map((r) => probabilities[2 * r + 1]);
    expect(yes[0]).toBeGreaterThan(yes[2]);
    expect(yes[1]).toBeLessThan(yes[2]);
    expect(yes[3]).toBe(rows.filter(({ y }) => y === "yes").length / rows.length);
    expect(yes[4]).toBe(classify(scorecard, { x: 1, z: 1 }).yes);
  });

  it("the standard error of answers around 1e8 is that of the answers around 0", () => {
    const model = randomModel({ seed: 3, columns: 4, classes: 2, kinds: ["binary"] });
    const [near, far] = [0, 1e8].map((level) =>
      expectedPrediction((row) => level + Number(row.x0), model, {}, { enumerate: 0, samples: 400 }),
    );
    expect(far.standardError).toBeCloseTo(near.standardError ?? 0, 6);
    expect(near.standardError).toBeGreaterThan(0.001);
  });

  it("pictures take rows with other columns, and know shades of 255 from those of 1", () => {
    const model = randomModel({ seed: 3, columns: 4, classes: 2, kinds: ["numeric"] });
    const picture = (values: readonly number[]): string => {
      const row = { x0: values[0], x1: values[1], x2: values[2], x3: values[3], id: 7 };
      const explanation = explain(model, row, { extra: "ignore" });
      return drawPanels(model, [{ row, explanation }], { width: 2, height: 2 });
    };
    expect(picture([1, 255, 0, 1])).toContain("#010101");
    expect(picture([1, 255, 0, 1])).toContain("#ffffff");
    expect(picture([1, 0, 1, 0])).not.toContain("#010101");
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

  it("keepsDecision names its own argument", () => {
    const model = conform(scorecard, [{ x: 0.5, z: 1 }]);
    expectError(
      () => keepsDecision(model, { z: 1 }, ["x"]),
      "invalid-argument",
      /^columns: "x" is missing in the row/,
    );
    expectError(
      () => keepsDecision(model, { z: 1 }, ["q"]),
      "unknown-column",
      /^columns: "q" is not a column/,
    );
    expectError(
      () => keepsDecision(model, { z: 1 }, "z" as never),
      "invalid-argument",
      /^columns must be a list/,
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
});
