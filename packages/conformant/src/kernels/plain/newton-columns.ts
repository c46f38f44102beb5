import { solveLaplacian } from "../../linalg/laplacian.ts";
import type { FitKernels } from "../fit-kernels.ts";

/*
 * The plain loops of Newton's method on columns of atoms. Sums over the classes are those of the even ones and of the odd ones, which are
 * two numbers of one vector elsewhere.
 */

export const weighAtoms: FitKernels["weighAtoms"] = (
  { offsets, lanes },
  conditional,
  { shares, ones, smoothing },
  target,
  residual,
) => {
  for (let i = 0; i < smoothing.length; i++) {
    const d = smoothing[i];
    for (let j = offsets[i]; j < offsets[i + 1]; j++) {
      let even = 0;
      let odd = 0;
      for (let k = 0; k < lanes; k += 2) {
        even += (shares[k] + d * ones[k]) * conditional[j * lanes + k];
        odd += (shares[k + 1] + d * ones[k + 1]) * conditional[j * lanes + k + 1];
      }
      residual[j] = even + odd - target[j];
    }
  }
};

export const spreadAtoms: FitKernels["spreadAtoms"] = (
  lanes,
  conditional,
  from,
  to,
  { prior, roots },
  rows,
) => {
  for (let j = from, at = 0; j < to; j++, at += lanes) {
    let even = 0;
    let odd = 0;
    for (let k = 0; k < lanes; k += 2) {
      even += prior[k] * conditional[j * lanes + k];
      odd += prior[k + 1] * conditional[j * lanes + k + 1];
    }
    const mean = even + odd;
    for (let k = 0; k < lanes; k++) rows[at + k] = roots[k] * (conditional[j * lanes + k] - mean);
  }
};

export const solveColumns: FitKernels["solveColumns"] = (columns, from, to, system) => {
  const { offsets, lanes } = columns;
  const { conditional: a, target, leastCurvature, residual, rows, work, solved } = system;
  const { shares, ones, smoothing } = system.weights;
  const line = lanes + 2;
  for (let i = from; i < to; i++) {
    const [start, end] = [offsets[i], offsets[i + 1]];
    const [V, d] = [end - start, smoothing[i]];
    const first = (start - offsets[from]) * lanes;
    const [ground, edges] = [work.subarray(0, V), work.subarray(V, V + V * V)];
    for (let v = 0; v < V; v++) {
      solved[(start + v) * line] = residual[start + v];
      solved[(start + v) * line + 1] = 0;
      for (let k = 0; k < lanes; k++) solved[(start + v) * line + 2 + k] = rows[first + v * lanes + k];
      ground[v] = leastCurvature * target[start + v];
      for (let w = v + 1; w < V; w++) {
        let even = 0;
        let odd = 0;
        const [one, other] = [(start + v) * lanes, (start + w) * lanes];
        for (let k = 0; k < lanes; k += 2) {
          even += (shares[k] + d * ones[k]) * a[one + k] * a[other + k];
          odd += (shares[k + 1] + d * ones[k + 1]) * a[one + k + 1] * a[other + k + 1];
        }
        edges[v * V + w] = even + odd;
      }
    }
    solveLaplacian(edges, ground, V, solved.subarray(start * line, end * line), line);
    addColumn(V, lanes, rows.subarray(first), solved.subarray(start * line, end * line), system);
  }
};

/**
 * Adds what the V atoms of a column come to to the capacitance and to y, and shifts their solutions to 0 on the last one, which drops out,
 * since each row of B sums to zero over a column.
 */
export function addColumn(
  V: number,
  lanes: number,
  rows: Float64Array,
  x: Float64Array,
  { capacitance, y }: { readonly capacitance: Float64Array; readonly y: Float64Array },
): void {
  const line = lanes + 2;
  const last = (V - 1) * line;
  for (let v = 0; v < V - 1; v++) {
    const own = v * line;
    for (let l = 0; l < line; l++) x[own + l] -= x[last + l];
    for (let k = 0; k < lanes; k++) {
      const b = rows[v * lanes + k];
      y[k] += b * x[own];
      for (let l = 0; l <= k; l++) capacitance[k * lanes + l] += b * x[own + 2 + l];
    }
  }
  x.fill(0, last, last + line);
}

export const combineSolved: FitKernels["combineSolved"] = (lanes, solved, y, direction) => {
  for (let j = 0, at = 0; j < direction.length; j++, at += lanes + 2) {
    let even = solved[at];
    let odd = solved[at + 1];
    for (let k = 0; k < lanes; k += 2) {
      even -= solved[at + 2 + k] * y[k];
      odd -= solved[at + 3 + k] * y[k + 1];
    }
    direction[j] = even + odd;
  }
};
