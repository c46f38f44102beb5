import { expect, test } from "vitest";
import { meanWithError, shareWithError } from "../../src/verdict/standard-error.ts";

test("a share has the standard error of Agresti and Coull", () => {
  // Two successes and two failures more: 2 of 14, and 9 of 24.
  expect(shareWithError(0, 10)).toEqual({ mean: 0, standardError: Math.sqrt((2 * 12) / 14 ** 3) });
  const { mean, standardError } = shareWithError(7, 20);
  expect(mean).toBe(0.35);
  expect(standardError).toBeCloseTo(Math.sqrt((9 * 15) / 24 ** 3), 15);
});

test("a mean has the standard error s / √n", () => {
  const { mean, standardError } = meanWithError([2, 4, 4, 4, 5, 5, 7, 9]);
  expect(mean).toBe(5);
  expect(standardError).toBeCloseTo(Math.sqrt(32 / 7 / 8), 15);
  expect(meanWithError([3])).toEqual({ mean: 3, standardError: 0 });
});
