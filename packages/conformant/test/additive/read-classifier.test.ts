import { describe, expect, it } from "vitest";
import {
  type ClassifierJson,
  classify,
  conform,
  createClassifier,
  predict,
  type Row,
  readClassifier,
} from "../../src/index.ts";
import { expectError } from "../support/error.ts";

const json: ClassifierJson = {
  classes: ["no", "yes"],
  features: ["age", "sex=male", "sex=female"],
  intercept: [-1.2],
  coef: [[0.03, 0.4, -0.4]],
};
const rows: Row[] = [
  { age: 20, sex: "male" },
  { age: 30, sex: "female" },
  { age: 41.5, sex: "other" },
  { age: 50, sex: null },
];

describe("readClassifier", () => {
  it("reads log-odds of the second class over numbers and one-hot bits", () => {
    const classifier = readClassifier(json, rows);
    const logit = -1.2 + 0.03 * 20 + 0.4;
    expect(classify(classifier, { age: 20, sex: "male" }).yes).toBeCloseTo(1 / (1 + Math.exp(-logit)), 15);
  });

  it("gives the reference level, a value without a feature, weight 0", () => {
    const classifier = readClassifier(json, rows);
    expect(classify(classifier, { age: 20, sex: "other" }).yes).toBeCloseTo(
      1 / (1 + Math.exp(1.2 - 0.6)),
      15,
    );
  });

  it("knows values that only the classifier names", () => {
    const classifier = readClassifier(json, [{ age: 1.5, sex: "male" }]);
    expect(classify(classifier, { age: 1.5, sex: "female" }).yes).toBeCloseTo(
      1 / (1 + Math.exp(1.2 - 0.045 + 0.4)),
      15,
    );
  });

  it("undoes the scaling the classifier saw", () => {
    const scaled = readClassifier({ ...json, mean: [30, 0.5, 0.5], scale: [10, 0.5, 0.5] }, rows);
    const logit = -1.2 + (0.03 * (20 - 30)) / 10 + 0.4 * ((1 - 0.5) / 0.5) - 0.4 * ((0 - 0.5) / 0.5);
    expect(classify(scaled, { age: 20, sex: "male" }).yes).toBeCloseTo(1 / (1 + Math.exp(-logit)), 14);
  });

  it("reads a row of weights per class for more than two, and columns with = in their name", () => {
    const classifier = readClassifier(
      {
        classes: ["a", "b", "c"],
        features: ["x=y=1", "x=y=2", "n=m"],
        intercept: [0, 1, 2],
        coef: [
          [1, 2, 3],
          [4, 5, 6],
          [7, 8, 9],
        ],
      },
      [
        { "x=y": "1", "n=m": 0.5 },
        { "x=y": "2", "n=m": 2 },
      ],
    );
    const scores = [2 + 3 * 0.5, 1 + 5 + 6 * 0.5, 2 + 8 + 9 * 0.5].map(Math.exp);
    const total = scores.reduce((sum, s) => sum + s, 0);
    Object.values(classify(classifier, { "x=y": "2", "n=m": 0.5 })).forEach((p, k) => {
      expect(p).toBeCloseTo(scores[k] / total, 14);
    });
  });

  it("is conformed without labels", () => {
    const model = conform(readClassifier(json, rows), rows);
    expect(model.certificate.status).toBe("converged");
    expect(predict(model, { sex: "male" }).yes).toBeGreaterThan(predict(model, { sex: "female" }).yes);
  });

  it("names what does not fit", () => {
    const bad =
      (change: object, data: Row[] = rows) =>
      () =>
        readClassifier({ ...json, ...change }, data);
    expectError(
      bad({ features: ["age", "sex=male", "height"] }),
      "unknown-column",
      /names "height", but the data has only "age", "sex"/,
    );
    expectError(
      bad({ features: ["age", "sex", "sex=male"] }),
      "unknown-column",
      /"sex" is one number, but the column is categorical/,
    );
    expectError(
      bad({ features: ["age", "age", "sex=male"] }),
      "invalid-weights",
      /distinct names, got "age"/,
    );
    expectError(
      bad({ coef: [[1, 2]] }),
      "invalid-weights",
      /coef\[0\] must be 3 numbers, got Array of length 2/,
    );
    expectError(
      bad({
        coef: [
          [1, 2, 3],
          [1, 2, 3],
        ],
      }),
      "invalid-weights",
      /one row for two classes/,
    );
    expectError(
      bad({ coef: [[1, Number.NaN, 3]] }),
      "invalid-weights",
      /coef\[0\]\[1\] must be a finite number, got NaN/,
    );
    expectError(
      bad({ intercept: [Number.POSITIVE_INFINITY] }),
      "invalid-weights",
      /intercept\[0\] must be a finite number, got Infinity/,
    );
    expectError(bad({ intercept: [1, 2] }), "invalid-weights", /intercept must be 1 numbers/);
    expectError(bad({ classes: ["yes"] }), "invalid-weights", /classes must be a list of two or more/);
    expectError(bad({ classes: ["yes", "yes"] }), "invalid-argument", /distinct/);
    expectError(
      bad({ scale: [1, 0, 1] }),
      "invalid-weights",
      /scale\[1\] must be a number other than 0, got 0/,
    );
    expectError(() => readClassifier(null as never, rows), "invalid-weights", /classes/);
  });
});

