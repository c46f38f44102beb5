import { describe, expect, it } from "vitest";
import { featureValue, sidesOf } from "../../src/explanation/contributions.ts";
import {
  conform,
  createClassifier,
  type Explanation,
  explain,
  type Model,
  predict,
  type Row,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { binaryMarginals } from "../support/binary.ts";
import { expectError } from "../support/error.ts";
import { hardMixture, randomMixture, someOf, tiedModel } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

/** Sums of a dozen terms in another order. */
const ROUNDING = 1e-12;

/** Two classes, three 0/1 columns with known weights and marginals. */
function small(intercept = 0) {
  const classifier = createClassifier({
    schema: { columns: ["a", "b", "c"].map((name) => ({ name, kind: "binary" as const })) },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, intercept),
    weights: Float64Array.of(0, 3, 0, 1, 0, -2),
  });
  return conform(classifier, binaryMarginals(classifier, [50, 50, 50], 100));
}

/** Whether the sufficient and the opposing features alone lead to the same prediction. */
function keepsDecision(model: Model, row: Row, { prediction, sufficient, opposing }: Explanation): boolean {
  const known = [...sufficient, ...opposing].map((name) => [name, row[name]]);
  const p = predict(model, Object.fromEntries(known));
  return model.response.outputs.every((name) => name === prediction || p[name] < p[prediction]);
}

