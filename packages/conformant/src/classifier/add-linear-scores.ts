import type { EncodedColumn } from "../schema/data.ts";

/*
 * Scores of a numeric column, s_k(x) = w_k·x with NaN for a gap, added to rows × K scores. The classes go four, two and one
 * at a time, so that their weights stay in registers while the rows go by: about two thirds of the time of a loop over the
 * classes inside the loop over the rows.
 */

/** Adds w_k·x, or the gap's score where x is missing, to `out[(r − start) * K + k]` for all K classes. */
export function addLinearScores(
  out: Float64Array,
  cells: EncodedColumn,
  start: number,
  end: number,
  weights: Float64Array,
  gaps: Float64Array,
): void {
  const K = weights.length;
  let k = 0;
  for (; k + 4 <= K; k += 4) addFour(out, K, k, cells, start, end, weights, gaps);
  for (; k + 2 <= K; k += 2) addTwo(out, K, k, cells, start, end, weights, gaps);
  if (k < K) addOne(out, K, k, cells, start, end, weights, gaps);
}

type AddClasses = (
  out: Float64Array,
  K: number,
  k: number,
  cells: EncodedColumn,
  start: number,
  end: number,
  weights: Float64Array,
  gaps: Float64Array,
) => void;

const addFour: AddClasses = (out, K, k, cells, start, end, weights, gaps) => {
  const [a, b, c, d] = [weights[k], weights[k + 1], weights[k + 2], weights[k + 3]];
  const [gapA, gapB, gapC, gapD] = [gaps[k], gaps[k + 1], gaps[k + 2], gaps[k + 3]];
  for (let r = start, at = k; r < end; r++, at += K) {
    const x = cells[r];
    if (Number.isNaN(x)) {
      out[at] += gapA;
      out[at + 1] += gapB;
      out[at + 2] += gapC;
      out[at + 3] += gapD;
    } else {
      out[at] += a * x;
      out[at + 1] += b * x;
      out[at + 2] += c * x;
      out[at + 3] += d * x;
    }
  }
};

const addTwo: AddClasses = (out, K, k, cells, start, end, weights, gaps) => {
  const [a, b, gapA, gapB] = [weights[k], weights[k + 1], gaps[k], gaps[k + 1]];
  for (let r = start, at = k; r < end; r++, at += K) {
    const x = cells[r];
    if (Number.isNaN(x)) {
      out[at] += gapA;
      out[at + 1] += gapB;
    } else {
      out[at] += a * x;
      out[at + 1] += b * x;
    }
  }
};

const addOne: AddClasses = (out, K, k, cells, start, end, weights, gaps) => {
  const [a, gap] = [weights[k], gaps[k]];
  for (let r = start, at = k; r < end; r++, at += K) {
    const x = cells[r];
    out[at] += Number.isNaN(x) ? gap : a * x;
  }
};
