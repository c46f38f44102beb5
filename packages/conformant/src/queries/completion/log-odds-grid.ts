import { hiddenSum } from "../../factors/hidden-normals.ts";
import { binOf, countBelow } from "../../math/bin-of.ts";
import { normalBelow } from "../../math/normal/normal.ts";
import type { CompletionSpace } from "./completion-space.ts";
import { type GridSum, gridSum, type Term } from "./grid-sum.ts";
import { expectedLogistic } from "./normals/expected-logistic.ts";

/** Additions that one grid may cost; about 50 ms. */
const BUDGET = 5e7;
/** Grid points across the range of the sum, at least and at most. */
const POINTS = { least: 512, most: 1 << 16 } as const;
/** With normal numbers missing every point is a normal distribution, which takes longer to look at. */
const NORMAL_POINTS = 1024;
/** Weight of an outcome (m, k) below which it is left out and counted as lost. */
const NEGLIGIBLE = 1e-13;

/**
 * The distribution of the log-odds that a two-class classifier would give the completed row: start + Σ_i value_i(x_i). Given
 * component and class (an outcome) the x_i are independent, so it is a mixture of sums of independent terms, of which the hidden
 * normal numbers make one that is normal. Everything that is asked of it is answered with a lower and an upper bound between which
 * the truth lies.
 */
export class LogOddsGrid {
  readonly #parts: Part[];
  /** Weight of the outcomes that were left out. */
  readonly #ignored: number;

  /**
   * @param values per missing column what each atom adds to the log-odds
   * @param slopes per hidden normal number what one unit of it adds
   */
  constructor(
    space: CompletionSpace,
    start: number,
    values: readonly Float64Array[],
    slopes: Float64Array = new Float64Array(0),
  ) {
    const normal = hiddenSum(space.normals, slopes);
    const outcomes = space.posterior.length;
    const used = Array.from(space.posterior.keys()).filter((a) => space.posterior[a] > NEGLIGIBLE);
    const work = values.reduce((sum, column) => sum + column.length, 0) * used.length;
    const points = Math.min(
      slopes.length > 0 ? NORMAL_POINTS : POINTS.most,
      Math.max(POINTS.least, BUDGET / Math.max(1, work)),
    );
    this.#parts = used.map((a) => {
      const terms = space.missing.map(
        ({ count, conditional }, j): Term => ({
          values: values[j],
          probabilities: Float64Array.from({ length: count }, (_, v) => conditional[v * outcomes + a]),
        }),
      );
      const sum = shift(gridSum(terms, points), start + normal.means[a]);
      const deviation = normal.deviations[Math.floor(a / space.K)];
      return {
        weight: space.posterior[a],
        sum,
        points: placesOf(sum),
        upTo: runningSums(sum.mass),
        deviation,
      };
    });
    this.#ignored = space.posterior.reduce((sum, p) => (p > NEGLIGIBLE ? sum : sum + p), 0);
  }

  /** Bounds on P(log-odds ≥ t). */
  atLeast(t: number): { lower: number; upper: number } {
    let [lower, upper] = [0, this.#ignored];
    for (const part of this.#parts) {
      const { weight, sum } = part;
      lower += weight * Math.max(0, 1 - sum.lost - before(part, t + sum.error));
      upper += weight * Math.min(1, 1 + sum.lost - before(part, t - sum.error));
    }
    // Sums of weights may come to 1 and a rounding more.
    const least = Math.min(1, Math.max(0, lower));
    return { lower: least, upper: Math.min(1, Math.max(least, upper)) };
  }

  /** Bounds on the p-quantile, the least t with P(log-odds ≤ t) ≥ p. */
  quantile(p: number): { lower: number; upper: number } {
    const reach = this.#parts.map(({ sum, points, deviation }) => [
      points[0] - sum.error - 1 - FAR * deviation,
      points[points.length - 1] + sum.error + 1 + FAR * deviation,
    ]);
    const low = Math.min(...reach.map(([from]) => from));
    const high = Math.max(...reach.map(([, to]) => to));
    // P(log-odds ≤ t) is at most 1 − lower bound of P(> t), and at least 1 − upper bound of it.
    const lower = bisect(low, high, (t) => 1 - this.atLeast(t).lower >= p)[0];
    const upper = bisect(low, high, (t) => 1 - this.atLeast(t).upper >= p)[1];
    return { lower, upper };
  }

  /**
   * E[σ(log-odds)], with σ(x) = 1/(1 + e^{−x}): the slope of σ is at most ¼, so the rounding error costs at most a quarter of
   * its standard deviation.
   */
  expectedProbability(): { value: number; lower: number; upper: number } {
    let [value, error] = [0, this.#ignored];
    for (const { weight, sum, points, deviation } of this.#parts) {
      let mean = 0;
      for (let j = 0; j < sum.mass.length; j++) mean += sum.mass[j] * expectedLogistic(points[j], deviation);
      value += weight * mean;
      error += weight * (Math.min(sum.deviation, sum.error) / 4 + sum.lost);
    }
    const [lower, upper] = [Math.max(0, value - error), Math.min(1, value + error)];
    return { value: Math.min(upper, Math.max(lower, value)), lower, upper };
  }
}

function shift(sum: GridSum, by: number): GridSum {
  return { ...sum, offset: sum.offset + by, error: sum.error + 2 ** -50 * (1 + Math.abs(by)) };
}

/** The numbers at the places of a grid. */
function placesOf({ offset, step, places }: GridSum): Float64Array {
  return places.map((place) => offset + place * step);
}

/** upTo[j] = Σ_{i < j} mass[i]. */
function runningSums(mass: Float64Array): Float64Array {
  const sums = new Float64Array(mass.length + 1);
  for (let j = 0; j < mass.length; j++) sums[j + 1] = sums[j] + mass[j];
  return sums;
}

/** One outcome: its grid, and the standard deviation of the normal term that is added to it, whose mean the grid holds. */
interface Part {
  readonly weight: number;
  readonly sum: GridSum;
  /** The numbers at which the grid has mass, ascending. */
  readonly points: Float64Array;
  readonly upTo: Float64Array;
  readonly deviation: number;
}

/** Beyond so many standard deviations a normal tail is below 1e-18. */
const FAR = 9;

/** P(grid point + normal term < t). */
function before({ sum: { mass }, points, upTo, deviation }: Part, t: number): number {
  if (deviation === 0) return upTo[countBelow(points, t)];
  const [from, to] = [countBelow(points, t - FAR * deviation), binOf(points, t + FAR * deviation)];
  let sum = upTo[from];
  for (let j = from; j < to; j++) sum += mass[j] * normalBelow((t - points[j]) / deviation);
  return sum;
}

/** An interval of the last bit's size in which a monotone test turns from false to true. */
function bisect(from: number, to: number, test: (t: number) => boolean): [number, number] {
  let [low, high] = [from, to];
  for (let i = 0; i < 200; i++) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (test(middle)) high = middle;
    else low = middle;
  }
  return [low, high];
}
