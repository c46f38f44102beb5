import { expect, test } from "vitest";
import { closest } from "../../src/options/closest.ts";

test.each([
  ["specie", ["species", "island"], "species"],
  ["sx", ["age", "sex"], "sex"],
  ["x", ["y"], undefined],
  ["", ["i"], undefined],
  ["ab", ["cd"], undefined],
  ["bill", ["sex"], undefined],
])("%j of %j may have meant %j", (word, known, meant) => {
  expect(closest(word, known)).toBe(meant);
});
