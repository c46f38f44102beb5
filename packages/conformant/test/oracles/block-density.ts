import type { Model, Row } from "../../src/index.ts";

/*
 * The joint density of a model with a Gaussian block, written down from its definition with no part of the library, and sums
 * and integrals of it by brute force: trapezoidal rules on wide fine grids, which for Gaussians are exact to rounding.
 */

/** P(x, k) of a complete row (of the fixture's columns): Σ_m π_m q_m(x) e^{score_k(x)} / Z_m. */
export function jointDensity(model: Model, row: Row): number[] {
  const {
    tilt: { intercept, weights },
    response: { outputs: classes },
  } = model;
  const K = classes.length;
  const n = model.schema.columns.length - 2;
  const colour = ["blue", "green", "red"].indexOf(String(row.colour));
  const x = Array.from({ length: n }, (_, i) => Number(row[`x${i + 1}`]));
  const bit = Number(row.bit);
  let q = 0;
  for (const { logWeight, logQ, logNormaliser, gaussian } of model.components) {
    const atoms = logQ[colour] + logQ[3 + n + bit];
    const density = normalDensity(x, [...(gaussian?.mean ?? [])], [...(gaussian?.covariance ?? [])]);
    q += Math.exp(logWeight + atoms - logNormaliser) * density;
  }
  return Array.from({ length: K }, (_, k) => {
    let score = intercept[k] + weights[colour * K + k] + bit * weights[(3 + n) * K + k];
    x.forEach((value, i) => {
      score += value * weights[(3 + i) * K + k];
    });
    return q * Math.exp(score);
  });
}

/** N(x; μ, Σ) by Gaussian elimination on [Σ | d]. */
export function normalDensity(
  x: readonly number[],
  mean: readonly number[],
  covariance: readonly number[],
): number {
  const n = x.length;
  const a = Array.from({ length: n }, (_, i) => [...covariance.slice(i * n, (i + 1) * n), x[i] - mean[i]]);
  let determinant = 1;
  for (let p = 0; p < n; p++) {
    determinant *= a[p][p];
    for (let r = p + 1; r < n; r++) {
      const factor = a[r][p] / a[p][p];
      for (let c = p; c <= n; c++) a[r][c] -= factor * a[p][c];
    }
  }
  const solved = new Array<number>(n).fill(0);
  for (let p = n - 1; p >= 0; p--) {
    let sum = a[p][n];
    for (let c = p + 1; c < n; c++) sum -= a[p][c] * solved[c];
    solved[p] = sum / a[p][p];
  }
  const square = solved.reduce((sum, z, i) => sum + z * (x[i] - mean[i]), 0);
  return Math.exp(-square / 2) / Math.sqrt((2 * Math.PI) ** n * determinant);
}

/** Half-width and step of the grids. */
const [REACH, STEP] = [21, 0.35];

/** Σ over the missing discrete columns and ∫ over the missing numbers of f(completed row, P(row, ·)). */
export function integrateRows(model: Model, row: Row, visit: (full: Row, joint: number[]) => void): void {
  const names = model.schema.columns.map(({ name }) => name);
  const missing = names.filter((name) => row[name] === undefined);
  const full: Record<string, unknown> = { ...row };
  const descend = (at: number, cell: number): void => {
    if (at === missing.length) {
      const joint = jointDensity(model, full as Row).map((p) => p * cell);
      visit(full as Row, joint);
      return;
    }
    const name = missing[at];
    if (name === "colour" || name === "bit") {
      for (const value of name === "bit" ? [0, 1] : ["blue", "green", "red"]) {
        full[name] = value;
        descend(at + 1, cell);
      }
      return;
    }
    for (let x = -REACH; x <= REACH; x += STEP) {
      full[name] = x;
      descend(at + 1, cell * STEP);
    }
  };
  descend(0, 1);
}

/** P(y, k) of the known columns. */
export function marginalDensity(model: Model, row: Row): number[] {
  const sums = model.response.outputs.map(() => 0);
  integrateRows(model, row, (_, joint) => {
    joint.forEach((p, k) => {
      sums[k] += p;
    });
  });
  return sums;
}
