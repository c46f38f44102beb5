import { describe, expect, it } from "vitest";
import { expectError } from "../../../conformant/test/support/error.ts";
import { fitImputer } from "../../src/baselines/baseline.ts";
import { fitChainedEquations } from "../../src/baselines/fit-chained-equations.ts";
import { fitConstants } from "../../src/baselines/fit-constants.ts";
import { fitEm } from "../../src/baselines/fit-em.ts";
import { fitNearestNeighbors } from "../../src/baselines/fit-nearest-neighbors.ts";
import {
  asRows,
  categoricalSchema,
  filled,
  fixture,
  largestDifference,
  mice,
  numericSchema,
} from "./fixture.ts";

/** The same sums in another order. */
const ROUNDING = 1e-10;

/** Regressions solved by normal equations here, by orthogonal factors there. */
const SOLVED = 1e-8;

/** Two iterations that were stopped near the same fixed point; R prints 12 digits. */
const FIXED_POINT = 1e-6;

/** Bayesian ridge shrinks its coefficients a little; the columns' standard deviations are 1 to 6. */
const SHRINKAGE = 0.5;

const { numeric, categorical } = fixture;
const complete = asRows(numericSchema, numeric.complete);
const gappy = asRows(numericSchema, numeric.gappy);
const categories = asRows(categoricalSchema, categorical.train);

describe("constants, against scikit-learn's SimpleImputer", () => {
  for (const method of ["mean", "median", "most_frequent"] as const) {
    it(`fill numeric columns with the ${method}`, () => {
      const constants = [...(fitConstants(numericSchema, gappy, method).constants ?? [])];
      expect(largestDifference([constants], [numeric.constants[method]])).toBeLessThan(ROUNDING);
    });
  }

  for (const method of ["mean", "median"] as const) {
    it(`fill each bit of a one-hot group with its ${method}`, () => {
      const constants = [...(fitConstants(categoricalSchema, categories, method).constants ?? [])];
      expect(largestDifference([constants], [categorical.bits[method]])).toBeLessThan(ROUNDING);
    });
  }

  it("fill a categorical column with its most frequent value as a whole", () => {
    const bits = categorical.sizes.flatMap((size, i) =>
      Array.from({ length: size }, (_, v) => Number(v === categorical.modes[i])),
    );
    expect([...(fitConstants(categoricalSchema, categories, "most_frequent").constants ?? [])]).toEqual(bits);
  });

  it("fill with the least and the largest value seen", () => {
    const column = numeric.gappy.flatMap(([x]) => (x === null ? [] : [x]));
    expect(fitConstants(numericSchema, gappy, "min").constants?.[0]).toBe(Math.min(...column));
    expect(fitConstants(numericSchema, gappy, "max").constants?.[0]).toBe(Math.max(...column));
    expect([...(fitConstants(categoricalSchema, categories, "min").constants ?? [])].slice(0, 2)).toEqual([
      0, 0,
    ]);
    expect([...(fitConstants(categoricalSchema, categories, "max").constants ?? [])].slice(0, 2)).toEqual([
      1, 1,
    ]);
  });

  it("refuse a column without a value", () => {
    expectError(() => fitConstants(numericSchema, [{ x0: 1 }], "mean"), "empty-column", /"x1" has no value/);
  });
});

describe("nearest neighbors, against scikit-learn's KNNImputer", () => {
  it("average the nearest complete rows", () => {
    const imputer = fitNearestNeighbors(numericSchema, complete, { neighbors: 3 });
    expect(largestDifference(filled(imputer, numeric.test), numeric.knn.complete)).toBeLessThan(ROUNDING);
  });

  it("pass over gaps on both sides", () => {
    const imputer = fitNearestNeighbors(numericSchema, gappy, { neighbors: 3 });
    expect(largestDifference(filled(imputer, numeric.test), numeric.knn.gappy)).toBeLessThan(ROUNDING);
  });

  it("average one-hot groups to shares", () => {
    const imputer = fitNearestNeighbors(categoricalSchema, categories, { neighbors: categories.length });
    expect(largestDifference(filled(imputer, categorical.test), categorical.knn)).toBeLessThan(ROUNDING);
  });

  it("give the mean to a row of which nothing is known", () => {
    const imputer = fitNearestNeighbors(numericSchema, complete);
    const [row] = filled(imputer, [[null, null, null, null, null]]);
    expect(
      largestDifference([row], [[...(fitConstants(numericSchema, complete, "mean").constants ?? [])]]),
    ).toBe(0);
  });
});

