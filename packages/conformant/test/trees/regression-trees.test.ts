import { describe, expect, it } from "vitest";
import {
  conformMixture,
  createModel,
  explain,
  howSure,
  loadRegressionModel,
  predict,
  predictColumns,
  predictRow,
  type Row,
  regress,
  saveModel,
  trainTreeRegressor,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { randomDistribution, randomRow, schemaOf, truthOf } from "../support/regression.ts";

/** Sums of products in another order. */
const ROUNDING = 1e-12;
const schema = schemaOf(2);

/** Rows with a price that is no sum over columns. */
function rowsOf(count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const row = randomRow(schema, g, 2);
    const both = Number(row.x1) > 0 && row.color === "red" ? 5 : 0;
    return { ...row, price: 3 + both + 2 * Number(row.x2) * Number(row.bit) + 0.2 * g.normal() };
  });
}

describe("regression trees", () => {
  const rows = rowsOf(600, 1);
  const trees = trainTreeRegressor(rows, { label: "price", types: { bit: "binary" }, maxIterations: 40 });
  const atoms = createModel(
    trees,
    randomDistribution(trees.schema, { components: 3, gaussian: false, g: random(3) }),
  );

  it("learn what no sum over columns says", () => {
    const held = rowsOf(300, 2);
    const error = held.reduce(
      (sum, row) => sum + (regress(trees, row) - Number(row.price)) ** 2 / held.length,
      0,
    );
    const mean = rows.reduce((sum, { price }) => sum + Number(price) / rows.length, 0);
    const spread = held.reduce((sum, row) => sum + (mean - Number(row.price)) ** 2 / held.length, 0);
    expect(error).toBeLessThan(0.15 * spread);
  });

  it("are expected to answer the sum over leaves, exactly, whatever is missing", () => {
    const g = random(4);
    for (let r = 0; r < 12; r++) {
      const row = randomRow(schema, g, 0.5);
      const { value, standardError } = predictRow(atoms, row);
      expect(Math.abs(value - truthOf(atoms, row).mean)).toBeLessThan(ROUNDING * 10);
      expect(standardError).toBe(0);
    }
  });

  it("answer complete rows themselves, to the last bit", () => {
    const complete = rowsOf(30, 5).map(({ price: _, ...row }) => row);
    const { values } = predictColumns(atoms, complete);
    complete.forEach((row, r) => {
      expect(values[r]).toBe(regress(trees, row));
    });
  });

  it("are averaged over cells or draws under a log link, within their standard error", () => {
    const counts = rows.map((row) => ({ ...row, price: Math.round(Math.max(0, Number(row.price))) }));
    const poisson = trainTreeRegressor(counts, { label: "price", link: "log", maxIterations: 25 });
    const own = createModel(
      poisson,
      randomDistribution(poisson.schema, { components: 2, gaussian: false, g: random(3) }),
    );
    for (const row of [{}, { x1: 0.5 }, { color: "red", bit: 1 }])
      expect(predict(own, row) / truthOf(own, row).mean).toBeCloseTo(1, 12);
  });

  it("are drawn where a Gaussian has missing numbers, and the stated errors hold", () => {
    const model = conformMixture(
      trees,
      rows.map(({ price: _, ...row }) => row),
      {
        components: 2,
        numeric: "gaussian",
      },
    );
    const many = howSure(model, { color: "red", bit: 1 }, { samples: 200_000, seed: 5 });
    const { value, standardError = 0 } = predictRow(model, { color: "red", bit: 1 });
    expect(standardError).toBeGreaterThan(0);
    const { value: deviation } = many.standardDeviation;
    expect(standardError).toBeLessThan(0.01 * deviation);
    const explained = explain(model, { color: "red", bit: 1, x1: 1 }, { timeLimit: 1 });
    expect(Math.abs(value - many.prediction)).toBeLessThan(5 * standardError + 1e-9);
    expect(explained.raises.length + explained.lowers.length).toBeGreaterThan(0);
  });

  it("read back from a model file to the same bits", () => {
    const text = saveModel(atoms);
    expect(JSON.parse(text).version).toBe(5);
    const read = loadRegressionModel(text);
    expect(saveModel(read)).toBe(text);
    expect(predict(read, { x1: 0.3 })).toBe(predict(atoms, { x1: 0.3 }));
  });

  it("answer bad labels in one line", () => {
    const bad = rows.map((row) => ({ ...row, price: -1 - Number(row.bit) }));
    expect(() => trainTreeRegressor(bad, { label: "price", link: "log" })).toThrow(
      /must have numbers of at least 0 for link "log", got -[12]/,
    );
    expect(() => trainTreeRegressor(rows, { label: "color" })).toThrow(
      /must hold numbers for a regressor, got "/,
    );
  });
});
