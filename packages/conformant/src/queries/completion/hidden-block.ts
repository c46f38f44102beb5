import { blockCells, type Pattern, patternOf } from "../../gaussian/block.ts";
import { applyConditional, condition } from "../../gaussian/condition.ts";
import { choleskyFactor } from "../../linalg/cholesky.ts";
import type { Random } from "../../math/random.ts";
import type { Model } from "../../model/model.ts";
import { factorsOf } from "../../posterior/mixture-scores.ts";
import type { Table } from "../../schema/data.ts";

/**
 * The hidden columns of a Gaussian block given the known ones: given component and class they are jointly normal,
 *
 *     P_m(x_h | y_o, k) = N( E_m[x_h | y_o] + Σ_m w_k,h , Σ_m ),     Σ_m = Σ_m,h|o
 */
export interface HiddenBlock {
  /** Positions in the schema of the hidden columns; h of them. */
  readonly columns: readonly number[];
  /** The means, M × K × h: `means[(m * K + k) * h + a]`. */
  readonly means: Float64Array;
  /** Σ_m per component, h × h. */
  readonly covariances: readonly Float64Array[];
}

/** The hidden part of the block in a row of a table, or undefined where the model has no block or nothing of it is hidden. */
export function hiddenBlock(model: Model, table: Table, row: number): HiddenBlock | undefined {
  const { block } = model;
  if (!block) return undefined;
  const cells = blockCells(block, table, [row]);
  const pattern = patternOf(cells, 0, cells.length);
  return pattern.hidden.length === 0 ? undefined : hiddenGiven(model, pattern, cells);
}

function hiddenGiven(model: Model, pattern: Pattern, cells: Float64Array): HiddenBlock | undefined {
  const { block } = model;
  if (!block) return undefined;
  const [K, h] = [block.K, pattern.hidden.length];
  const factors = factorsOf(model);
  const means = new Float64Array(factors.length * K * h);
  const covariances = factors.map((factor, m) => {
    const given = condition(block, factor, pattern);
    const { mean } = applyConditional(given, factor, pattern, cells, 0);
    for (let k = 0; k < K; k++)
      for (let a = 0; a < h; a++) means[(m * K + k) * h + a] = mean[a] + given.shift[k * h + a];
    return given.covariance;
  });
  return { columns: Array.from(pattern.hidden, (i) => block.columns[i]), means, covariances };
}

/** A hidden column by itself: normal with these means (M × K) and standard deviations (M) given component and class. */
export interface HiddenNumber {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** Hidden column a of the block by itself. */
export function hiddenNumber({ means, covariances, columns }: HiddenBlock, a: number): HiddenNumber {
  const h = columns.length;
  return {
    means: Float64Array.from({ length: means.length / h }, (_, cell) => means[cell * h + a]),
    deviations: Float64Array.from(covariances, (c) => Math.sqrt(Math.max(0, c[a * h + a]))),
  };
}

/** A linear function d·x of the hidden columns, again normal given component and class. */
export function hiddenSum({ means, covariances, columns }: HiddenBlock, d: Float64Array): HiddenNumber {
  const h = columns.length;
  return {
    means: Float64Array.from({ length: means.length / h }, (_, cell) => {
      let sum = 0;
      for (let a = 0; a < h; a++) sum += d[a] * means[cell * h + a];
      return sum;
    }),
    deviations: Float64Array.from(covariances, (c) => {
      let sum = 0;
      for (let a = 0; a < h; a++) for (let b = 0; b < h; b++) sum += d[a] * d[b] * c[a * h + b];
      return Math.sqrt(Math.max(0, sum));
    }),
  };
}

/** Draws the hidden columns given a cell (component and class): writes h numbers. */
export function hiddenSampler(
  { means, covariances, columns }: HiddenBlock,
  K: number,
): (cell: number, g: Random, out: Float64Array) => void {
  const h = columns.length;
  const roots = covariances.map((covariance) => {
    const lower = covariance.slice();
    // A conditional variance of 0 to rounding: the tiniest one is as good.
    if (!choleskyFactor(lower, h)) {
      lower.set(covariance);
      for (let a = 0; a < h; a++) lower[a * h + a] = lower[a * h + a] * (1 + 1e-9) + Number.MIN_VALUE;
      choleskyFactor(lower, h);
    }
    return lower;
  });
  const z = new Float64Array(h);
  return (cell, g, out) => {
    const lower = roots[Math.floor(cell / K)];
    for (let a = 0; a < h; a++) {
      z[a] = g.normal();
      let x = means[cell * h + a];
      for (let b = 0; b <= a; b++) x += lower[a * h + b] * z[b];
      out[a] = x;
    }
  };
}
