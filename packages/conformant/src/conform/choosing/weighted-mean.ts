/** A mean over rows and its standard error. */
export interface Mean {
  readonly mean: number;
  readonly standardError: number;
}

/** The mean of weighted values, √( Σ w² (x − mean)² · N/(N − 1) ) / Σ w its standard error; 0 for a single value. */
export function meanOf(values: Float64Array, weights: Float64Array): Mean {
  const N = values.length;
  let [total, sum] = [0, 0];
  for (let r = 0; r < N; r++) {
    total += weights[r];
    sum += weights[r] * values[r];
  }
  const mean = sum / total;
  let squares = 0;
  for (let r = 0; r < N; r++) squares += (weights[r] * (values[r] - mean)) ** 2;
  return { mean, standardError: N > 1 ? Math.sqrt((squares * N) / (N - 1)) / total : 0 };
}

/** The mean difference of values of the same rows: what the rows have in common does not blur it. */
export function differenceOf(a: Float64Array, b: Float64Array, weights: Float64Array): Mean {
  return meanOf(
    a.map((x, r) => x - b[r]),
    weights,
  );
}
