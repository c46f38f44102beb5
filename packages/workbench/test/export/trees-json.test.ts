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
