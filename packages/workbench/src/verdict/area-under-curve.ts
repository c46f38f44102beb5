import { sumOfSquares, sumsOfGroups } from "./standard-error.ts";

/**
 * The area under the ROC curve, P(score of a positive row > score of a negative one), ties counting half, with the standard error of
 * DeLong, DeLong and Clarke-Pearson (1988): √( var(V₁) / n₁ + var(V₀) / n₀ ), where V is the share of the other class that a row beats.
 * Of rows in groups it is that of Obuchowski (1997), which adds up V within groups and has their covariance.
 *
 * @param labels 1 for the positive rows, 0 for the others
 */
export function areaUnderCurve(
  scores: Float64Array,
  labels: ArrayLike<number>,
  groups: ArrayLike<number> = Int32Array.from(scores.keys()),
): { readonly auc: number; readonly standardError: number } {
  const order = Int32Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b]);
  const size = [0, 0];
  for (const r of order) size[labels[r]]++;
  if (size[0] === 0 || size[1] === 0) return { auc: 0.5, standardError: 0.5 };
  const beaten = new Float64Array(scores.length);
  const below = [0, 0];
  for (let start = 0; start < order.length; ) {
    const tied = [0, 0];
    let end = start;
    for (; end < order.length && scores[order[end]] === scores[order[start]]; end++)
      tied[labels[order[end]]]++;
    for (const r of order.subarray(start, end)) {
      const other = 1 - labels[r];
      const lower = (below[other] + tied[other] / 2) / size[other];
      beaten[r] = other === 0 ? lower : 1 - lower;
    }
    below[0] += tied[0];
    below[1] += tied[1];
    start = end;
  }
  const auc = beaten.reduce((sum, v, r) => sum + (labels[r] === 1 ? v : 0), 0) / size[1];
  const ofClass = size.map((n, k) => {
    const sums = sumsOfGroups(
      beaten.map((v, r) => (labels[r] === k ? (v - auc) / n : 0)),
      groups,
    );
    const own = new Set(order.filter((r) => labels[r] === k).map((r) => groups[r])).size;
    return { sums, variance: own > 1 ? (own / (own - 1)) * sumOfSquares(sums) : 0.25 };
  });
  const [{ sums: negative }, { sums: positive }] = ofClass;
  const G = positive.length;
  const covariance = G > 1 ? (G / (G - 1)) * positive.reduce((sum, own, g) => sum + own * negative[g], 0) : 0;
  const variance = ofClass[0].variance + ofClass[1].variance + 2 * covariance;
  return { auc, standardError: Math.sqrt(Math.max(0, variance)) };
}
