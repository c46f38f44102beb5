import { dot } from "../dot.ts";

/** A differentiable function: returns its value at `point` and overwrites `gradient`. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

/** Value and gradient of a function at a point. */
export interface Evaluation {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** A point on the line x + step·direction, with the value, gradient and slope (gradientᵀdirection) there. */
export interface LinePoint {
  readonly step: number;
  readonly point: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array;
  readonly slope: number;
}

/** Share of the decrease predicted by the slope that a step must deliver (Armijo). */
const DECREASE = 1e-4;
/** Share of the initial slope that may be left in absolute value (strong Wolfe); loose, as quasi-Newton steps are good. */
const CURVATURE = 0.9;
/** Differences of values below this share of the value are rounding, and only the slopes are trusted. */
const ROUNDING = 1e-11;
/** Each new step keeps this share of the bracket away from both its ends, and grows at most by the inverse of it. */
const MARGIN = 0.1;
/** Evaluations before the search is given up. */
const EVALUATIONS = 40;

/**
 * Finds a step that satisfies the strong Wolfe conditions,
 *
 *     f(step) ≤ f(0) + 1e-4·step·f′(0)   and   |f′(step)| ≤ 0.9·|f′(0)|,
 *
 * where the first may be off by rounding if f′(step) alone says that the step is not too long ("approximate Wolfe",
 * Hager and Zhang 2005, doi:10.1137/030601880): near the minimum the values are all equal but slopes still tell. The
 * minimum is bracketed by the sign of the slope, then approached by secants of the slope. Yields points and is to be sent what
 * the function is there.
 *
 * @param origin the point at step 0; its slope must be negative
 * @returns undefined where no such step was found
 */
export function* searchLine(
  origin: LinePoint,
  direction: Float64Array,
  firstStep: number,
): Generator<Float64Array, LinePoint | undefined, Evaluation> {
  let below = origin;
  let above: LinePoint | undefined;
  let step = firstStep;
  for (let evaluation = 0; evaluation < EVALUATIONS; evaluation++) {
    const at = step;
    const point = origin.point.map((x, j) => x + at * direction[j]);
    const { value, gradient } = yield point;
    const trial = { step, point, value, gradient, slope: dot(gradient, direction) };
    const tooLong = !decreases(trial, origin);
    if (!tooLong && Math.abs(trial.slope) <= -CURVATURE * origin.slope) return trial;
    if (tooLong || trial.slope >= 0) above = trial;
    else below = trial;
    step = above === undefined ? longerStep(origin, below) : stepBetween(below, above);
  }
  return undefined;
}

/** False also where value or slope are not numbers. */
function decreases(trial: LinePoint, origin: LinePoint): boolean {
  if (trial.value <= origin.value + DECREASE * trial.step * origin.slope) return true;
  const flat = trial.value <= origin.value + ROUNDING * Math.abs(origin.value);
  return flat && trial.slope <= (2 * DECREASE - 1) * origin.slope;
}

/** Where the secant through the slopes at 0 and at the longest step so far meets zero; between 2 and 10 times that step. */
function longerStep(origin: LinePoint, { step, slope }: LinePoint): number {
  const secant =
    slope > origin.slope ? (step * origin.slope) / (origin.slope - slope) : Number.POSITIVE_INFINITY;
  return Math.min(step / MARGIN, Math.max(2 * step, secant));
}

/** Where the secant through the slopes meets zero, or the middle where the upper slope is of no use. */
function stepBetween(below: LinePoint, above: LinePoint): number {
  const width = above.step - below.step;
  const useful = above.slope > 0 && Number.isFinite(above.slope);
  const share = useful ? below.slope / (below.slope - above.slope) : 0.5;
  return below.step + width * Math.min(1 - MARGIN, Math.max(MARGIN, share));
}
