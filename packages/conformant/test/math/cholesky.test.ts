import { expect, it } from "vitest";
import {
  choleskyFactor,
  choleskyRoot,
  choleskySolve,
  solveFactored,
  solveLower,
  solveTransposed,
} from "../../src/math/cholesky.ts";
import { random } from "../../src/math/random.ts";

/** A · B for row-major matrices of so many rows, inner entries and columns. */
function times(a: Float64Array, b: Float64Array, n: number, columns: number): Float64Array {
  const out = new Float64Array(n * columns);
  for (let i = 0; i < n; i++)
    for (let c = 0; c < columns; c++)
      for (let j = 0; j < n; j++) out[i * columns + c] += a[i * n + j] * b[j * columns + c];
  return out;
}

function transposed(a: Float64Array, n: number): Float64Array {
  return a.map((_, at) => a[(at % n) * n + Math.floor(at / n)]);
}

function expectClose(actual: Float64Array, wanted: Float64Array): void {
  expect(actual.length).toBe(wanted.length);
  wanted.forEach((x, at) => {
    expect(actual[at]).toBeCloseTo(x, 9);
  });
}

const n = 6;
const g = random(5);
const lower = Float64Array.from({ length: n * n }, (_, at) => {
  const [i, j] = [Math.floor(at / n), at % n];
  return j > i ? 0 : i === j ? 1 + g.uniform() : g.normal();
});
const matrix = times(lower, transposed(lower, n), n, n);

it.each([1, 2, 4, 7])("triangular systems with %s right-hand sides are solved in place", (width) => {
  const wanted = Float64Array.from({ length: n * width }, () => g.normal());
  const forward = times(lower, wanted, n, width);
  solveLower(lower, n, forward, width);
  expectClose(forward, wanted);
  const back = times(transposed(lower, n), wanted, n, width);
  solveTransposed(lower, n, back, width);
  expectClose(back, wanted);
  const both = times(matrix, wanted, n, width);
  solveFactored(lower, n, both, width);
  expectClose(both, wanted);
});

it("a root has zeros above the diagonal and leaves the matrix as it is", () => {
  const copy = matrix.slice();
  expectClose(choleskyRoot(copy, n), lower);
  expect(copy).toEqual(matrix);
});

it("a matrix that is not positive definite has no factor, and no solution is made of one", () => {
  const indefinite = Float64Array.of(1, 2, 2, 1);
  expect(choleskyFactor(indefinite.slice(), 2)).toBe(false);
  expect(choleskySolve(indefinite.slice(), 2, Float64Array.of(1, 1))).toBe(false);
  expect(choleskyRoot(indefinite, 2)).toEqual(new Float64Array(4).fill(Number.NaN));
  expect(choleskyRoot(Float64Array.of(1, 0, 0, Number.POSITIVE_INFINITY), 2).every(Number.isFinite)).toBe(
    false,
  );
});

it("a singular covariance has the root of one that differs from it by rounding", () => {
  // The third column is the sum of the first two.
  const covariance = Float64Array.of(2, 1, 3, 1, 4, 5, 3, 5, 8 * (1 - 1e-12));
  expect(choleskyFactor(covariance.slice(), 3)).toBe(false);
  const root = choleskyRoot(covariance, 3);
  times(root, transposed(root, 3), 3, 3).forEach((x, at) => {
    expect(x).toBeCloseTo(covariance[at], 7);
  });
  expect(choleskyRoot(new Float64Array(1), 1)[0]).toBeGreaterThan(0);
});
