import { describe, expect, it } from "vitest";
import { additiveOf, answerOfTrees } from "../../src/entries/trees.ts";
import { classify, encode, readTrees, type TreeJson, type TreesJson } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { singleThreshold } from "../../src/trees/threshold.ts";
import { expectError } from "../support/error.ts";
import { randomTreeRows, randomTreesJson, TREE_SCHEMA } from "../support/random-trees.ts";

const STUMP: TreeJson = {
  feature: [0, -1, -1],
  threshold: [0.5, null, null],
  left: [1, -1, -1],
  right: [2, -1, -1],
  value: [null, -1, 1],
};
const JSON_OF: TreesJson = {
  kind: "trees",
  classes: ["no", "yes"],
  features: ["age"],
  link: "logistic",
  trees: [STUMP],
};

describe("trees of other software", () => {
  it("walk as the file says: at most the threshold goes left", () => {
    const trees = readTrees(JSON_OF, TREE_SCHEMA);
    const p = (age: number) => answerOfTrees(trees, Float64Array.of(age))[1];
    expect(p(0.5)).toBeCloseTo(1 / (1 + Math.E), 14);
    expect(p(0.5000001)).toBeCloseTo(1 / (1 + 1 / Math.E), 14);
  });

  it("compare in single precision where the file does, for every double", () => {
    const g = random(1);
    for (let n = 0; n < 20_000; n++) {
      const t = g.normal() * 10 ** (g.integer(20) - 10);
      const exact = singleThreshold(t);
      const near = Math.fround(t) * (1 + (g.uniform() - 0.5) * 2 ** -22);
      for (const x of [near, exact, t, exact * (1 + 2 ** -52), exact * (1 - 2 ** -52)])
        if (x <= exact !== Math.fround(x) <= t) expect.fail(`${x} against ${t}`);
    }
  });

  it("split a categorical column by the bits of its values, and by sets of codes", () => {
    const bit = readTrees({ ...JSON_OF, features: ["city=Ulm"] }, TREE_SCHEMA);
    const set = readTrees(
      {
        ...JSON_OF,
        features: ["city"],
        categories: [["Ulm", "Bonn", "Köln"]],
        trees: [{ ...STUMP, sets: [[1, 2], null, null] }],
      },
      TREE_SCHEMA,
    );
    for (const trees of [bit, set]) {
      const answers = ["Bonn", "Köln", "Ulm"].map((city) => {
        const table = encode(trees.schema, [{ city }]);
        return answerOfTrees(trees, Float64Array.of(table.columns[0][0]))[1] > 0.5;
      });
      expect(answers).toEqual([false, false, true]);
    }
  });

  it("become a sum over columns where no tree looks at two", () => {
    const g = random(4);
    const json = randomTreesJson(g, { link: "softmax", classes: 3, trees: 30, depth: 1 });
    const trees = readTrees(json, TREE_SCHEMA);
    const sum = additiveOf(trees);
    if (!sum) throw new Error("expected an additive classifier");
    for (const row of randomTreeRows(g, 200)) {
      const table = encode(trees.schema, [row]);
      const own = answerOfTrees(
        trees,
        Float64Array.from(table.columns, (cells) => cells[0]),
      );
      Object.values(classify(sum, row)).forEach((p, k) => {
        expect(Math.abs(p - own[k])).toBeLessThan(1e-14);
      });
    }
    expect(additiveOf(readTrees(randomTreesJson(g, { link: "logistic" }), TREE_SCHEMA))).toBeUndefined();
  });

  it("are refused where they are no trees", () => {
    const wrong: [Partial<TreeJson>, RegExp][] = [
      [{ left: [0, -1, -1] }, /no cycle/],
      [{ left: [7, -1, -1] }, /children among its 3 nodes/],
      [{ threshold: [Number.NaN, null, null] }, /number as threshold/],
      [{ value: [null, Number.NaN, 1] }, /finite number/],
      [{ feature: [3, -1, -1] }, /one of the 1 features/],
      [{ value: [null, 1] }, /of the same length/],
      [{ sets: [[0], null, null] }, /names are not told/],
    ];
    for (const [change, message] of wrong)
      expectError(
        () => readTrees({ ...JSON_OF, trees: [{ ...STUMP, ...change }] }, TREE_SCHEMA),
        "invalid-weights",
        message,
      );
    expectError(
      () => readTrees({ ...JSON_OF, features: ["height"] }, TREE_SCHEMA),
      "unknown-column",
      /"height"/,
    );
    expectError(
      () => readTrees({ ...JSON_OF, features: ["city"] }, TREE_SCHEMA),
      "unknown-column",
      /categorical/,
    );
  });
});
