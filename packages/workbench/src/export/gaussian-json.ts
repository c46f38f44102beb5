import type { GaussianFactor, Model } from "conformant";

/** The names of the columns that a Gaussian describes, in its order. */
export function gaussianColumns({ block, schema }: Model): string[] {
  return Array.from(block?.columns ?? [], (i) => schema.columns[i].name);
}

/** Mean, and covariance row by row. */
export function gaussianJson({ mean, covariance }: GaussianFactor): object {
  return { mean: [...mean], covariance: [...covariance] };
}
