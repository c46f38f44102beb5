import { random, trainTrees } from "conformant";
import { expect, test } from "vitest";
import { treesJson } from "../../src/export/trees-json.ts";

test.each([2, 3])("a leaf of trees for %i classes is a number", (classes) => {
  const g = random(classes);
  const rows = Array.from({ length: 200 }, () => {
    const x = g.uniform();
    return { x, y: String(Math.floor(x * classes)) };
  });
  const { trees } = treesJson(trainTrees(rows, { label: "y", maxIterations: 2, seed: 1 })) as {
    trees: { feature: number[]; value: unknown[]; output: number }[];
  };
  expect(trees.length).toBeGreaterThan(0);
  for (const { feature, value, output } of trees) {
    expect(value.map((one) => typeof one)).toEqual(feature.map((f) => (f < 0 ? "number" : "object")));
    expect(output).toBeLessThan(classes);
  }
});

test("a node has a threshold, a set of values, or neither where it is a leaf", () => {
  const g = random(5);
  const rows = Array.from({ length: 300 }, () => {
    const [x, color] = [g.uniform(), ["red", "green", "blue"][g.integer(3)]];
    return { x, color, y: x > 0.5 !== (color === "red") ? "yes" : "no" };
  });
  const trained = trainTrees(rows, { label: "y", maxIterations: 5, seed: 1 });
  const { trees, features } = treesJson(trained) as {
    features: string[];
    trees: { feature: number[]; threshold: (number | null)[]; sets: (number[] | null)[] }[];
  };
  const kinds = new Set<string>();
  for (const { feature, threshold, sets } of trees)
    feature.forEach((f, n) => {
      const kind = f < 0 ? "leaf" : features[f];
      kinds.add(kind);
      expect([threshold[n] !== null, sets?.[n] != null]).toEqual([kind === "x", kind === "color"]);
    });
  expect([...kinds].sort()).toEqual(["color", "leaf", "x"]);
});
