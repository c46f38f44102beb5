import { expect, it } from "vitest";
import { subsets } from "../../src/math/search.ts";

it("lists every subset of a size once, in the order of the items", () => {
  expect([...subsets(["a", "b", "c", "d"], 2)].map((set) => set.join(""))).toEqual([
    "ab",
    "ac",
    "ad",
    "bc",
    "bd",
    "cd",
  ]);
});

it("has the empty set of any items, and none that is larger than they are", () => {
  expect([...subsets([1, 2], 0)]).toEqual([[]]);
  expect([...subsets([1, 2], 3)]).toEqual([]);
});
