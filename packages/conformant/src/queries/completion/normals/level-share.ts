import { logSumExp } from "../../../math/exponential/log-sum-exp.ts";
import { HALF_LOG_TWO_PI } from "../../../math/normal/normal.ts";
import { mixtureBetween, type NormalMixture } from "./normal-mixture.ts";

/** Mass of an interval that need not be looked at any closer. */
const NEGLIGIBLE = 1e-15;
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
    else if (mass < NEGLIGIBLE || looked > MOST_INTERVALS || middle <= from || middle >= to) open += mass;
    else intervals.push([from, middle], [middle, to]);
  }
  return { lower: above, upper: above + open };
}
