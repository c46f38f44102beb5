import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { solvePrior } from "../../src/gaussian/class-prior.ts";
import { conditionMissing } from "../../src/gaussian/condition.ts";
import { inverseOf } from "../../src/gaussian/few-missing.ts";
import { analyzeFactors } from "../../src/gaussian/fit-low-rank.ts";
import { frameOf, type GaussianFrame } from "../../src/gaussian/frame.ts";
import {
  createGaussian,
  type Gaussian,
  type GaussianColumns,
  patternOf,
} from "../../src/gaussian/gaussian.ts";
import { readGaussian, writeGaussian } from "../../src/gaussian/gaussian-json.ts";
import { matchMoments, momentMismatch, shrunkTarget } from "../../src/gaussian/gaussian-m-step.ts";
import { expandLowRank } from "../../src/gaussian/low-rank.ts";
import { manyRows } from "../../src/gaussian/many-rows.ts";
import { createScorer } from "../../src/gaussian/score-rows.ts";
import { random } from "../../src/math/random.ts";

const [n, K, ROWS] = [12, 3, 40];

function makeColumns(seed: number): GaussianColumns {
  const g = random(seed);
  const weights = Float64Array.from({ length: K * n }, (_, at) => (at < n ? 0 : g.normal()));
  return { columns: Int32Array.from({ length: n }, (_, i) => i), weights, K };
}

/** Moments of rows with three hidden numbers each, of which a Gaussian of rank 3 is fitted. */
function fitGaussian(columns: GaussianColumns, seed: number): { gaussian: Gaussian; mismatch: number } {
  const g = random(seed);
  const loadings = Float64Array.from({ length: n * 3 }, () => g.normal());
  const rows = 200;
  const cells = Array.from({ length: n }, () => new Float64Array(rows));
  for (let r = 0; r < rows; r++) {
    const hidden = [g.normal(), g.normal(), g.normal()];
    for (let i = 0; i < n; i++)
      cells[i][r] = hidden.reduce((sum, z, j) => sum + loadings[i * 3 + j] * z, 1 + g.normal());
  }
  const schema = { columns: cells.map((_, i) => ({ name: `x${i}`, kind: "numeric" as const })) };
  const frame: GaussianFrame = frameOf(
    columns,
    {
      table: { schema, columns: cells, rows } as never,
      rows: Int32Array.from({ length: rows }, (_, r) => r),
      weights: new Float64Array(rows).fill(1),
    },
    3,
  );
  const sums = { weight: 0, sum: new Float64Array(n), product: new Float64Array((n * (n + 1)) / 2) };
  const target = shrunkTarget(sums, frame, { rows: 1, correlated: 1, pseudocount: 0, ridge: 0 });
  const { prior } = solvePrior(Float64Array.from([0.5, 0, -0.2]), target);
  const gaussian = matchMoments(target, prior);
  return { gaussian, mismatch: momentMismatch(target, gaussian, prior) };
}

/** Rows that lack any number of values. */
function makeCells(seed: number): Float64Array {
  const g = random(seed);
  return Float64Array.from({ length: ROWS * n }, (_, at) =>
    g.uniform() < Math.floor(at / n) / ROWS ? Number.NaN : 1 + 2 * g.normal(),
  );
}

const dense = (columns: GaussianColumns, { mean, covariance }: Gaussian): Gaussian =>
  createGaussian(columns, mean, covariance);

