import { normalBelow, normalDensity } from "../../../math/normal/normal.ts";
import type { NormalMixture } from "./normal-mixture.ts";

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
