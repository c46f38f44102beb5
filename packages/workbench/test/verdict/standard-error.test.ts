import { expect, test } from "vitest";
import { meanWithError, shareWithError } from "../../src/verdict/standard-error.ts";

/** Rounding of sums of a few numbers. */
const DIGITS = 14;

function ones(count: number, rows: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, r) => Number(r < count));
}

test("a share has the standard error of Agresti and Coull", () => {
  // Two successes and two failures more: 2 of 14, and 9 of 24.
  expect(shareWithError(ones(0, 10))).toEqual({ mean: 0, standardError: Math.sqrt((2 * 12) / 14 ** 3) });
  const { mean, standardError } = shareWithError(ones(7, 20));
  expect(mean).toBe(0.35);
  expect(standardError).toBeCloseTo(Math.sqrt((9 * 15) / 24 ** 3), 15);
});

test("a mean has the standard error s / √n", () => {
  const { mean, standardError } = meanWithError([2, 4, 4, 4, 5, 5, 7, 9]);
  expect(mean).toBe(5);
  expect(standardError).toBeCloseTo(Math.sqrt(32 / 7 / 8), 15);
  expect(meanWithError([3])).toEqual({ mean: 3, standardError: 0 });
});

const groups = [0, 0, 0, 1, 1, 2, 2, 2, 3, 3];

/** As statsmodels has it: OLS(values, ones).fit(cov_type="cluster", cov_kwds={"groups": groups}).bse. */
test("the standard error of rows in groups is the cluster-robust one of statsmodels", () => {
  const { mean, standardError } = meanWithError([2, 4, 4, 4, 5, 5, 7, 9, 1, 3], groups);
  expect(mean).toBeCloseTo(4.4, DIGITS);
  expect(standardError).toBeCloseTo(1.120476089288239, DIGITS);
  expect(meanWithError([1, 1, 1, 0, 0, 1, 1, 1, 0, 1], groups).standardError).toBeCloseTo(
    0.22330845632592297,
    DIGITS,
  );
});

test("groups of one row each, and equal rows, have the standard error of independent rows", () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  const single = meanWithError(values).standardError;
  expect(meanWithError(values, [...values.keys()]).standardError).toBeCloseTo(single, DIGITS);
  const thrice = [...values, ...values, ...values];
  const copies = thrice.map((_, r) => r % values.length);
  expect(meanWithError(thrice, copies).standardError).toBeCloseTo(single, DIGITS);
  // Of one group nothing is known beyond the spread of its rows.
  const deviation = Math.sqrt(32 / 7);
  expect(meanWithError(values, new Int32Array(8)).standardError).toBeCloseTo(deviation, DIGITS);
});

test("a share of rows in groups is that of as many independent rows as have its cluster-robust error", () => {
  // Ten equal rows of each of 20 cases, of which 7 are ones, are 20 rows; all alike are one row per group.
  const cases = Array.from({ length: 200 }, (_, r) => r % 20);
  const few = Float64Array.from(cases, (g) => Number(g < 7));
  expect(shareWithError(few, cases).standardError).toBeCloseTo(
    shareWithError(ones(7, 20)).standardError,
    DIGITS,
  );
  expect(shareWithError(ones(200, 200), cases).standardError).toBe(
    shareWithError(ones(20, 20)).standardError,
  );
  const rows = Int32Array.from(few.keys());
  expect(shareWithError(few, rows).standardError).toBeCloseTo(shareWithError(few).standardError, DIGITS);
});
