import { dot, largestAbsolute } from "./vectors.ts";

export interface LbfgsSettings {
  /** Converged when no entry of the gradient is larger than this in absolute value. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /**
   * Multiplies a vector in place by a positive definite guess H₀ of the inverse Hessian: the better the guess, the
   * fewer the iterations. Default: the identity, with a first step of length 1 at most.
   */
  readonly precondition?: (vector: Float64Array) => void;
}

export interface LbfgsResult {
  /**
   * "converged": the gradient is within the tolerance. "stalled": no step downhill is found even along the preconditioned
   * gradient, or neither value nor gradient have improved for a while. "iteration-limit": none of these so far.
   */
  readonly status: "converged" | "iteration-limit" | "stalled";
  readonly point: Float64Array;
  readonly value: number;
  /** Largest absolute entry of the gradient at `point`. */
  readonly gradientNorm: number;
  readonly iterations: number;
}

/** Steps that are remembered; more save few iterations with a good guess. */
const MEMORY = 10;
/** Iterations in a row without a new smallest value or gradient after which the search counts as stalled. */
const PATIENCE = 20;

/** A step s, the change y of the gradient over it, H₀y, and 1 / sᵀy. */
interface Pair {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly guess: Float64Array;
  readonly inverseProduct: number;
}

/** A point of the line search with H₀·gradient. */
interface Iterate extends LinePoint {
  readonly guess: Float64Array;
}

/**
 * Minimises a smooth function by the limited-memory BFGS method (Nocedal 1980, doi:10.1090/S0025-5718-1980-0572855-7;
 * Nocedal and Wright, Numerical Optimization, 2nd ed., algorithms 7.4 and 7.5).
 */
export function minimise(objective: Objective, start: Float64Array, settings: LbfgsSettings): LbfgsResult {
  const steps = minimising(start, settings);
  let next = steps.next();
  while (!next.done) {
    const gradient = new Float64Array(start.length);
    const value = objective(next.value, gradient);
    next = steps.next({ value, gradient });
  }
  return next.value;
}

/** The same for a function that is computed elsewhere: yields points and is to be sent what the function is there. */
export function* minimising(
  start: Float64Array,
  settings: LbfgsSettings,
): Generator<Float64Array, LbfgsResult, Evaluation> {
  const { tolerance, maxIterations, precondition } = settings;
  const withGuess = (point: LinePoint): Iterate => {
    const guess = point.gradient.slice();
    precondition?.(guess);
    return { ...point, guess };
  };
  let here = withGuess({ step: 0, point: start, ...(yield start), slope: 0 });
  let pairs: Pair[] = [];
  const progress = new Progress();

  for (let iterations = 0; ; iterations++) {
    const gradientNorm = largestAbsolute(here.gradient);
    const result = { point: here.point, value: here.value, gradientNorm, iterations };
    if (gradientNorm <= tolerance) return { status: "converged", ...result };
    if (iterations >= maxIterations) return { status: "iteration-limit", ...result };
    if (progress.idleAfter(here.value, gradientNorm) > PATIENCE) return { status: "stalled", ...result };

    const direction = descentDirection(here, pairs);
    const firstStep = pairs.length > 0 || precondition !== undefined ? 1 : 1 / Math.max(1, norm(direction));
    const slope = dot(here.gradient, direction);
    const origin = { ...here, step: 0, slope };
    const next = slope < 0 ? yield* searchLine(origin, direction, firstStep) : undefined;
    if (next !== undefined) {
      const iterate = withGuess(next);
      pairs = remember(pairs, here, iterate);
      here = iterate;
    } else if (pairs.length > 0) {
      pairs = []; // what is remembered misleads: start afresh from here
    } else {
      return { status: "stalled", ...result };
    }
  }
}

/** −H·gradient, with H the inverse Hessian that BFGS makes of H₀ and the pairs, by two loops over the pairs. */
function descentDirection({ gradient, guess }: Iterate, pairs: readonly Pair[]): Float64Array {
  const rest = gradient.map((g) => -g);
  const direction = guess.map((g) => -g); // H₀·rest throughout the first loop
  const shares = new Float64Array(pairs.length);
  for (let i = pairs.length - 1; i >= 0; i--) {
    shares[i] = pairs[i].inverseProduct * dot(pairs[i].step, rest);
    addMultiple(rest, -shares[i], pairs[i].change);
    addMultiple(direction, -shares[i], pairs[i].guess);
  }
  const last = pairs.at(-1);
  if (last !== undefined) {
    // sᵀy / yᵀH₀y makes H₀ right along the last step.
    const scale = 1 / (last.inverseProduct * dot(last.change, last.guess));
    for (let j = 0; j < direction.length; j++) direction[j] *= scale;
  }
  pairs.forEach(({ step, change, inverseProduct }, i) => {
    addMultiple(direction, shares[i] - inverseProduct * dot(change, direction), step);
  });
  return direction;
}

/** The last pairs and the new one; a step along which the slope does not rise says nothing about the curvature. */
function remember(pairs: Pair[], from: Iterate, to: Iterate): Pair[] {
  const step = difference(to.point, from.point);
  const change = difference(to.gradient, from.gradient);
  const guess = difference(to.guess, from.guess);
  const product = dot(step, change);
  if (!(product > 0 && dot(change, guess) > 0)) return pairs;
  return [...pairs.slice(1 - MEMORY), { step, change, guess, inverseProduct: 1 / product }];
}

/** Counts the iterations in a row in which neither the value nor the gradient was the smallest so far. */
class Progress {
  #value = Number.POSITIVE_INFINITY;
  #gradientNorm = Number.POSITIVE_INFINITY;
  #idle = 0;

  idleAfter(value: number, gradientNorm: number): number {
    this.#idle = value < this.#value || gradientNorm < this.#gradientNorm ? 0 : this.#idle + 1;
    this.#value = Math.min(this.#value, value);
    this.#gradientNorm = Math.min(this.#gradientNorm, gradientNorm);
    return this.#idle;
  }
}

function addMultiple(x: Float64Array, factor: number, y: Float64Array): void {
  for (let j = 0; j < x.length; j++) x[j] += factor * y[j];
}

function difference(x: Float64Array, y: Float64Array): Float64Array {
  return x.map((value, j) => value - y[j]);
}

function norm(x: Float64Array): number {
  return Math.sqrt(dot(x, x));
}

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
