/**
 * How far the correlations of few rows are to be shrunk towards none (Ledoit and Wolf 2004): the share λ of the estimate that
 * the identity gets, which makes the expected squared error least. For columns z of mean 0 and variance 1 over N rows,
 *
 *     λ = ( Σ_r ‖z_r‖⁴ / N − ‖S‖² ) / N / ‖S − I‖²        S = Σ_r z_r z_rᵀ / N,  at most 1
 *
 * in the norm of Frobenius. A column that does not vary takes no part; columns without any
 * correlation have nothing to shrink.
 *
 * @param centred the rows about their mean, rows × n; NaN counts as the mean
 * @param weights per row
 * @param covariance S before the columns are scaled, n × n
 */
export function ledoitWolf(centred: Float64Array, weights: Float64Array, covariance: Float64Array): number {
  const n = Math.round(Math.sqrt(covariance.length));
  const variance = Float64Array.from({ length: n }, (_, i) => covariance[i * n + i]);
  let [total, fourth] = [0, 0];
  for (let r = 0; r < weights.length; r++) {
    let length = 0;
    for (let i = 0; i < n; i++) {
      const x = centred[r * n + i];
      if (variance[i] > 0 && !Number.isNaN(x)) length += (x * x) / variance[i];
    }
    fourth += weights[r] * length * length;
    total += weights[r];
  }
  let [norm, away] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (!(variance[i] > 0 && variance[j] > 0)) continue;
      const correlation = covariance[i * n + j] / Math.sqrt(variance[i] * variance[j]);
      norm += correlation ** 2;
      if (i !== j) away += correlation ** 2;
    }
  }
  // A row of weight 2 is two rows; weights that are shares stand for one row each.
  const noise = (fourth / total - norm) / Math.max(total, weights.length);
  return away > 0 ? Math.min(1, Math.max(0, noise / away)) : 0;
}