describe("createClassifier and classify", () => {
  const schema = { columns: [{ name: "x", kind: "numeric" }] } as const;
  const parts = {
    schema,
    classes: ["n", "y"],
    intercept: Float64Array.of(0, 1),
    weights: Float64Array.of(0, 2),
  };

  it("check every number", () => {
    expectError(
      () => createClassifier({ ...parts, weights: Float64Array.of(0) }),
      "invalid-weights",
      /weights must have 2 numbers, slots × classes \(1 × 2\)/,
    );
    expectError(
      () => createClassifier({ ...parts, weights: Float64Array.of(0, Number.NaN) }),
      "invalid-weights",
      /weights\[1\] must be a finite number, got NaN/,
    );
    expectError(
      () => createClassifier({ ...parts, intercept: Float64Array.of(0) }),
      "invalid-weights",
      /intercept must have 2 numbers/,
    );
    expectError(
      () => createClassifier({ ...parts, schema: { columns: [] } }),
      "invalid-schema",
      /non-empty list of columns/,
    );
    const twice = {
      columns: [
        { name: "x", kind: "numeric" },
        { name: "x", kind: "binary" },
      ],
    } as const;
    expectError(() => createClassifier({ ...parts, schema: twice }), "invalid-schema", /"x" occurs twice/);
    const odd = { columns: [{ name: "x", kind: "date" as never }] };
    expectError(
      () => createClassifier({ ...parts, schema: odd }),
      "invalid-schema",
      /"x" must be numeric, binary, categorical or binned, got "date"/,
    );
  });

  it("copy what they are given", () => {
    const weights = Float64Array.of(0, 2);
    const classifier = createClassifier({ ...parts, weights });
    weights[1] = 100;
    expect(classifier.weights[1]).toBe(2);
  });

  it("need every column", () => {
    expectError(
      () => classify(createClassifier(parts), {}),
      "missing-value",
      /"x" is missing; predict answers rows with missing values/,
    );
  });
});

describe("conform", () => {
  const classifier = readClassifier(json, rows);
  it("names the option, column or rows that do not fit", () => {
    expectError(
      () => conform(classifier, rows, { pseudocount: -1 }),
      "invalid-argument",
      /options.pseudocount must be a number from 0 .* got -1/,
    );
    expectError(
      () => conform(classifier, rows, { tolerance: Number.NaN }),
      "invalid-argument",
      /options.tolerance .* got NaN/,
    );
    expectError(
      () => conform(classifier, rows, { maxIterations: 1.5 }),
      "invalid-argument",
      /options.maxIterations .* got 1.5/,
    );
    expectError(() => conform(classifier, []), "empty-data", /needs rows to learn from, got 0/);
    expectError(() => conform(classifier, [{ age: 3 }]), "empty-column", /"sex" has no value in any row/);
  });
});
