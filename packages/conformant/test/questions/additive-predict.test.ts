import { describe, expect, it } from "vitest";
import * as small from "../../src/entries/predict.ts";
import { type Model, predict, type Row, saveModel } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";
import { randomTreeModel } from "../support/random-trees.ts";

function expectSame(model: Model, rows: readonly Row[]): void {
  const loaded = small.loadModel(saveModel(model));
  for (const row of rows) expect(small.predict(loaded, row)).toEqual(predict(model, row));
}

describe("conformant/predict", () => {
  it("reads the model files of the library and gives its answers, to the last bit", () => {
    const g = random(5);
    for (let seed = 0; seed < 10; seed++) {
      const size = { seed, columns: 6, classes: 3 };
      for (const atoms of [randomModel(size), randomMixture({ ...size, components: 5 })]) {
        const rows = Array.from({ length: 10 }, () => randomRow(atoms, g));
        expectSame(
          atoms,
          rows.map((row) => someOf(row, g, 0.6)),
        );
      }
      const block = randomGaussianModel({ seed, numbers: 5, classes: 3, components: 4 });
      expectSame(
        block,
        Array.from({ length: 10 }, () => randomGaussianRow(5, g)),
      );
    }
  });

  it("refuses trees, and says where they are read", () => {
    const { model, rows } = randomTreeModel(3, { link: "logistic" }, { components: 1, numeric: "atoms" });
    expect(() => small.loadModel(saveModel(model))).toThrow(/has trees, which conformant\/predict does not/);
    expectError(
      () => small.predict(model, rows[0]),
      "invalid-argument",
      /is for additive classifiers, got a model of kind trees/,
    );
  });

  it("refuses what is no model, no row and no options as the library does", () => {
    const model = randomGaussianModel({ seed: 1, numbers: 2, classes: 2, components: 2 });
    const odd = (thing: unknown): never => thing as never;
    expectError(() => small.loadModel("{"), "model-format", /not complete JSON/);
    expectError(() => small.predict(odd({}), {}), "invalid-argument", /model/);
    expectError(() => small.predict(model, odd(3)), "invalid-argument", /row must be an object .* got 3/);
    expectError(() => small.predict(model, {}, odd("strict")), "invalid-argument", /options/);
    expectError(() => small.predict(model, { "no such column": 1 }), "unknown-column", /no such column/);
  });
});
