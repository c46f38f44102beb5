import { need } from "../errors.ts";
import { choleskyFactor } from "../math/cholesky.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { createGaussian, createGaussianColumns, type Gaussian, type GaussianColumns } from "./gaussian.ts";

/** A Gaussian factor in a model file: the mean and the lower triangle of the covariance, row by row. */
export interface GaussianJson {
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

/** A factor as it is written. */
export function writeGaussian({ mean, covariance }: Gaussian): GaussianJson {
  const n = mean.length;
  return {
    mean: [...mean],
    covariance: Array.from({ length: n }, (_, i) => [...covariance.subarray(i * n, i * n + i + 1)]),
  };
}

/** The Gaussian of a model file: positions of numeric columns, ascending. */
export function readGaussianColumns(tilt: ClassTilt, columns: unknown): GaussianColumns | undefined {
  if (columns === undefined) return undefined;
  const { schema } = tilt;
  const fits =
    Array.isArray(columns) &&
    columns.length > 0 &&
    columns.every((i, at) => schema.columns[i]?.kind === "numeric" && (at === 0 || i > columns[at - 1]));
  need("distribution.gaussianColumns", "ascending positions of numeric columns", columns, fits);
  return createGaussianColumns(tilt, columns as number[]);
}

/** The factor of component m; its covariance must be positive definite. */
export function readGaussian(
  gaussianColumns: GaussianColumns,
  m: number,
  json: GaussianJson | undefined,
): Gaussian {
  const n = gaussianColumns.columns.length;
  const where = `components[${m}].gaussian`;
  const finite = (numbers: readonly number[]): boolean => numbers.every(Number.isFinite);
  need(`${where}.mean`, `${n} numbers`, json?.mean, json?.mean?.length === n && finite(json.mean));
  const mean = Float64Array.from(json?.mean ?? []);
  const rows = json?.covariance ?? [];
  const shaped = rows.length === n && rows.every((row, i) => row?.length === i + 1 && finite(row));
  need(`${where}.covariance`, `a lower triangle of ${n} rows`, json?.covariance, shaped);
  const covariance = new Float64Array(n * n);
  rows.forEach((row, i) => {
    row.forEach((value, j) => {
      covariance[i * n + j] = value;
      covariance[j * n + i] = value;
    });
  });
  need(`${where}.covariance`, "positive definite", "another", choleskyFactor(covariance.slice(), n));
  return createGaussian(gaussianColumns, mean, covariance);
}
