import type { Distribution, Gaussian } from "conformant";

/** The names of the Gaussian's columns, in order. */
export function gaussianColumnNames({ gaussianColumns, schema }: Distribution): string[] {
  return Array.from(gaussianColumns?.columns ?? [], (i) => schema.columns[i].name);
}

/** Mean, and covariance row by row. */
export function gaussianJson({ mean, covariance }: Gaussian): object {
  return { mean: [...mean], covariance: [...covariance] };
}
