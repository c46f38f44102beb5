import type { HiddenNumber } from "../../factors/hidden-normals.ts";
import { divergence } from "../../math/divergence.ts";
import { integrate } from "../../math/integrate.ts";
import { HALF_LOG_TWO_PI } from "../../math/normal/normal.ts";
import { normalBreaks } from "../completion/normals/normal-breaks.ts";
import { mixtureBetween } from "../completion/normals/normal-mixture.ts";
import { decide, isAnother } from "../terms/decision.ts";

/** Outcomes of less weight are left out. */
const NEGLIGIBLE = 1e-14;

/** What learning a number is worth, with the error of the integral. */
export interface ValueOfNumber {
  readonly informationGain: number;
  readonly changesDecision: number;
  /** Bound on the error of the information gain, as the rule estimates it. */
  readonly error: number;
}

/**
 * The value of learning a hidden normal number, x ~ Σ_mk P(m, k | y) N(μ_mk, σ_m²). The information is an integral along
 * the line (adaptive Gauss–Kronrod); the decision changes on intervals whose ends are found by bisection and whose mass is a
 * difference of normal distributions.
 */
export function valueOfNumber(
  { means, deviations }: HiddenNumber,
  posterior: Float64Array,
  K: number,
  tolerance = 1e-11,
): ValueOfNumber {
  const outcomes = Array.from(posterior.keys()).filter((a) => posterior[a] > NEGLIGIBLE);
  const prior = new Float64Array(K);
  for (const a of outcomes) prior[a % K] += posterior[a];
  const given = new Float64Array(K);
  /** Writes P(k | y, x) and returns the density of x. */
  const givenAt = (x: number): number => {
    given.fill(0);
    for (const a of outcomes) {
      const s = deviations[Math.floor(a / K)];
      const z = (x - means[a]) / s;
      given[a % K] += (posterior[a] / s) * Math.exp((-z * z) / 2 - HALF_LOG_TWO_PI);
    }
    const density = given.reduce((sum, p) => sum + p, 0);
    for (let k = 0; k < K; k++) given[k] /= density;
    return density;
  };
  const gain = (x: number): number => {
    const density = givenAt(x);
    return density > 0 ? density * divergence(given, prior) : 0;
  };
  const mixture = {
    weights: Float64Array.from(outcomes, (a) => posterior[a]),
    means: Float64Array.from(outcomes, (a) => means[a]),
    standardDeviations: Float64Array.from(outcomes, (a) => deviations[Math.floor(a / K)]),
  };
  const { value, error, nodes } = integrate(
    gain,
    normalBreaks(mixture.means, mixture.standardDeviations),
    tolerance,
  );
  const now = decide(prior).class;
  const other = (x: number): boolean => givenAt(x) > 0 && isAnother(given, now);
  const changes = intervalsWhere(other, nodes).reduce(
    (sum, [from, to]) => sum + mixtureBetween(mixture, from, to),
    0,
  );
  return { informationGain: Math.max(0, value), changesDecision: Math.min(1, Math.max(0, changes)), error };
}

/** The intervals on which a test holds, seen at ascending nodes and traced to the last bit in between; open at both ends. */
function intervalsWhere(test: (x: number) => boolean, nodes: readonly number[]): [number, number][] {
  const intervals: [number, number][] = [];
  let inside = test(nodes[0]);
  let from = Number.NEGATIVE_INFINITY;
  for (let j = 1; j < nodes.length; j++) {
    const here = test(nodes[j]);
    if (here === inside) continue;
    const crossing = bisect(test, nodes[j - 1], nodes[j], here);
    if (inside) intervals.push([from, crossing]);
    [from, inside] = [crossing, here];
  }
  if (inside) intervals.push([from, Number.POSITIVE_INFINITY]);
  return intervals;
}

function bisect(test: (x: number) => boolean, from: number, to: number, atEnd: boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 100; step++) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (test(middle) === atEnd) high = middle;
    else low = middle;
  }
  return high;
}