describe("chained equations", () => {
  for (const [name, training] of [
    ["complete", complete],
    ["gappy", gappy],
  ] as const) {
    it(`with ${name} training rows equal scikit-learn's IterativeImputer round for round`, () => {
      const { rounds } = numeric.iterative;
      const imputer = fitChainedEquations(numericSchema, training, { rounds, ridge: 0 });
      expect(largestDifference(filled(imputer, numeric.test), numeric.iterative[name])).toBeLessThan(SOLVED);
    });

    it(`with ${name} training rows end where R's mice with norm.predict ends`, () => {
      const imputer = fitChainedEquations(numericSchema, training, { rounds: 300, ridge: 0 });
      expect(largestDifference(filled(imputer, numeric.test), mice[name])).toBeLessThan(FIXED_POINT);
    });
  }

  it("stay near IterativeImputer's default, Bayesian ridge", () => {
    const { rounds, bayesian } = numeric.iterative;
    const imputer = fitChainedEquations(numericSchema, complete, { rounds });
    expect(largestDifference(filled(imputer, numeric.test), bayesian)).toBeLessThan(SHRINKAGE);
  });

  it("on complete training rows converge to the conditional mean of EM imputation", () => {
    const chained = fitChainedEquations(numericSchema, complete, { rounds: 1000, ridge: 0 });
    const em = fitEm(numericSchema, complete, { ridge: 0 });
    expect(largestDifference(filled(chained, numeric.test), filled(em, numeric.test))).toBeLessThan(SOLVED);
  });

  it("without a round leave the mean", () => {
    const imputer = fitChainedEquations(numericSchema, gappy, { rounds: 0 });
    const mean = fitConstants(numericSchema, gappy, "mean");
    expect(filled(imputer, numeric.test)).toEqual(filled(mean, numeric.test));
  });

  it("move the bits of a one-hot group off their mean, and keep their sum at one", () => {
    // The second column copies the first: a gap in one follows from the other.
    const rows = Array.from({ length: 20 }, (_, r) => ({
      c0: `v${r % 2}`,
      c1: `v${r % 2}`,
      c2: `v${r % 3}`,
    }));
    const [row] = filled(fitChainedEquations(categoricalSchema, rows), [[0, null, 1]]);
    expect(row[2]).toBeCloseTo(1, 4);
    expect(row[2] + row[3] + row[4]).toBeCloseTo(1, 4);
  });

  it("refuse what regressions cannot determine, naming the ridge", () => {
    const rows = Array.from({ length: 20 }, (_, r) => ({
      c0: `v${r % 2}`,
      c1: `v${r % 3}`,
      c2: `v${r % 4}`,
    }));
    expectError(
      () => fitChainedEquations(categoricalSchema, rows, { ridge: 0 }),
      "invalid-argument",
      /follows from the others/,
    );
  });
});

describe("EM imputation, against an independent program", () => {
  it("finds the maximum-likelihood mean and covariance of rows with gaps", () => {
    const { gaussian, status } = fitEm(numericSchema, gappy, {
      ridge: 0,
      tolerance: 1e-12,
      maxIterations: 5000,
    });
    expect(status).toBe("converged");
    expect(largestDifference([[...gaussian.mean]], [numeric.em.mean])).toBeLessThan(FIXED_POINT);
    expect(largestDifference([[...gaussian.covariance]], [numeric.em.covariance.flat()])).toBeLessThan(
      FIXED_POINT,
    );
  });

  it("fills gaps with the conditional mean", () => {
    const imputer = fitEm(numericSchema, gappy, { ridge: 0, tolerance: 1e-12, maxIterations: 5000 });
    expect(largestDifference(filled(imputer, numeric.test), numeric.em.filled)).toBeLessThan(FIXED_POINT);
  });

  it("needs one step for complete rows and says when it was stopped", () => {
    expect(fitEm(numericSchema, complete)).toMatchObject({ iterations: 1, status: "converged" });
    expect(fitEm(numericSchema, gappy, { maxIterations: 2 })).toMatchObject({
      iterations: 2,
      status: "iteration-limit",
    });
  });

  it("works on one-hot groups through the ridge", () => {
    for (const row of filled(fitEm(categoricalSchema, categories), categorical.test)) {
      expect(row[0] + row[1]).toBeCloseTo(1, 3);
      expect(row.every(Number.isFinite)).toBe(true);
    }
  });
});

describe("every imputer", () => {
  for (const method of ["min", "max", "mean", "median", "most_frequent", "em", "mice", "knn"] as const) {
    it(`${method} fills a row alone as it does among others, and leaves what is known`, () => {
      const imputer = fitImputer(method, numericSchema, gappy);
      const together = filled(imputer, numeric.test);
      numeric.test.forEach((row, r) => {
        expect(filled(imputer, [row])[0]).toEqual(together[r]);
        row.forEach((x, i) => {
          if (x !== null) expect(together[r][i]).toBe(x);
        });
      });
    });
  }
});
