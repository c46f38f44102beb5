import { fastContext } from "../kernels/context.ts";
import { minimise, type Objective } from "../math/lbfgs.ts";
import { largestAbsolute } from "../math/vectors.ts";
import { shareOfDescent, type Watch } from "../progress.ts";
import type { Table } from "../schema/data.ts";
import { inverseCurvature } from "./curvature.ts";
import { type DesignMatrix, designMatrix } from "./design-matrix.ts";
import { logisticLoss, type PanelLayout, panelLayout, parameterIndex } from "./loss.ts";

export interface LogisticSettings {
  /** Penalty ½·l2·‖w‖² on the weights of standardised columns; scikit-learn's C is 1/l2. */
  readonly l2: number;
  /** Converged when no entry of the gradient of objective / total weight is larger than this (standardised columns). */
  readonly tolerance: number;
  /** Steps of the minimiser, each at least one pass over the rows, after which the fit is given back as it is. */
  readonly maxIterations: number;
  /** One per entry of `rows`, with a positive sum. Default 1 each. */
  readonly rowWeights?: Float64Array | undefined;
  /** Weights and intercepts to begin with, on the original scale, instead of the class shares. */
  readonly start?: Pick<LogisticFit, "intercept" | "weights"> | undefined;
  /** Told after each pass over the rows. */
  readonly watch?: Watch;
}

export interface LogisticFit {
  /** K; they sum to 0 where K > 2, and the first is 0 where K = 2. */
  readonly intercept: Float64Array;
  /** slots × K, `weights[slot * K + k]` on the original scale of the columns; 0 for the first of two classes. */
  readonly weights: Float64Array;
  readonly status: "converged" | "iteration-limit" | "stalled";
  /** Largest absolute entry of the gradient of objective / total weight, at the end. */
  readonly gradientNorm: number;
  readonly iterations: number;
  /** Σ_r weight_r · loss_r + ½·l2·‖w‖². */
  readonly objective: number;
}

/**
 * Fits an L2-penalised logistic regression: scikit-learn's `LogisticRegression` on StandardScaler'd numeric columns,
 * 0/1 columns and full one-hot groups. K = 2 is binary, K > 2 multinomial with all classes penalised alike. Row
 * weights enter mean and standard deviation, too, as in `StandardScaler.fit(X, sample_weight=…)`. With l2 = 0 the
 * weights of one-hot groups are determined up to a constant only, and may not exist at all for separable classes.
 *
 * Method: L-BFGS from the class shares, preconditioned by the {@link inverseCurvature} there. Stops when the gradient
 * is within the tolerance, or at the iteration limit, or where rounding stops progress; the status says which.
 *
 * @param rows indices of the rows to use, which have no gaps
 * @param labels class code per entry of `rows`
 */
export function fitLogistic(
  table: Table,
  rows: Int32Array,
  labels: Int32Array,
  classCount: number,
  settings: LogisticSettings,
): LogisticFit {
  const { l2, tolerance, maxIterations, rowWeights, start, watch } = settings;
  const design = designMatrix(table, rows, rowWeights);
  const layout = panelLayout(design.slots, classCount);
  const shares = classShares(design, labels, classCount);
  const loss = logisticLoss(design, layout, labels, l2, fastContext);
  const enough = tolerance * design.totalWeight;
  const from = start ? parametersOf(start, design, layout) : startAtShares(layout, shares);
  const found = minimise(watch ? watched(loss, watch, enough) : loss, from, {
    tolerance: enough,
    maxIterations,
    precondition: inverseCurvature(design, layout, shares, l2),
  });
  return {
    ...onOriginalScale(design, layout, classCount, found.point),
    status: found.status,
    gradientNorm: found.gradientNorm / design.totalWeight,
    iterations: found.iterations,
    objective: found.value,
  };
}

/** An objective that tells after each evaluation how far the gradient has come on its way to the tolerance. */
function watched(objective: Objective, watch: Watch, tolerance: number): Objective {
  let first: number | undefined;
  return (point, gradient) => {
    const value = objective(point, gradient);
    const now = largestAbsolute(gradient);
    first ??= now;
    watch.step(shareOfDescent(first, now, tolerance));
    return value;
  };
}

/** Share of each class in the total weight, with one row of weight 1 added to each so that none is 0. */
export function classShares(design: DesignMatrix, labels: Int32Array, classCount: number): Float64Array {
  const counts = new Float64Array(classCount).fill(1);
  for (let r = 0; r < labels.length; r++) counts[labels[r]] += design.rowWeights[r];
  return counts.map((count) => count / (design.totalWeight + classCount));
}

/** Weights 0 and the intercepts that give every row the class shares: log p_k, centred; log p_1 / p_0 for two classes. */
function startAtShares(layout: PanelLayout, shares: Float64Array): Float64Array {
  const start = new Float64Array(layout.length);
  const logShares = shares.map(Math.log);
  const level = layout.outputs === 1 ? logShares[0] : mean(logShares);
  for (let k = 0; k < layout.outputs; k++) {
    start[parameterIndex(layout, layout.slots, k)] = logShares[shares.length - layout.outputs + k] - level;
  }
  return start;
}

/** b + w·(x − mean)/scale as intercept + weights·x, with scikit-learn's choice of the level of the intercepts. */
export function onOriginalScale(
  design: Pick<DesignMatrix, "mean" | "scale">,
  layout: PanelLayout,
  classCount: number,
  parameters: Float64Array,
) {
  const intercept = new Float64Array(classCount);
  const weights = new Float64Array(layout.slots * classCount);
  for (let output = 0; output < layout.outputs; output++) {
    const k = classCount - layout.outputs + output;
    intercept[k] = parameters[parameterIndex(layout, layout.slots, output)];
    for (let slot = 0; slot < layout.slots; slot++) {
      const weight = parameters[parameterIndex(layout, slot, output)] / design.scale[slot];
      weights[slot * classCount + k] = weight;
      intercept[k] -= weight * design.mean[slot];
    }
  }
  const level = layout.outputs === 1 ? 0 : mean(intercept);
  return { intercept: intercept.map((b) => b - level), weights };
}

/** A classifier's weights on standardised slots. */
export function parametersOf(
  { weights, intercept }: Pick<LogisticFit, "intercept" | "weights">,
  { mean, scale }: Pick<DesignMatrix, "mean" | "scale">,
  layout: PanelLayout,
): Float64Array {
  const K = intercept.length;
  const parameters = new Float64Array(layout.length);
  for (let output = 0; output < layout.outputs; output++) {
    const k = K - layout.outputs + output;
    let level = intercept[k];
    for (let slot = 0; slot < layout.slots; slot++) {
      const weight = weights[slot * K + k];
      parameters[parameterIndex(layout, slot, output)] = weight * scale[slot];
      level += weight * mean[slot];
    }
    parameters[parameterIndex(layout, layout.slots, output)] = level;
  }
  return parameters;
}

function mean(x: Float64Array): number {
  return x.reduce((sum, value) => sum + value, 0) / x.length;
}