describe("a covariance of low rank plus diagonal", () => {
  it("with the classes has the moments that factor analysis found", () => {
    for (const seed of [1, 2, 3]) {
      const columns = makeColumns(seed);
      const { gaussian, mismatch } = fitGaussian(columns, 10 + seed);
      expect(mismatch).toBeLessThan(1e-11);
      expect([...(gaussian.lowRank?.signs ?? [])]).toContain(-1);
    }
  });

  it("scores rows with any missing values as the same covariance in full does", () => {
    const columns = makeColumns(1);
    const gaussians = [11, 12, 13].map((seed) => fitGaussian(columns, seed).gaussian);
    const full = gaussians.map((gaussian) => dense(columns, gaussian));
    const cells = makeCells(5);
    const M = gaussians.length;
    const score = (own: readonly Gaussian[]): Float64Array[] => {
      const [density, shift] = [new Float64Array(ROWS * M), new Float64Array(ROWS * M * K)];
      createScorer(columns, own).score(cells, ROWS, density, shift, manyRows);
      return [density, shift];
    };
    const theirs = score(full);
    score(gaussians).forEach((numbers, what) => {
      numbers.forEach((x, at) => {
        expect(Math.abs(x - theirs[what][at])).toBeLessThan(1e-10 * Math.max(1, Math.abs(x)));
      });
    });
  });

  it("tells of missing values what the same covariance in full does", () => {
    const columns = makeColumns(2);
    const { gaussian } = fitGaussian(columns, 14);
    const cells = makeCells(6);
    for (let r = 1; r < ROWS; r++) {
      const pattern = patternOf(cells, r * n, n);
      const h = pattern.hidden.length;
      const [ours, theirs] = [gaussian, dense(columns, gaussian)].map((own) => {
        const given = conditionMissing(columns, own, pattern);
        const mean = new Float64Array(h);
        given.meanInto(cells, r * n, mean);
        return [...mean, ...given.covariance, ...given.shift];
      });
      ours.forEach((x, at) => {
        expect(Math.abs(x - theirs[at])).toBeLessThan(1e-10 * Math.max(1, Math.abs(x)));
      });
    }
  });

  it("is saved in fewer numbers and read back to the last bit", () => {
    const columns = makeColumns(3);
    const { gaussian } = fitGaussian(columns, 15);
    const json = JSON.parse(JSON.stringify(writeGaussian(gaussian)));
    expect(json.covariance).toBeUndefined();
    expect(readGaussian(columns, 0, json)).toEqual(gaussian);
  });

  it.each<[string, (lowRank: { diagonal: number[]; loadings: number[][]; signs: number[] }) => void]>([
    ["lowRank.diagonal must be 12 positive numbers", ({ diagonal }) => diagonal.fill(0, 0, 1)],
    ["lowRank.loadings must be 12 lists of 6 numbers", ({ loadings }) => loadings[3].pop()],
    ["lowRank.signs must be a list of 1, then of -1", ({ signs }) => signs.reverse()],
    ["lowRank must be a positive definite covariance", ({ loadings }) => (loadings[0][5] = 1e3)],
  ])("is rejected where it cannot be one: %s", (message, spoil) => {
    const columns = makeColumns(3);
    const json = JSON.parse(JSON.stringify(writeGaussian(fitGaussian(columns, 15).gaussian)));
    spoil(json.lowRank);
    expect(() => readGaussian(columns, 0, json)).toThrow(message);
  });
});

interface Analysis {
  readonly covariance: readonly (readonly number[])[];
  readonly fits: readonly {
    readonly rank: number;
    readonly logLikelihood: number;
    readonly noise: number[];
  }[];
}

/** The standardized wine table of scikit-learn, as its `FactorAnalysis` fits it. */
const file = new URL("../fixtures/covariance/factor-analysis.json", import.meta.url);
const { covariance, fits } = JSON.parse(readFileSync(file, "utf8")) as Analysis;

it.each(fits)("factor analysis of rank $rank is as likely as that of scikit-learn", (theirs) => {
  const size = covariance.length;
  const S = Float64Array.from(covariance.flat());
  const { diagonal, loadings } = analyzeFactors(S, size, theirs.rank);
  const signs = new Float64Array(theirs.rank).fill(1);
  const columns = { columns: new Int32Array(size), weights: new Float64Array(size), K: 1 };
  const found = expandLowRank({ diagonal, loadings, signs });
  const { precision, logRoot } = inverseOf(createGaussian(columns, new Float64Array(size), found));
  const trace = S.reduce((sum, x, at) => sum + x * precision[at], 0);
  const logLikelihood = -trace / 2 - logRoot - (size / 2) * Math.log(2 * Math.PI);
  expect(logLikelihood).toBeGreaterThan(theirs.logLikelihood - 0.003);
  expect(logLikelihood).toBeLessThan(theirs.logLikelihood + 1e-6);
});
