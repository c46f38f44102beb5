import { ConformantError, type Data, encode, type Schema, type Table, type WatchOptions } from "conformant";
import { shareOfDescent, submatrix, Watch } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { fitConstants } from "./fit-constants.ts";
import { createGaussian, fillConditionalMean, type Gaussian } from "./gaussian.ts";
import { type Imputer, slotRows } from "./imputer.ts";
import { type MissingPattern, missingPatterns } from "./missing-patterns.ts";
import { addRow, completeMoments, covarianceOf, type Moments, meanOf } from "./moments.ts";

/** Settings of {@link fitEm}. */
export interface EmOptions extends WatchOptions {
  /** Steps before the fit is returned as it is. Default 200. */
  readonly maxIterations?: number;
  /** Stop when no mean moves by more than this many standard deviations and no correlation by more than this. Default 1e-6. */
  readonly tolerance?: number;
  /** Added to the diagonal of the covariance, as a share of each variance: one-hot groups need some. Default 1e-6. */
  readonly ridge?: number;
}

/** Imputes missing values by their mean given the rest of the row under one normal distribution. */
export interface EmImputer extends Imputer {
  readonly gaussian: Gaussian;
  /** Complete training rows need one step. */
  readonly iterations: number;
  readonly status: "converged" | "iteration-limit";
}

/**
 * EM imputation: maximum likelihood for a multivariate normal over the slots (Dempster, Laird and Rubin 1977; Little
 * and Rubin, section 11.2), then E[x_missing | x_known] for every missing value. With complete training rows the
 * fit is their mean and covariance; otherwise the E-step adds the conditional covariance of the missing values.
 */
export function fitEm(schema: Schema, data: Data, options: EmOptions = {}): EmImputer {
  const watch = new Watch(options, "imputing");
  const { maxIterations = 200, tolerance = 1e-6, ridge = 1e-6 } = options;
  const table = encode(schema, data);
  const complete = completeMoments(table);
  const incomplete = missingPatterns(table)
    .filter(({ missing }) => missing.length > 0 && missing.length < schema.columns.length)
    .map((pattern) => incompleteRows(table, pattern));
  let gaussian = startingPoint(table);
  let status: EmImputer["status"] = "iteration-limit";
  let iterations = 0;
  let first: number | undefined;
  while (iterations < maxIterations && status !== "converged") {
    const moments = copy(complete);
    for (const pattern of incomplete) {
      watch.check();
      addExpected(moments, gaussian, pattern);
    }
    const next = positiveDefinite(meanOf(moments), covarianceOf(moments, ridge));
    const change = incomplete.length === 0 ? 0 : largestChange(gaussian, next);
    first ??= change;
    watch.step(shareOfDescent(first, change, tolerance));
    if (change <= tolerance) status = "converged";
    gaussian = next;
    iterations++;
  }
  const fill = (rows: Float64Array, count: number): void => {
    for (let r = 0; r < count; r++) fillConditionalMean(gaussian, rows, r * gaussian.mean.length);
  };
  return { method: "em", schema, gaussian, iterations, status, fill };
}

/** The rows of a pattern in slots, and which slots are missing. */
interface IncompleteRows {
  readonly rows: Float64Array;
  readonly count: number;
  readonly missing: readonly number[];
}

function incompleteRows(table: Table, { missing: columns, rows }: MissingPattern): IncompleteRows {
  const offsets = slotOffsets(table.schema);
  const width = offsets[table.schema.columns.length];
  const out = new Float64Array(rows.length * width);
  rows.forEach((r, at) => {
    out.set(slotRows(table, r, r + 1), at * width);
  });
  const missing = columns.flatMap((i) =>
    Array.from({ length: offsets[i + 1] - offsets[i] }, (_, v) => offsets[i] + v),
  );
  return { rows: out, count: rows.length, missing };
}

/** Each slot by itself: the mean and variance of what is known, no correlation. */
function startingPoint(table: Table): Gaussian {
  const mean = fitConstants(table.schema, table, "mean").constants!;
  const S = mean.length;
  const sums = new Float64Array(S);
  const counts = new Float64Array(S);
  for (let start = 0; start < table.rows; start += 256) {
    const rows = slotRows(table, start, Math.min(start + 256, table.rows));
    rows.forEach((x, at) => {
      if (Number.isNaN(x)) return;
      sums[at % S] += (x - mean[at % S]) ** 2;
      counts[at % S]++;
    });
  }
  const covariance = new Float64Array(S * S);
  for (let i = 0; i < S; i++) covariance[i * S + i] = sums[i] > 0 ? sums[i] / counts[i] : 1;
  return positiveDefinite(mean, covariance);
}

/** E-step of one pattern: rows with the missing slots at their conditional mean, plus the conditional covariance Λ_hh⁻¹. */
function addExpected(moments: Moments, gaussian: Gaussian, { rows, count, missing }: IncompleteRows): void {
  const S = gaussian.mean.length;
  const filled = Float64Array.from(rows);
  for (let r = 0; r < count; r++) {
    fillConditionalMean(gaussian, filled, r * S);
    addRow(moments, filled, r * S);
  }
  const h = missing.length;
  const conditional = positiveDefinite(
    new Float64Array(h),
    submatrix(gaussian.precision, S, missing),
  ).precision;
  for (let a = 0; a < h; a++)
    for (let b = 0; b <= a; b++)
      moments.product[missing[a] * S + missing[b]] += count * conditional[a * h + b];
}

function copy({ total, origin, sum, product }: Moments): Moments {
  return { total, origin, sum: sum.slice(), product: product.slice() };
}

function positiveDefinite(mean: Float64Array, covariance: Float64Array): Gaussian {
  const gaussian = createGaussian(mean, covariance);
  if (gaussian) return gaussian;
  const message = "the covariance of the training data is singular: a column follows from the others";
  throw new ConformantError("invalid-argument", message, {
    argument: "options.ridge",
    hint: "raise ridge; one-hot groups need some, for example 1e-6",
  });
}

/** Largest move of a mean in standard deviations, or of a covariance relative to the standard deviations. */
function largestChange(from: Gaussian, to: Gaussian): number {
  const S = to.mean.length;
  const deviation = to.mean.map((_, i) => Math.sqrt(to.covariance[i * S + i]));
  let largest = 0;
  for (let i = 0; i < S; i++) {
    largest = Math.max(largest, Math.abs(to.mean[i] - from.mean[i]) / deviation[i]);
    for (let j = 0; j <= i; j++) {
      const move = Math.abs(to.covariance[i * S + j] - from.covariance[i * S + j]);
      largest = Math.max(largest, move / (deviation[i] * deviation[j]));
    }
  }
  return largest;
}
