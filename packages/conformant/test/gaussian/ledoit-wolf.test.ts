import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ledoitWolf } from "../../src/gaussian/frame.ts";
import { addOuter, centralMoments, noMoments } from "../../src/gaussian/moments.ts";

interface Case {
  readonly rows: readonly (readonly number[])[];
  readonly shrinkage: number;
}

const file = new URL("../fixtures/covariance/ledoit-wolf.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];

/** Rounding of a few hundred sums. */
const ROUNDING = 12;

/** λ of some rows, each of the given weight. */
function shrinkageOf(rows: readonly (readonly number[])[], weight = 1): number {
  const n = rows[0].length;
  const mean = rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);
  const centred = rows.map((row) => Float64Array.from(row, (x, i) => x - mean[i]));
  const { sum, product } = noMoments(n);
  for (const row of centred) addOuter(sum, product, row, 1);
  const { covariance } = centralMoments({ weight: rows.length, sum, product }, new Float64Array(n));
  const cells = Float64Array.from(centred.flatMap((row) => [...row]));
  return ledoitWolf(cells, new Float64Array(rows.length).fill(weight), covariance);
}

it.each(cases)("shrinks as scikit-learn does", ({ rows, shrinkage }) => {
  expect(shrinkageOf(rows)).toBeCloseTo(shrinkage, ROUNDING);
  // A weight is a number of rows.
  expect(shrinkageOf(rows, 4)).toBeCloseTo(shrinkageOf([...rows, ...rows, ...rows, ...rows]), ROUNDING);
});

it("leaves constant columns out, has nothing to do for one column, and never shrinks by more than all", () => {
  const [{ rows, shrinkage }] = cases;
  expect(shrinkageOf(rows.map((row) => [5, ...row]))).toBeCloseTo(shrinkage, ROUNDING);
  expect(shrinkageOf(rows.map(([x]) => [x]))).toBe(0);
  const unrelated = [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1.01],
  ];
  expect(shrinkageOf(unrelated)).toBe(1);
});
