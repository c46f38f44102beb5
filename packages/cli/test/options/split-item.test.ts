import { expect, test } from "vitest";
import { splitItem } from "../../src/options/split-item.ts";

const columns = ["a", "a=b", "x y", "__proto__"];

test.each([
  ["a=1", "a", "1"],
  ["a = b", "a", "b"],
  ["a=b=c", "a=b", "c"],
  ["a=bc", "a", "bc"],
  ["x y=", "x y", ""],
  ["__proto__=a=b", "__proto__", "a=b"],
])("%s is about %s", (item, column, rest) => {
  expect(splitItem(item, columns)).toEqual({ column, rest });
});

test.each(["", "a", "=1", "ab=1", " = 1", "constructor=1"])("%j is about no column", (item) => {
  expect(splitItem(item, columns)).toBeUndefined();
});
