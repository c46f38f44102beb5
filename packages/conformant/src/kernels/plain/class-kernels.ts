import { exponential } from "../../math/exponential/exponential.ts";

/*
 * The plain loops of class scores. Scores stand by class, K × stride, so that the same operation is done to the rows one after the other.
 */

/** Adds w_k·x, or the gap's score where x is NaN, column by column. */
export function addNumbers(
  cells: Float64Array,
  weights: Float64Array,
  gaps: Float64Array,
  K: number,
  scores: Float64Array,
): void {
  const stride = scores.length / K;
  for (let at = 0; at < weights.length; at++) {
    const [from, to] = [Math.floor(at / K) * stride, (at % K) * stride];
    const [w, gap] = [weights[at], gaps[at]];
    for (let r = 0; r < stride; r++) {
      const x = cells[from + r];
      scores[to + r] += Number.isNaN(x) ? gap : w * x;
    }
  }
}

/** Turns the scores of each row into probabilities, rows × K. */
export function classProbabilities(scores: Float64Array, K: number, out: Float64Array): void {
  const stride = scores.length / K;
  for (let r = 0; r < stride; r++) {
    let largest = scores[r];
    for (let at = r + stride; at < scores.length; at += stride)
      if (scores[at] > largest) largest = scores[at];
    let sum = 0;
    for (let at = r, to = r * K; at < scores.length; at += stride, to++) {
      out[to] = exponential(scores[at] - largest);
      sum += out[to];
    }
    for (let to = r * K; to < (r + 1) * K; to++) out[to] /= sum;
  }
}
