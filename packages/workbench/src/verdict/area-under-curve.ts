/**
 * The area under the ROC curve, P(score of a positive row > score of a negative one), ties counting half, with the standard error of
 * DeLong, DeLong and Clarke-Pearson (1988): √( var(V₁) / n₁ + var(V₀) / n₀ ), where V is the share of the other class that a row beats.
 *
 * @param labels 1 for the positive rows, 0 for the others
 */
export function areaUnderCurve(
  scores: Float64Array,
  labels: ArrayLike<number>,
): { readonly auc: number; readonly standardError: number } {
  const order = Int32Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b]);
  const size = [0, 0];
  for (const r of order) size[labels[r]]++;
  if (size[0] === 0 || size[1] === 0) return { auc: 0.5, standardError: 0.5 };
  const [sum, squares, below] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  for (let start = 0; start < order.length; ) {
    const tied = [0, 0];
    let end = start;
    for (; end < order.length && scores[order[end]] === scores[order[start]]; end++)
      tied[labels[order[end]]]++;
    for (const k of [0, 1]) {
      const other = 1 - k;
      const lower = (below[other] + tied[other] / 2) / size[other];
      const beaten = k === 1 ? lower : 1 - lower;
      sum[k] += tied[k] * beaten;
      squares[k] += tied[k] * beaten * beaten;
    }
    below[0] += tied[0];
    below[1] += tied[1];
    start = end;
  }
  const auc = sum[1] / size[1];
  const variance = [0, 1].reduce((total, k) => {
    const n = size[k];
    return total + (n > 1 ? Math.max(0, squares[k] / n - auc * auc) / (n - 1) : 0.25);
  }, 0);
  return { auc, standardError: Math.sqrt(variance) };
}
