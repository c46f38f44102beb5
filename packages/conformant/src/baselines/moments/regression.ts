import { ConformantError } from "../../errors.ts";
import { choleskyFactor, solveFactored } from "../../linalg/cholesky.ts";
import { submatrix } from "../../linalg/submatrix.ts";
import { type Schema, slotOffsets } from "../../schema/column.ts";
import { createGaussian } from "./gaussian.ts";
import { covarianceOf, type Moments, meanOf } from "./moments.ts";

/** A linear regression of the slots start … end − 1 of one column on all slots of the others. */
export interface Regression {
  readonly start: number;
  readonly end: number;
  /** One per slot of the column. */
  readonly intercept: Float64Array;
  /** (end − start) × S row-major; 0 for the column's own slots. */
  readonly coefficients: Float64Array;
}

/** The regression of one column: coefficients Σ_RR⁻¹ Σ_RC with R the other slots and the ridge on Σ_RR's diagonal. */
export function regress(moments: Moments, start: number, end: number, ridge: number): Regression {
  const S = moments.sum.length;
  const covariance = covarianceOf(moments, ridge);
  const others = Array.from({ length: S - (end - start) }, (_, j) => (j < start ? j : j + end - start));
  const factor = submatrix(covariance, S, others);
  if (!choleskyFactor(factor, others.length)) throw singular();
  const coefficients = new Float64Array((end - start) * S);
  for (let a = 0; a < end - start; a++) {
    const x = Float64Array.from(others, (j) => covariance[j * S + start + a]);
    solveFactored(factor, others.length, x);
    others.forEach((j, b) => {
      coefficients[a * S + j] = x[b];
    });
  }
  return withIntercept(meanOf(moments), start, end, coefficients);
}

/** All regressions at once from the inverse covariance Λ: the coefficients of column C are −Λ_CC⁻¹ Λ_CR. */
export function regressAll(schema: Schema, moments: Moments, ridge: number): Regression[] {
  const S = moments.sum.length;
  const mean = meanOf(moments);
  const gaussian = createGaussian(mean, covarianceOf(moments, ridge));
  if (!gaussian) throw singular();
  const slots = slotOffsets(schema);
  return schema.columns.map((_, i) => {
    const [start, end] = [slots[i], slots[i + 1]];
    const own = Array.from({ length: end - start }, (_, a) => start + a);
    const factor = submatrix(gaussian.precision, S, own);
    if (!choleskyFactor(factor, own.length)) throw singular();
    const coefficients = new Float64Array(own.length * S);
    for (let j = 0; j < S; j++) {
      if (j >= start && j < end) continue;
      const x = Float64Array.from(own, (slot) => -gaussian.precision[slot * S + j]);
      solveFactored(factor, own.length, x);
      for (let a = 0; a < own.length; a++) coefficients[a * S + j] = x[a];
    }
    return withIntercept(mean, start, end, coefficients);
  });
}

/** intercept_a = mean_a − Σ_j coefficient_aj · mean_j, so that the means predict the means. */
function withIntercept(
  mean: Float64Array,
  start: number,
  end: number,
  coefficients: Float64Array,
): Regression {
  const S = mean.length;
  const intercept = Float64Array.from({ length: end - start }, (_, a) =>
    mean.reduce((sum, x, j) => sum - coefficients[a * S + j] * x, mean[start + a]),
  );
  return { start, end, intercept, coefficients };
}

function singular(): ConformantError {
  const message =
    "a column of the training data follows from the others, so its regression is not determined";
  return new ConformantError("invalid-argument", message, {
    argument: "options.ridge",
    hint: "raise ridge; one-hot groups need some, for example 1e-6",
  });
}
