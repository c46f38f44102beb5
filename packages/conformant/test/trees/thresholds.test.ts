import {
  type Column,
  classify,
  conform,
  loadModel,
  predict,
  readTrees,
  saveModel,
  type TreeJson,
} from "conformant";
import { additiveOf, answerRows, below, createTreeClassifier } from "conformant/trees";
import { describe, expect, it } from "vitest";

/** A tree with a single split on a feature: one value at or below the threshold, another above it. */
function stump(feature: number, threshold: number, low: number, high: number): TreeJson {
  return {
    feature: [feature, -1, -1],
    threshold: [threshold, null, null],
    left: [1, -1, -1],
    right: [2, -1, -1],
    value: [null, low, high],
  };
}

function logisticTrees(columns: readonly Column[], trees: readonly TreeJson[], classes = ["no", "yes"]) {
  const features = columns.map(({ name }) => name);
  return readTrees({ kind: "trees", classes, features, link: "logistic", trees }, { columns });
}

const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

describe("a threshold that no number exceeds", () => {
  const columns: Column[] = [{ name: "x", kind: "numeric" }];
  const rows = [{ x: 1 }, { x: 2 }, { x: 3 }];

  it.each([
    [Number.POSITIVE_INFINITY, sigmoid(3)],
    [Number.NEGATIVE_INFINITY, sigmoid(-3)],
  ])("%s stays that in a saved model", (threshold, truth) => {
    const model = conform(logisticTrees(columns, [stump(0, threshold, 3, -3)]), rows);
    for (const x of [-5, 5]) expect(predict(model, { x }).yes).toBeCloseTo(truth, 12);
    const read = loadModel(JSON.parse(JSON.stringify(saveModel(model))));
    for (const x of [-5, 5]) expect(predict(read, { x }).yes).toBeCloseTo(truth, 12);
  });
});

describe("trees on a binned column", () => {
  const binned: Column = { name: "age", kind: "binned", edges: [40, 60] };

  it("compare the number itself with a threshold between two bins", () => {
    const model = conform(logisticTrees([binned], [stump(0, below(40), -2, 2)]), [{ age: 30 }, { age: 50 }]);
    for (const age of [-100, 30, 39])
      expect(predict(model, { age }).yes, `${age}`).toBeCloseTo(sigmoid(-2), 12);
    for (const age of [40, 50, 70]) expect(predict(model, { age }).yes, `${age}`).toBeCloseTo(sigmoid(2), 12);
  });

  it("are refused where a threshold cuts through a bin, whose two sides cannot be told apart", () => {
    for (const threshold of [40, 50, 1000])
      expect(() => logisticTrees([binned], [stump(0, threshold, -2, 2)]), `${threshold}`).toThrow(
        /"age".*bin/,
      );
  });

  it("become the additive classifier that gives the same answers", () => {
    const trees = createTreeClassifier({
      kind: "trees",
      schema: { columns: [binned] },
      classes: ["young", "old"],
      link: "logistic",
      base: Float64Array.of(0),
      roots: Int32Array.of(0),
      nodes: {
        column: Int32Array.of(0, -1, -1),
        threshold: Float64Array.of(0, 0, 0),
        set: Int32Array.of(0, -1, -1),
        left: Int32Array.of(1, 0, 1),
        right: Int32Array.of(2, 0, 0),
        gapsLeft: Uint8Array.of(0, 0, 0),
      },
      // The first bin, ages below 40, goes left.
      sets: [Uint8Array.of(1, 0, 0)],
      width: 1,
      values: Float64Array.of(-2.6, 2.6),
      outputs: Int32Array.of(0, 0),
    });
    const additive = additiveOf(trees);
    if (!additive) throw new Error("a tree of one column is additive");
    for (const age of [30, 40, 70]) {
      const truth = age < 40 ? sigmoid(-2.6) : sigmoid(2.6);
      expect(answerRows(trees, [{ age }])[1]).toBeCloseTo(truth, 12);
      expect(classify(additive, { age }).old).toBeCloseTo(truth, 12);
    }
  });
});
