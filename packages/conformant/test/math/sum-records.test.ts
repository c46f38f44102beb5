import { expect, test } from "vitest";
import { addSums, scaleSums } from "../../src/math/sum-records.ts";

const sums = (x: number) => ({
  rows: x,
  weights: Float64Array.of(x, 2 * x),
  moments: [
    { weight: x, sum: Float64Array.of(-x) },
    { weight: 0, sum: Float64Array.of(0.5 * x) },
  ],
});

test("sums of any shape add number by number, and neither is changed", () => {
  const [a, b] = [sums(1), sums(3)];
  expect(addSums(a, b)).toEqual(sums(4));
  expect(a).toEqual(sums(1));
  expect(b).toEqual(sums(3));
});

test("scaled sums are those of rows that count so many times", () => {
  expect(scaleSums(sums(2), 2.5)).toEqual(sums(5));
});
