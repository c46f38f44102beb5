import { choleskySolve } from "../../linalg/cholesky.ts";
import { submatrix } from "../../linalg/submatrix.ts";
import type { Gaussian } from "./gaussian.ts";

/** The slots that are NaN in the row from `start`, and those that are not. */
export function splitSlots(rows: Float64Array, start: number, width: number): [number[], number[]] {
  const hidden: number[] = [];
  const known: number[] = [];
  for (let i = 0; i < width; i++) (Number.isNaN(rows[start + i]) ? hidden : known).push(i);
  return [hidden, known];
}

/** Replaces the hidden slots of one row by their mean given the known ones, E[x_h | x_o]. */
export function fillConditionalMean(gaussian: Gaussian, rows: Float64Array, start: number): void {
  const [hidden, known] = splitSlots(rows, start, gaussian.mean.length);
  if (hidden.length === 0) return;
  // Both ways give the same; the smaller system is the cheaper one.
  if (hidden.length <= known.length) fillByPrecision(gaussian, rows, start, hidden, known);
  else fillByCovariance(gaussian, rows, start, hidden, known);
}

/** μ_h − Λ_hh⁻¹ Λ_ho (x_o − μ_o). */
function fillByPrecision(
  { mean, precision }: Gaussian,
  rows: Float64Array,
  start: number,
  hidden: readonly number[],
  known: readonly number[],
): void {
  const S = mean.length;
  const x = new Float64Array(hidden.length);
  for (const j of known) {
    const difference = rows[start + j] - mean[j];
    for (let a = 0; a < x.length; a++) x[a] -= precision[j * S + hidden[a]] * difference;
  }
  choleskySolve(submatrix(precision, S, hidden), x.length, x);
  hidden.forEach((i, a) => {
    rows[start + i] = mean[i] + x[a];
  });
}

/** μ_h + Σ_ho Σ_oo⁻¹ (x_o − μ_o). */
function fillByCovariance(
  { mean, covariance }: Gaussian,
  rows: Float64Array,
  start: number,
  hidden: readonly number[],
  known: readonly number[],
): void {
  const S = mean.length;
  const z = Float64Array.from(known, (j) => rows[start + j] - mean[j]);
  choleskySolve(submatrix(covariance, S, known), z.length, z);
  for (const i of hidden) {
    let x = mean[i];
    for (let b = 0; b < z.length; b++) x += covariance[i * S + known[b]] * z[b];
    rows[start + i] = x;
  }
}
