/** An estimate with its standard error. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number;
}

/** A mean and its standard error s / √n; 0 for a single value. */
export function meanWithError(values: ArrayLike<number>): Estimate {
  const n = values.length;
  let sum = 0;
  for (let r = 0; r < n; r++) sum += values[r];
  const mean = sum / n;
  let squares = 0;
  for (let r = 0; r < n; r++) squares += (values[r] - mean) ** 2;
  return { mean, standardError: n > 1 ? Math.sqrt(squares / (n - 1) / n) : 0 };
}

/**
 * A share of rows with the standard error of Agresti and Coull (1998), who add two successes and two failures: few rows that are
 * all alike do not make it 0.
 */
export function shareWithError(count: number, rows: number): Estimate {
  const p = (count + 2) / (rows + 4);
  return { mean: count / rows, standardError: Math.sqrt((p * (1 - p)) / (rows + 4)) };
}
