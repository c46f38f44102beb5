import { choleskyRoot, solveFactored } from "../math/cholesky.ts";
import { isLinear, slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import type { RegressionReport } from "./linear-regressor.ts";

/** A loss of the sum η for a number y, up to a constant of y, with its first two derivatives in η. */
interface Family {
  readonly loss: (eta: number, y: number) => number;
  readonly slope: (eta: number, y: number) => number;
  readonly curvature: (eta: number, y: number) => number;
  /** The sum that suits a mean. */
  readonly start: (mean: number) => number;
}

const FAMILIES: Record<RegressionReport["family"], Family> = {
  gaussian: {
    loss: (eta, y) => (y - eta) ** 2 / 2,
    slope: (eta, y) => eta - y,
    curvature: () => 1,
    start: (mean) => mean,
  },
  poisson: {
    loss: (eta, y) => Math.exp(eta) - y * eta,
    slope: (eta, y) => Math.exp(eta) - y,
    curvature: (eta) => Math.exp(eta),
    start: Math.log,
  },
  gamma: {
    loss: (eta, y) => eta + y * Math.exp(-eta),
    slope: (eta, y) => 1 - y * Math.exp(-eta),
    curvature: (eta, y) => y * Math.exp(-eta),
    start: Math.log,
  },
};

export interface GlmSettings {
  readonly family: RegressionReport["family"];
  readonly l2: number;
  readonly maxIterations: number;
  /** One per entry of `rows`. Default 1 each. */
  readonly rowWeights: Float64Array | undefined;
  /** Told after each pass over the rows: the first decrement, the last one, and the one that ends the fit. */
  readonly step?: (first: number, now: number, enough: number) => void;
}

export interface GlmFit {
  readonly intercept: number;
  /** One per slot, on the original scale of the columns. */
  readonly weights: Float64Array;
  readonly status: RegressionReport["status"];
  readonly iterations: number;
  /** Σ weight·loss + ½·l2·‖w‖², w on the scale of standardized columns. */
  readonly objective: number;
}

/** The decrement gᵀH⁻¹g that ends a fit, as a share of the objective's size. */
const ENOUGH = 1e-24;
/** Halvings of a step. */
const HALVINGS = 40;

/**
 * Minimizes Σ weight·loss(b + w·x̃, y) + ½·l2·‖w‖² by Newton's method with step halving; x̃ are standardized numbers and 0/1 slots as they
 * are. Under squared errors the first step solves the normal equations and the second takes their rounding away.
 *
 * @param rows positions of rows without missing values
 * @param y one number per entry of `rows`
 */
export function fitGlm(table: Table, rows: Int32Array, y: Float64Array, settings: GlmSettings): GlmFit {
  const { l2, maxIterations, rowWeights } = settings;
  const family = FAMILIES[settings.family];
  const design = new Design(table, rows, rowWeights);
  const { slots } = design;
  const size = slots + 1; // the intercept comes last
  const total = rowWeights?.reduce((sum, w) => sum + w, 0) ?? rows.length;
  const mean = y.reduce((sum, value, r) => sum + ((rowWeights?.[r] ?? 1) / total) * value, 0);
  let point = new Float64Array(size);
  point[slots] = family.start(mean);
  const valueAt = (at: Float64Array): number => {
    let value = 0;
    design.each((r, index, x) => {
      value += (rowWeights?.[r] ?? 1) * family.loss(sumAt(at, index, x), y[r]);
    });
    for (let j = 0; j < slots; j++) value += (l2 / 2) * at[j] ** 2;
    return value;
  };
  let objective = valueAt(point);
  let first: number | undefined;
  for (let iteration = 1; ; iteration++) {
    const { gradient, hessian } = derivatives(design, point, y, family, settings);
    const step = gradient.map((g) => -g);
    solveFactored(choleskyRoot(hessian, size), size, step);
    const decrement = -step.reduce((sum, s, j) => sum + s * gradient[j], 0);
    const enough = ENOUGH * (Math.abs(objective) + total);
    first ??= decrement;
    settings.step?.(first, decrement, enough);
    const done = (status: GlmFit["status"]): GlmFit => ({
      ...design.onOriginalScale(point),
      status,
      iterations: iteration,
      objective,
    });
    if (!(decrement > enough)) return done(Number.isNaN(decrement) ? "stalled" : "converged");
    let next = point;
    let value = Number.NaN;
    for (let halving = 0, share = 1; halving < HALVINGS && !(value <= objective); halving++, share /= 2) {
      next = point.map((p, j) => p + share * step[j]);
      value = valueAt(next);
    }
    // Rounding keeps the objective from falling any further.
    if (!(value <= objective))
      return done(decrement <= 1e-9 * (Math.abs(objective) + total) ? "converged" : "stalled");
    [point, objective] = [next, value];
    if (iteration >= maxIterations) return done("iteration-limit");
  }
}

/** The gradient, and the lower triangle of the Hessian, size × size. */
function derivatives(
  design: Design,
  point: Float64Array,
  y: Float64Array,
  family: Family,
  { l2, rowWeights }: GlmSettings,
): { readonly gradient: Float64Array; readonly hessian: Float64Array } {
  const { slots } = design;
  const size = slots + 1;
  const [gradient, hessian] = [new Float64Array(size), new Float64Array(size * size)];
  for (let j = 0; j < slots; j++) {
    gradient[j] = l2 * point[j];
    hessian[j * size + j] = l2;
  }
  design.each((r, index, x) => {
    const eta = sumAt(point, index, x);
    const weight = rowWeights?.[r] ?? 1;
    const g = weight * family.slope(eta, y[r]);
    const h = weight * family.curvature(eta, y[r]);
    for (let a = 0; a < index.length; a++) {
      const value = x[a];
      if (value === 0) continue;
      const row = index[a] * size;
      gradient[index[a]] += g * value;
      const scaled = h * value;
      for (let b = 0; b <= a; b++) hessian[row + index[b]] += scaled * x[b];
    }
  });
  return { gradient, hessian };
}

function sumAt(point: Float64Array, index: Int32Array, x: Float64Array): number {
  let sum = 0;
  for (let a = 0; a < index.length; a++) sum += point[index[a]] * x[a];
  return sum;
}

/** Rows as the slots that are not 0 in them, in ascending order, the intercept last. */
class Design {
  readonly slots: number;
  readonly #table: Table;
  readonly #rows: Int32Array;
  readonly #starts: Int32Array | readonly number[];
  /** Mean and standard deviation of each slot: 0 and 1 for those that are not numbers. */
  readonly #mean: Float64Array;
  readonly #scale: Float64Array;

  constructor(table: Table, rows: Int32Array, weights: Float64Array | undefined) {
    const { columns } = table.schema;
    this.#table = table;
    this.#rows = rows;
    this.#starts = slotOffsets(table.schema);
    this.slots = this.#starts[columns.length];
    this.#mean = new Float64Array(this.slots);
    this.#scale = new Float64Array(this.slots).fill(1);
    columns.forEach(({ kind }, i) => {
      if (kind !== "numeric") return;
      const cells = table.columns[i];
      let [total, mean, squares] = [0, 0, 0];
      rows.forEach((r, at) => {
        const weight = weights?.[at] ?? 1;
        total += weight;
        const away = cells[r] - mean;
        mean += (away * weight) / total;
        squares += weight * away * (cells[r] - mean);
      });
      const slot = this.#starts[i];
      this.#mean[slot] = mean;
      const deviation = Math.sqrt(squares / total);
      this.#scale[slot] = deviation > 1e-12 * Math.abs(mean) ? deviation : 1;
    });
  }

  /** Visits every row; the arrays are reused. */
  each(visit: (row: number, index: Int32Array, x: Float64Array) => void): void {
    const { schema, columns } = this.#table;
    const n = columns.length;
    const index = new Int32Array(n + 1);
    const x = new Float64Array(n + 1);
    index[n] = this.slots;
    x[n] = 1;
    const linear = schema.columns.map(isLinear);
    for (let i = 0; i < n; i++) {
      index[i] = this.#starts[i];
      x[i] = 1;
    }
    for (let at = 0; at < this.#rows.length; at++) {
      const r = this.#rows[at];
      for (let i = 0; i < n; i++) {
        const start = this.#starts[i];
        if (linear[i]) x[i] = (columns[i][r] - this.#mean[start]) / this.#scale[start];
        else index[i] = start + columns[i][r];
      }
      visit(at, index, x);
    }
  }

  onOriginalScale(point: Float64Array): Pick<GlmFit, "intercept" | "weights"> {
    const weights = new Float64Array(this.slots);
    let intercept = point[this.slots];
    for (let j = 0; j < this.slots; j++) {
      weights[j] = point[j] / this.#scale[j];
      intercept -= weights[j] * this.#mean[j];
    }
    return { intercept, weights };
  }
}
