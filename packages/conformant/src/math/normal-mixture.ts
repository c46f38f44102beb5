import { requireMade, requireOrdered } from "../errors.ts";
import { HALF_LOG_TWO_PI, normalAbove, normalBelow, normalDensity } from "./normal.ts";
import { logSumExp } from "./softmax.ts";

/** A mixture of normal distributions on a line; a deviation of 0 is a point. */
export interface NormalMixture {
  /** They sum to 1. */
  readonly weights: Float64Array;
  readonly means: Float64Array;
  readonly standardDeviations: Float64Array;
}

/** P(X ≥ t). */
export function mixtureAbove({ weights, means, standardDeviations }: NormalMixture, t: number): number {
  let sum = 0;
  for (let j = 0; j < weights.length; j++) {
    const s = standardDeviations[j];
    sum += weights[j] * (s > 0 ? normalAbove((t - means[j]) / s) : Number(means[j] >= t));
  }
  return Math.min(1, sum);
}

/** P(from ≤ X ≤ to). */
export function mixtureBetween(mixture: NormalMixture, from: number, to: number): number {
  requireMade("mixture", mixture);
  requireOrdered("from", from);
  requireOrdered("to", to);
  const { weights, means, standardDeviations } = mixture;
  let sum = 0;
  for (let j = 0; j < weights.length; j++) {
    const s = standardDeviations[j];
    if (s === 0) {
      sum += weights[j] * Number(from <= means[j] && means[j] <= to);
      continue;
    }
    const [a, b] = [(from - means[j]) / s, (to - means[j]) / s];
    // On the side where the numbers are small, so that nothing cancels.
    sum += weights[j] * (a > 0 ? normalAbove(a) - normalAbove(b) : normalBelow(b) - normalBelow(a));
  }
  return sum;
}

/** Mean and standard deviation. */
export function mixtureMoments({ weights, means, standardDeviations }: NormalMixture): {
  mean: number;
  standardDeviation: number;
} {
  const mean = weights.reduce((sum, w, j) => sum + w * means[j], 0);
  const variance = weights.reduce(
    (sum, w, j) => sum + w * (standardDeviations[j] ** 2 + (means[j] - mean) ** 2),
    0,
  );
  return { mean, standardDeviation: Math.sqrt(variance) };
}

/** Steps at most: Halley's method takes a handful, halving the bracket, where there are points, as many as a number has bits. */
const STEPS = 200;
/** Within this share of the smallest deviation of a quantile Halley's next step leaves its cube, which is rounding. */
const NEAR = 1e-5;
/** Where deviations are tiny or 0: a step this small beside the bracket and the number, from where so little was missing. */
const [SMALL, CLOSE] = [1e-13, 1e-9];
/** Components of so little weight that all of them together cannot move a quantile beyond rounding. */
const NEGLIGIBLE = 1e-15;
/** No quantile that a double can tell from 0 or 1 lies further out, in standard deviations. */
const FURTHEST = 40;

/** The p-quantile, the smallest number below which there is a share p. */
export function mixtureQuantile(mixture: NormalMixture, p: number): number {
  return mixtureQuantiles(mixture, Float64Array.of(p))[0];
}

/** Quantiles in ascending order; each search starts where the last one ended. */
export function mixtureQuantiles(mixture: NormalMixture, shares: Float64Array): Float64Array {
  const least = Math.min(shares[0], 1 - shares[shares.length - 1]);
  const weighty = withoutTiny(mixture, NEGLIGIBLE * least);
  const out = new Float64Array(shares.length);
  let from = Number.NaN;
  for (let j = 0; j < shares.length; j++) from = out[j] = search(weighty, shares[j], from);
  return out;
}

/**
 * Halley's method for F(x) = p inside a bracket that every evaluation narrows; where a step would leave it, or the last three
 * did not halve it, the middle is next. A quantile of a mixture lies between the smallest and the largest of its components',
 * and since 1 − Φ(z) ≤ ½ exp(−z²/2) these are at most √(−2 log 2·min(p, 1 − p)) deviations from their means.
 */
function search(mixture: NormalMixture, p: number, from: number): number {
  let [low, high] = bracketOf(mixture, p);
  const width = high - low;
  const near = NEAR * Math.min(...mixture.standardDeviations);
  let x = from > low && from < high ? from : low + width / 2;
  let [last, since] = [width, 0];
  for (let step = 0; step < STEPS && low < high; step++) {
    const { excess, density, slope } = evaluate(mixture, x, p);
    if (excess < 0) low = x;
    else high = x;
    if (high - low <= last / 2) [last, since] = [high - low, 0];
    else since++;
    const newton = -excess / density;
    const curved = 1 + (newton * slope) / (2 * density);
    let next = x + newton / Math.min(2, Math.max(0.5, curved));
    const size = Math.abs(next - x);
    if (size < near || (size <= SMALL * (width + Math.abs(x)) && Math.abs(excess) <= CLOSE)) return next;
    if (!(next > low && next < high) || since > 3) {
      next = low + (high - low) / 2;
      if (next <= low || next >= high) break;
    }
    x = next;
  }
  return high;
}

