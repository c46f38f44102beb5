import { expect, it } from "vitest";
import { bisect } from "../../src/math/search.ts";

it("a bisection ends with two neighboring numbers, between which the test turns", () => {
  const [before, after] = bisect((x) => x * x >= 2, 0, 4);
  expect(before * before).toBeLessThan(2);
  expect(after * after).toBeGreaterThanOrEqual(2);
  expect(after - before).toBeLessThanOrEqual(2 ** -52);
});

it("a bisection goes down as well, and no further than asked", () => {
  expect(bisect((x) => x <= -3, 0, -8)[1]).toBe(-3);
  expect(bisect((x) => x >= 3, 0, 8, 2)).toEqual([2, 4]);
});
