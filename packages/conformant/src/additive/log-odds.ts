import { createAtoms } from "../distribution/atoms.ts";
import { scoreRow } from "../distribution/class-scores.ts";
import { type CompletionSpace, sizeOf } from "../distribution/completion-space.ts";
import { enumerateJoint } from "../distribution/completions.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { ConformantError, show } from "../errors.ts";
import { missingSum } from "../gaussian/condition.ts";
import { expectedLogistic } from "../math/expected-logistic.ts";
import { normalBelow } from "../math/normal.ts";
import type { NormalMixture } from "../math/normal-mixture.ts";
import { binOf, bisect, countBelow } from "../math/search.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { slotOffsets } from "../schema/column.ts";
import type { Row } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { type Cells, cellsOfRow } from "../schema/read-row.ts";
import type { Classifier } from "./classifier.ts";
import { constantForMissing } from "./classify.ts";
import { type GridSum, gridSum, type Term } from "./grid-sum.ts";

/** A classifier's scores on the completions of a row: start + the entry of each missing column's atom. */
export interface CompletedScores {
  readonly K: number;
  /** b_k + Σ_{i known} s_ki(y_i). */
  readonly start: Float64Array;
  /** Per missing column of the model s_k(v): atoms × K; zeros for a column that the classifier does not use. */
  readonly columns: readonly Float64Array[];
  /** Per hidden normal number its weights, h × K. */
  readonly numbers: Float64Array;
}

/** The scores of any classifier whose columns are among the model's. */
export function completedScores(classifier: Classifier, space: CompletionSpace, row: Row): CompletedScores {
  const place = placesIn(space.distribution, classifier);
  return scoreCompletions(classifier, space, place, cellsOfRow(encode(classifier.schema, [row]), 0));
}

/** The scores that a distribution carries, on the completions of one of its rows. */
export function tiltedScores(space: CompletionSpace, cells: Cells): CompletedScores {
  const { tilt, schema } = space.distribution;
  return scoreCompletions(
    tilt,
    space,
    schema.columns.map((_, i) => i),
    cells,
  );
}

/** @param place where each column of the scores stands in the distribution */
function scoreCompletions(
  classifier: ClassTilt,
  { distribution, missing, normals }: CompletionSpace,
  place: readonly number[],
  cells: Cells,
): CompletedScores {
  const { schema, weights, intercept } = classifier;
  const K = intercept.length;
  const start = new Float64Array(K);
  scoreRow(classifier, constantForMissing(classifier, 0), cells, start);
  const slots = slotOffsets(schema);
  const atoms = createAtoms(
    classifier,
    place.map((at) => distribution.atoms.columns[at]),
  );
  const columns = missing.map(({ index, count }) => {
    const own = place.indexOf(index);
    if (own < 0) return new Float64Array(count * K);
    return atoms.scores.slice(atoms.offsets[own] * K, atoms.offsets[own + 1] * K);
  });
  const numbers = new Float64Array(normals.columns.length * K);
  normals.columns.forEach((index, a) => {
    const own = place.indexOf(index);
    if (own >= 0) numbers.set(weights.subarray(slots[own] * K, (slots[own] + 1) * K), a * K);
  });
  return { K, start, columns, numbers };
}

/** Writes the class scores of one completion into `out`. */
export function addCompletion(
  { K, start, columns, numbers: weights }: CompletedScores,
  atoms: Int32Array,
  numbers: Float64Array,
  out: Float64Array,
): void {
  out.set(start);
  for (let j = 0; j < columns.length; j++) {
    const at = atoms[j] * K;
    for (let k = 0; k < K; k++) out[k] += columns[j][at + k];
  }
  for (let a = 0; a < numbers.length; a++) {
    for (let k = 0; k < K; k++) out[k] += numbers[a] * weights[a * K + k];
  }
}

/** Where each column of the classifier stands in the model. */
function placesIn({ schema: { columns } }: Distribution, classifier: Classifier): number[] {
  return classifier.schema.columns.map((column) => {
    const at = columns.findIndex(({ name }) => name === column.name);
    if (at >= 0 && JSON.stringify(columns[at]) === JSON.stringify(column)) return at;
    const trouble = at < 0 ? "is not a column of the model" : "has other values or another kind in the model";
    const message = `column ${show(column.name)} of the classifier ${trouble}; wrap it in a function of the row instead`;
    throw new ConformantError("incompatible-marginals", message, { column: column.name });
  });
}

