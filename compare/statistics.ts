/** A mean over splits and its standard error. */
export interface MeanWithError {
  readonly mean: number;
  readonly error: number;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean of some values and its standard error s / √n; NaN for a single value. */
export function meanWithError(values: readonly number[]): MeanWithError {
  const center = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return { mean: center, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/**
 * The mean over tables of a quantity measured on several splits of each, with the standard error that the splits cause:
 * √(Σ_t e_t²) / T, where e_t is the standard error of table t.
 */
export function meanOverTables(tables: readonly (readonly number[])[]): MeanWithError {
  const own = tables.map(meanWithError);
  return {
    mean: mean(own.map((table) => table.mean)),
    error: Math.sqrt(own.reduce((sum, { error }) => sum + error ** 2, 0)) / own.length,
  };
}
