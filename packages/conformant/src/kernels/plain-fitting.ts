import { exponential } from "../math/exponential.ts";
import { solveLaplacian } from "../math/laplacian.ts";
import type { EntryChanges, FitKernels } from "./kernels.ts";
import { addToBins, divideRows, findCut, gatherDerivatives, subtractBins } from "./plain-boosting.ts";
import { timesOne } from "./plain-gaussian.ts";
import { plainKernels } from "./plain-scoring.ts";
import { addLeaves } from "./plain-trees.ts";

/* The plain loops between the weights of slots and tables over entries, four numbers each, which stay in registers. */

export const fillTable: FitKernels["fillTable"] = ({ entryStart, changeSlot, change }, weights, table) => {
  for (let p = 0; p + 1 < entryStart.length; p++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    const end = entryStart[p + 1];
    for (let i = entryStart[p]; i < end; i++) {
      const slot = 4 * changeSlot[i];
      const by = change[i];
      a += by * weights[slot];
      b += by * weights[slot + 1];
      c += by * weights[slot + 2];
      d += by * weights[slot + 3];
    }
    table[4 * p] = a;
    table[4 * p + 1] = b;
    table[4 * p + 2] = c;
    table[4 * p + 3] = d;
  }
};

export const drainTable: FitKernels["drainTable"] = ({ entryStart, changeSlot, change }, sums, counts) => {
  for (let p = 0; p + 1 < entryStart.length; p++) {
    const a = sums[4 * p];
    const b = sums[4 * p + 1];
    const c = sums[4 * p + 2];
    const d = sums[4 * p + 3];
    const end = entryStart[p + 1];
    for (let i = entryStart[p]; i < end; i++) {
      const slot = 4 * changeSlot[i];
      const by = change[i];
      counts[slot] += by * a;
      counts[slot + 1] += by * b;
      counts[slot + 2] += by * c;
      counts[slot + 3] += by * d;
    }
  }
};

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

/** The plain loop: sums are those of the even scores and of the odd ones, two numbers of one vector elsewhere. */
export const shareRows: FitKernels["shareRows"] = (scores, line, weights, negligible, { largest, sums }) => {
  for (let r = 0, start = 0; r < weights.length; r++, start += line) {
    const end = start + line;
    let most = scores[start];
    for (let at = start + 1; at < end; at++) if (scores[at] > most) most = scores[at];
    let even = 0;
    let odd = 0;
    for (let at = start; at < end; at += 2) {
      scores[at] = exponential(scores[at] - most);
      scores[at + 1] = exponential(scores[at + 1] - most);
      even += scores[at];
      odd += scores[at + 1];
    }
    const sum = even + odd;
    const [by, least] = [weights[r] / sum, negligible * sum];
    for (let at = start; at < end; at++) scores[at] = scores[at] < least ? 0 : scores[at] * by;
    largest[r] = most;
    sums[r] = sum;
  }
};

/** The plain loop: one lane after the other. */
export const tiltColumns: FitKernels["tiltColumns"] = ({ offsets, lanes }, from, to, factors, q, tilted) => {
  const { conditional, z, products } = tilted;
  for (let i = from; i < to; i++) {
    const [start, end] = [offsets[i], offsets[i + 1]];
    for (let j = start; j < end; j++) q[j] = exponential(q[j]);
    for (let k = 0; k < lanes; k++) {
      let sum = 0;
      for (let j = start; j < end; j++) {
        const at = j * lanes + k;
        conditional[at] = q[j] * factors[at];
        sum += conditional[at];
      }
      for (let j = start; j < end; j++) conditional[j * lanes + k] /= sum;
      z[i * lanes + k] = sum;
      timesOne(products, k, lanes, sum);
    }
  }
};

/** The loops as every engine has them, over arrays of their own. */
// A spread would count as a side effect, and every page that only predicts would load the kernels of fits.
export const plainFitKernels: FitKernels = /* @__PURE__ */ Object.assign({}, plainKernels, {
  holdIntegers: (values: Int32Array) => values,
  addLeaves,
  bytes: (count: number) => new Uint8Array(count),
  gatherDerivatives,
  addToBins,
  subtractBins,
  findCut,
  divideRows,
  holdChanges: (changes: EntryChanges) => changes,
  fillTable,
  drainTable,
  shareRows,
  tiltColumns,
  weighAtoms,
  spreadAtoms,
  solveColumns,
  combineSolved,
});