/** The distribution of the log-odds of class k of two. */
export function classGrid(
  space: CompletionSpace,
  { start, columns, numbers }: CompletedScores,
  k: number,
): LogOddsGrid {
  const values = columns.map((scores) =>
    Float64Array.from({ length: scores.length / 2 }, (_, v) => scores[2 * v + k] - scores[2 * v + 1 - k]),
  );
  return new LogOddsGrid(space, start[k] - start[1 - k], values, differences(numbers, k));
}

/** w_k − w_other per hidden normal number, of two classes. */
export function differences(numbers: Float64Array, k: number): Float64Array {
  return Float64Array.from(
    { length: numbers.length / 2 },
    (_, a) => numbers[2 * a + k] - numbers[2 * a + 1 - k],
  );
}

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
    const normal = missingSum(space.normals, slopes);
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
    const lower = bisect((t) => 1 - this.atLeast(t).lower >= p, low, high)[0];
    const upper = bisect((t) => 1 - this.atLeast(t).upper >= p, low, high)[1];
    return { lower, upper };
  }

  /** E[σ(log-odds)], with σ(x) = 1/(1 + e^{−x}), whose slope is at most ¼. */
  expectedProbability(): { value: number; lower: number; upper: number } {
    return this.expected(expectedLogistic, 1 / 4);
  }

  /**
   * E[g(sum)] of a function with values from 0 to 1. The rounding error costs at most its standard deviation times the slope.
   *
   * @param meanOf E[g(μ + s Z)] for a standard normal Z
   * @param slope the largest of g
   */
  expected(
    meanOf: (mean: number, deviation: number) => number,
    slope: number,
  ): { value: number; lower: number; upper: number } {
    let [value, error] = [0, this.#ignored];
    for (const { weight, sum, points, deviation } of this.#parts) {
      let mean = 0;
      for (let j = 0; j < sum.mass.length; j++) mean += sum.mass[j] * meanOf(points[j], deviation);
      value += weight * mean;
      error += weight * (Math.min(sum.deviation, sum.error) * slope + sum.lost);
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

/** How many normal distributions the log-odds are a mixture of. */
export function normalParts({ missing, posterior }: CompletionSpace): number {
  return sizeOf(missing) * posterior.length;
}

/** The distribution of the log-odds of class k of two where few combinations of atoms are open. */
export function logOddsNormals(space: CompletionSpace, scores: CompletedScores, k: number): NormalMixture {
  const { start, columns, numbers } = scores;
  return sumNormals(
    space,
    start[k] - start[1 - k],
    columns.map((own) =>
      Float64Array.from({ length: own.length / 2 }, (_, v) => own[2 * v + k] - own[2 * v + 1 - k]),
    ),
    differences(numbers, k),
  );
}

/**
 * The distribution of start + Σ_i value_i(x_i) over the completions of a row: normal given the outcome and the atoms of the missing columns
 * with finitely many values.
 *
 * @param values per missing column what each atom adds
 * @param slopes per hidden normal number what one unit of it adds
 */
export function sumNormals(
  space: CompletionSpace,
  start: number,
  columns: readonly Float64Array[],
  slopes: Float64Array,
): NormalMixture {
  const [weights, means, standardDeviations]: [number[], number[], number[]] = [[], [], []];
  const normal = missingSum(space.normals, slopes);
  enumerateJoint(space, (atoms, joint) => {
    let value = start;
    for (let j = 0; j < atoms.length; j++) value += columns[j][atoms[j]];
    for (let a = 0; a < joint.length; a++) {
      if (joint[a] === 0) continue;
      weights.push(joint[a]);
      means.push(value + normal.means[a]);
      standardDeviations.push(normal.deviations[Math.floor(a / space.K)]);
    }
  });
  return {
    weights: Float64Array.from(weights),
    means: Float64Array.from(means),
    standardDeviations: Float64Array.from(standardDeviations),
  };
}
