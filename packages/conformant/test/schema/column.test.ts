import { expect, it } from "vitest";
import { binOf } from "../../src/math/search.ts";
import { valueInBin, valueLabels } from "../../src/schema/column.ts";

it.each([
  [[]],
  [[5]],
  [[0]],
  [[-3, 2, 7]],
  [[1e17, 2e17]],
  [[-2e17, -1e17]],
  [[1, 1 + Number.EPSILON]],
  [[-1e300, 1e300]],
])("each bin has a value inside it: %j", (edges) => {
  for (let j = 0; j <= edges.length; j++) {
    expect(Number.isFinite(valueInBin(edges, j))).toBe(true);
    expect(binOf(edges, valueInBin(edges, j))).toBe(j);
  }
});

it("names bins by their bounds", () => {
  const labels = (edges: number[]): readonly string[] => valueLabels({ name: "x", kind: "binned", edges });
  expect(labels([2.5])).toEqual(["< 2.5", ">= 2.5"]);
  expect(labels([-1, 0, 3])).toEqual(["< -1", "[-1, 0)", "[0, 3)", ">= 3"]);
});
