import { need } from "../errors.ts";
import { choleskyFactor } from "../math/cholesky.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import {
  createGaussian,
  createGaussianColumns,
  type Gaussian,
  type GaussianColumns,
  type LowRank,
} from "./gaussian.ts";
import { expandLowRank } from "./low-rank.ts";

/**
 * A Gaussian factor in a model file: the mean, and the lower triangle of the covariance, row by row, or the parts of one of low rank plus
 * diagonal.
 */
export interface GaussianJson {
  readonly mean: readonly number[];
  readonly covariance?: readonly (readonly number[])[];
  readonly lowRank?: {
    readonly diagonal: readonly number[];
    /** A list per column. */
    readonly loadings: readonly (readonly number[])[];
    readonly signs: readonly number[];
  };
}

/** A factor as it is written. */
export function writeGaussian({ mean, covariance, lowRank }: Gaussian): GaussianJson {
  const n = mean.length;
  if (lowRank) {
    const { diagonal, loadings, signs } = lowRank;
    const r = signs.length;
    const rows = Array.from({ length: n }, (_, i) => [...loadings.subarray(i * r, (i + 1) * r)]);
    return { mean: [...mean], lowRank: { diagonal: [...diagonal], loadings: rows, signs: [...signs] } };
  }
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
  if (json?.lowRank) {
    const lowRank = readLowRank(json.lowRank, n, `${where}.lowRank`);
    return createGaussian(gaussianColumns, mean, expandLowRank(lowRank), lowRank);
  }
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

/** A covariance of low rank plus diagonal, which must be positive definite. */
function readLowRank(json: NonNullable<GaussianJson["lowRank"]>, n: number, where: string): LowRank {
  const { diagonal, loadings, signs } = json;
  const positive = diagonal?.length === n && diagonal.every((x) => Number.isFinite(x) && x > 0);
  need(`${where}.diagonal`, `${n} positive numbers`, diagonal, positive);
  const signed =
    Array.isArray(signs) && signs.every((sign, j) => sign === 1 || (sign === -1 && signs[j + 1] !== 1));
  need(`${where}.signs`, "a list of 1, then of -1", signs, signed);
  const shaped =
    loadings?.length === n &&
    loadings.every((row) => row?.length === signs.length && row.every(Number.isFinite));
  need(`${where}.loadings`, `${n} lists of ${signs.length} numbers`, loadings, shaped);
  const lowRank = {
    diagonal: Float64Array.from(diagonal),
    loadings: Float64Array.from(loadings.flat()),
    signs: Float64Array.from(signs),
  };
  need(where, "a positive definite covariance", "another", choleskyFactor(expandLowRank(lowRank), n));
  return lowRank;
}