describe("an explanation", () => {
  it("has the prediction of predict, to the last bit", () => {
    for (let seed = 0; seed < 60; seed++) {
      const model = randomMixture({ seed, columns: 8, classes: 2 + (seed % 3), components: 1 + (seed % 2) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.7);
      const { prediction, probability, prior, missing } = explain(model, row);
      const p = predict(model, row);
      expect(probability).toBe(p[prediction]);
      expect(probability).toBe(Math.max(...Object.values(p)));
      expect(Math.abs(prior - predict(model, {})[prediction])).toBeLessThan(ROUNDING);
      expect(missing.length).toBe(8 - Object.keys(row).length);
    }
  });

  it("leads from the prior to the prediction, and with two classes by the contributions themselves", () => {
    for (let seed = 0; seed < 40; seed++) {
      const model = randomMixture({ seed, columns: 8, classes: 2 + (seed % 3), components: 1 + (seed % 2) });
      const row = randomRow(model, random(seed + 500));
      const { path, probability, prior, contributions } = explain(model, row);
      const way = path.reduce((sum, { logOdds }) => sum + logOdds, Math.log(prior / (1 - prior)));
      expect(Math.abs(way - Math.log(probability / (1 - probability)))).toBeLessThan(1e-9);
      expect(path.at(-1)?.probability).toBeCloseTo(probability, 10);
      if (model.response.outputs.length === 2 && model.components.length === 1) {
        const terms = contributions.map(({ logOdds }) => logOdds);
        path.forEach((step, i) => {
          expect(step.logOdds).toBeCloseTo(terms[i], 10);
        });
      }
    }
  });

  it("of a mixture names a smallest set, as enumeration finds it", () => {
    for (let seed = 0; seed < 30; seed++) {
      const model = randomMixture({ seed, columns: 8, classes: 2 + (seed % 3), components: 2, scale: 0.6 });
      const row = randomRow(model, random(seed + 500));
      const found = explain(model, row);
      const sizes = Array.from({ length: 2 ** found.support.length }, (_, mask) => {
        const sufficient = found.support.filter((_, f) => (mask >> f) & 1);
        return keepsDecision(model, row, { ...found, sufficient })
          ? sufficient.length
          : Number.POSITIVE_INFINITY;
      });
      expect(found.status).toBe("optimal");
      expect(keepsDecision(model, row, found)).toBe(true);
      expect(found.sufficient.length).toBe(Math.min(...sizes));
    }
  });

  it("measures a contribution by leaving the column out", () => {
    const model = randomModel({ seed: 9, columns: 6, classes: 3 });
    const row = randomRow(model, random(9));
    const { prediction, probability, contributions } = explain(model, row);
    for (const { column, value, ...effect } of contributions) {
      const without = predict(model, { ...row, [column]: null })[prediction];
      expect(value).toBe(row[column]);
      expect(effect.probability).toBeCloseTo(probability - without, 11);
    }
  });

  it("counts a zero contribution as support for the second class and as opposing the first, as the paper does", () => {
    const classifier = createClassifier({
      schema: { columns: ["a", "zero"].map((name) => ({ name, kind: "binary" as const })) },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, -1),
      weights: Float64Array.of(0, 2, 0, 0),
    });
    const model = conform(classifier, binaryMarginals(classifier, [50, 50], 100));
    expect(explain(model, { a: 1, zero: 1 })).toMatchObject({
      prediction: "yes",
      support: ["a", "zero"],
      opposing: [],
    });
    expect(explain(model, { a: 0, zero: 1 })).toMatchObject({
      prediction: "no",
      support: ["a"],
      opposing: ["zero"],
    });
  });

  it("says so when classes are tied, and decides for the last", () => {
    const classifier = createClassifier({
      schema: { columns: [{ name: "a", kind: "binary" }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 0),
    });
    const model = conform(classifier, binaryMarginals(classifier, [50], 100));
    expect(explain(model, { a: 1 })).toMatchObject({
      prediction: "yes",
      probability: 0.5,
      tied: ["no", "yes"],
      support: ["a"],
      sufficient: [],
      status: "optimal",
    });
    const three = tiedModel(1, 4, 3);
    expect(explain(three, {}).tied.length).toBe(3);
  });

  it("has nothing to name when nothing is known", () => {
    const found = explain(small(), {});
    expect(found).toMatchObject({
      contributions: [],
      path: [],
      support: [],
      opposing: [],
      sufficient: [],
      status: "optimal",
    });
    expect(found.missing).toEqual(["a", "b", "c"]);
  });

  it("reports a category it does not know as missing", () => {
    const model = randomModel({ seed: 12, columns: 4, classes: 2, kinds: ["categorical"] });
    const found = explain(model, { x0: "never seen", x1: "a" });
    expect(found.missing).toContain("x0");
    expect(found.unseen).toEqual([{ column: "x0", count: 1, examples: ["never seen"] }]);
  });

  it("stops at its time limit with a set that suffices and a bound that holds", () => {
    const model = hardMixture();
    const row = randomRow(model, random(1));
    const found = explain(model, row, { timeLimit: 0 });
    expect(found.status).toBe("bounded");
    expect(found.lowerBound).toBeLessThan(found.sufficient.length);
    expect(keepsDecision(model, row, found)).toBe(true);
    const wide = randomModel({ seed: 3, columns: 400, classes: 10, scale: 0.2, kinds: ["binary"] });
    const other = randomRow(wide, random(2));
    const quick = explain(wide, other, { timeLimit: 0 });
    expect(keepsDecision(wide, other, quick)).toBe(true);
    expect(quick.lowerBound).toBeLessThanOrEqual(quick.sufficient.length);
  });

  it("says that a probability cannot be kept", () => {
    const found = explain(small(), { a: 1, c: 1 }, { threshold: 0.999 });
    expect(found).toMatchObject({ status: "impossible", sufficient: [], lowerBound: null, threshold: 0.999 });
  });

  it("lists a group under its name with the values of its columns", () => {
    const found = explain(small(), { a: 1, b: 0, c: 1 }, { groups: { both: ["a", "c"] } });
    expect(found.contributions.find(({ column }) => column === "both")?.value).toEqual({ a: 1, c: 1 });
    expect([...found.support, ...found.opposing].sort()).toEqual(["b", "both"]);
  });

  it("refuses what it cannot make sense of", () => {
    const model = small();
    const row = { a: 1, b: 1 };
    expectError(() => explain(model, { d: 1 }), "unknown-column", /"d" is not a column of the model/);
    expectError(() => explain(model, row, { use: ["d"] }), "unknown-column", /options\.use: "d"/);
    expectError(() => explain(model, row, { use: ["c"] }), "invalid-argument", /"c" is missing in the row/);
    expectError(
      () => explain(model, row, { use: ["a"], avoid: ["a"] }),
      "invalid-argument",
      /"a" is in both options\.use and options\.avoid/,
    );
    expectError(
      () => explain(model, row, { threshold: 1 }),
      "invalid-argument",
      /options\.threshold .* got 1/,
    );
    expectError(() => explain(model, row, { timeLimit: -1 }), "invalid-argument", /options\.timeLimit/);
    expectError(
      () => explain(model, row, { groups: { g: ["a"], h: ["a"] } }),
      "invalid-argument",
      /shares column "a"/,
    );
    expectError(() => explain(model, row, { groups: { g: ["x"] } }), "unknown-column", /"x"/);
    expectError(
      () => explain(model, row, { groups: { b: ["a"] } }),
      "invalid-argument",
      /name of a column outside/,
    );
  });
});

it("a feature without effect supports every decision but the one for the first of two classes", () => {
  const changes = {
    scores: Float64Array.of(0.1, -3, 2),
    values: new Float64Array(3),
    sign: Int8Array.of(0, -1, 1),
  };
  expect(sidesOf(2, 1, changes)).toEqual({ order: [1, 2, 0], support: [2, 0], opposing: [1] });
  expect(sidesOf(2, 0, changes)).toEqual({ order: [1, 2, 0], support: [2], opposing: [1, 0] });
  expect(sidesOf(3, 0, changes).support).toEqual([2, 0]);
});

it("the value of a feature is that of its column, with or without the indicator, and that of a group has the names of its columns", () => {
  const gapOf = "age";
  const schema = {
    columns: [
      { name: "age", kind: "numeric" },
      { name: "age is missing", kind: "binary", gapOf },
      { name: "size", kind: "numeric" },
    ],
  } as const;
  const value = (name: string, ...columns: number[]): unknown =>
    featureValue(schema, { age: 40, size: 3 }, { name, columns });
  expect(value("age", 0)).toBe(40);
  expect(value("age", 0, 1)).toBe(40);
  expect(value("body", 0, 2)).toEqual({ age: 40, size: 3 });
  expect(value("body", 0, 1, 2)).toEqual({ age: 40, size: 3 });
});