function bracketOf({ means, standardDeviations }: NormalMixture, p: number): [low: number, high: number] {
  const tail = Math.min(FURTHEST, Math.sqrt(Math.max(0, -2 * Math.log(2 * Math.min(p, 1 - p)))));
  const [below, above] = p < 0.5 ? [-tail, 0] : [0, tail];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let j = 0; j < means.length; j++) {
    low = Math.min(low, means[j] + below * standardDeviations[j]);
    high = Math.max(high, means[j] + above * standardDeviations[j]);
  }
  return [low, high];
}

/** F(x) − p, taken on the side where nothing cancels, with the density and its slope. A point counts as below only when it is. */
function evaluate(
  { weights, means, standardDeviations }: NormalMixture,
  x: number,
  p: number,
): { readonly excess: number; readonly density: number; readonly slope: number } {
  const side = p < 0.5 ? 1 : -1;
  let [mass, density, slope] = [0, 0, 0];
  for (let j = 0; j < weights.length; j++) {
    const s = standardDeviations[j];
    if (s === 0) {
      mass += weights[j] * Number(side > 0 ? means[j] < x : means[j] >= x);
      continue;
    }
    const z = (x - means[j]) / s;
    mass += weights[j] * normalBelow(side * z);
    const own = (weights[j] * normalDensity(z)) / s;
    density += own;
    slope -= (own * z) / s;
  }
  return { excess: side > 0 ? mass - p : 1 - p - mass, density, slope };
}

/** The mixture without the components of the least weights, as long as they weigh no more than `most` together. */
function withoutTiny(mixture: NormalMixture, most: number): NormalMixture {
  const { weights, means, standardDeviations } = mixture;
  const each = most / weights.length;
  const keep = (numbers: Float64Array): Float64Array => numbers.filter((_, j) => weights[j] > each);
  return { weights: keep(weights), means: keep(means), standardDeviations: keep(standardDeviations) };
}

/** Standard deviations beyond which nothing of a normal distribution is left. */
const REACH = 9;

/** Places between which a sum of normal densities is smooth: around the mean of each, ascending. */
export function normalBreaks(means: ArrayLike<number>, deviations: ArrayLike<number>): number[] {
  const places: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < means.length; j++) {
    for (const z of [-REACH, -3, -1, 0, 1, 3, REACH]) places.push(means[j] + z * deviations[j]);
    least = Math.min(least, deviations[j] / 2);
  }
  places.sort((x, y) => x - y);
  const kept: number[] = [];
  for (const x of places) if (kept.length === 0 || x - kept[kept.length - 1] > least) kept.push(x);
  const last = places[places.length - 1];
  if (kept[kept.length - 1] < last) kept.push(last);
  return kept;
}

/** Mass of an interval that need not be looked at any closer. */
const NEGLIGIBLE_MASS = 1e-15;
/** Intervals that are looked at; what is then undecided widens the bounds. */
const MOST_INTERVALS = 20_000;

/** log Σ_j w_j N(x; μ_j, σ_j²). */
export function logDensityOf({ weights, means, standardDeviations }: NormalMixture, x: number): number {
  const terms = weights.map((w, j) => {
    const z = (x - means[j]) / standardDeviations[j];
    return Math.log(w) - Math.log(standardDeviations[j]) - (z * z) / 2 - HALF_LOG_TWO_PI;
  });
  return logSumExp(terms);
}

/**
 * The mass of a sum of normal densities f where log f > level, between bounds that are proved. The slope of log f is an average
 * of the slopes (μ_j − x) / σ_j² of its terms, so on an interval of half-width h it moves by no more than h times the largest of
 * them: where the middle is further than that from the level, the whole interval is on one side. Others are halved.
 *
 * @param breaks ascending places; the tails outside have no mass
 */
export function massAbove(
  mixture: NormalMixture,
  level: number,
  breaks: readonly number[],
): { readonly lower: number; readonly upper: number } {
  const { means, standardDeviations } = mixture;
  const intervals = breaks.slice(1).map((to, j): [number, number] => [breaks[j], to]);
  let [above, open] = [0, 0];
  for (let looked = 0; intervals.length > 0; looked++) {
    const [from, to] = intervals.pop() as [number, number];
    const [middle, half] = [(from + to) / 2, (to - from) / 2];
    let steepest = 0;
    for (let j = 0; j < means.length; j++) {
      const furthest = Math.abs(middle - means[j]) + half;
      steepest = Math.max(steepest, furthest / standardDeviations[j] ** 2);
    }
    const distance = logDensityOf(mixture, middle) - level;
    if (distance < -half * steepest) continue;
    const mass = mixtureBetween(mixture, from, to);
    if (distance > half * steepest) above += mass;
    else if (mass < NEGLIGIBLE_MASS || looked > MOST_INTERVALS || middle <= from || middle >= to)
      open += mass;
    else intervals.push([from, middle], [middle, to]);
  }
  return { lower: above, upper: above + open };
}
