import { type CompletionSpace, completionSpace } from "../distribution/completion-space.ts";
import type { Distribution, MissingColumn } from "../distribution/distribution.ts";
import type { Tilt } from "../distribution/factor.ts";
import { tiltColumns } from "../distribution/shift-missing.ts";
import { missingNumber } from "../gaussian/condition.ts";
import { normalDensity } from "../math/normal.ts";
import { mixtureBetween, type NormalMixture } from "../math/normal-mixture.ts";
import { indexOfLargest } from "../math/vectors.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import type { Ahead, Expectation, Expected, LookAhead, Precision } from "./expectation.ts";
import { learn } from "./features.ts";

/** Every value of every missing column is an answer of its own, and each is one of many. */
const PER_VALUE: Precision = { enumerate: 256, tolerance: 0.01, work: 1 << 18, seed: 0 };
/** Cells that the line of a normal number is divided into, and how many standard deviations it reaches. */
const [CELLS, REACH] = [48, 5];
/** The same where answers are exact: the sum over so many points is the integral up to rounding. */
const [POINTS, FAR] = [512, 8];
/** Values of less probability are left out; of exact answers only those that are lost in rounding. */
const [NEGLIGIBLE, NOTHING] = [1e-9, 1e-18];

/**
 * The default look-ahead of any predictor: the expected response for every value that a missing column may have. Draws are
 * the same for all values, so that a column that changes nothing has no effect at all, and the errors of answers that are compared cancel.
 *
 * @param remake the expectation of the same predictor under another distribution
 */
export function defaultLookAhead(
  expectation: Pick<Expectation, "expect" | "sampled">,
  distribution: Distribution,
  cells: Cells,
  remake: (distribution: Distribution) => Pick<Expectation, "expect">,
): LookAhead {
  const { schema } = distribution;
  const space = completionSpace(distribution, tableOfRow(schema, cells), 0);
  const learned = (i: number, cell: number): Expected => {
    const known = cells.slice();
    learn(schema, known, i, cell);
    return expectation.expect(known, PER_VALUE);
  };
  const completed = (i: number, cell: number): Expected => {
    const known = cells.slice();
    known[i] = cell;
    return expectation.expect(known, PER_VALUE);
  };
  return {
    now: expectation.expect(cells, PER_VALUE).values,
    column: (i) => {
      const points = pointsOf(space, i, expectation.sampled);
      const tilted = points.isLine
        ? (tilt: Tilt) => remake(tiltColumns(distribution, new Map([[i, tilt]]))).expect(cells).values
        : overTilted(
            points,
            memoized((v) => completed(i, points.cell(v))),
          );
      return {
        ...overPoints(
          points,
          memoized((v) => learned(i, points.cell(v))),
        ),
        tilted,
      };
    },
  };
}

/** The values of a missing column, or cells of the line for a normal number, with their probabilities. */
interface Points {
  /** Whether points stand for cells of the line, which answers to a tilted column would be too coarse for. */
  readonly isLine: boolean;
  /** Points of no more probability are left out. */
  readonly negligible: number;
  readonly cell: (v: number) => number;
  /** P(v | y). */
  readonly probabilities: Float64Array;
  /** P(v | y) e^{t(v)}, up to a factor. */
  readonly tilted: (tilt: Tilt) => Float64Array;
}

function pointsOf({ missing, normals, posterior, K }: CompletionSpace, i: number, sampled: boolean): Points {
  const column = missing.find(({ index }) => index === i);
  if (column) return pointsOfValues(column, posterior);
  const { means, deviations } = missingNumber(normals, normals.columns.indexOf(i));
  const standardDeviations = means.map((_, a) => deviations[Math.floor(a / K)]);
  const mixture = { weights: posterior, means, standardDeviations };
  return sampled ? pointsOfLine(mixture) : pointsOfDensity(mixture);
}

function pointsOfValues({ count, cellOf, conditional }: MissingColumn, posterior: Float64Array): Points {
  const probabilities = new Float64Array(count);
  for (let v = 0, at = 0; v < count; v++)
    for (let a = 0; a < posterior.length; a++) probabilities[v] += posterior[a] * conditional[at++];
  const tilted = ({ of }: Tilt): Float64Array => weighed(probabilities, (v) => of(cellOf(v)));
  return { isLine: false, negligible: NEGLIGIBLE, cell: cellOf, probabilities, tilted };
}

/** p_v e^{t_v}, up to a factor. */
function weighed(probabilities: Float64Array, logFactor: (v: number) => number): Float64Array {
  const logs = probabilities.map((p, v) => (p > 0 ? Math.log(p) + logFactor(v) : Number.NEGATIVE_INFINITY));
  const most = logs.reduce((high, log) => Math.max(high, log), Number.NEGATIVE_INFINITY);
  return logs.map((log) => Math.exp(log - most));
}

/** Cells of equal width. */
function pointsOfLine(mixture: NormalMixture): Points {
  const { weights, means, standardDeviations } = mixture;
  const used = Array.from(weights.keys()).filter((a) => weights[a] > NEGLIGIBLE);
  const low = Math.min(...used.map((a) => means[a] - REACH * standardDeviations[a]));
  const high = Math.max(...used.map((a) => means[a] + REACH * standardDeviations[a]));
  const at = (v: number): number => low + ((high - low) * v) / CELLS;
  const probabilities = Float64Array.from({ length: CELLS }, (_, v) =>
    mixtureBetween(
      mixture,
      v === 0 ? Number.NEGATIVE_INFINITY : at(v),
      v === CELLS - 1 ? Number.POSITIVE_INFINITY : at(v + 1),
    ),
  );
  const cell = (v: number): number => at(v + 0.5);
  return {
    isLine: true,
    negligible: NEGLIGIBLE,
    cell,
    probabilities,
    tilted: ({ of }) => weighed(probabilities, (v) => of(cell(v))),
  };
}

/** Points at equal distances, weighed by the density: the trapezoidal rule, whose error falls exponentially for normal densities. */
function pointsOfDensity({ weights, means, standardDeviations }: NormalMixture): Points {
  const used = Array.from(weights.keys()).filter((a) => weights[a] > NEGLIGIBLE);
  const low = Math.min(...used.map((a) => means[a] - FAR * standardDeviations[a]));
  const high = Math.max(...used.map((a) => means[a] + FAR * standardDeviations[a]));
  const cell = (v: number): number => low + ((high - low) * (v + 0.5)) / POINTS;
  const probabilities = Float64Array.from({ length: POINTS }, (_, v) =>
    used.reduce(
      (sum, a) =>
        sum +
        (weights[a] / standardDeviations[a]) * normalDensity((cell(v) - means[a]) / standardDeviations[a]),
      0,
    ),
  );
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  return {
    isLine: true,
    negligible: NOTHING,
    cell,
    probabilities: probabilities.map((p) => p / total),
    tilted: ({ of }) => weighed(probabilities, (v) => of(cell(v))),
  };
}

function memoized<T>(make: (v: number) => T): (v: number) => T {
  const made = new Map<number, T>();
  return (v) => {
    const known = made.get(v) ?? make(v);
    made.set(v, known);
    return known;
  };
}

function overPoints(
  { probabilities, negligible }: Points,
  learned: (v: number) => Expected,
): Omit<Ahead, "tilted"> {
  const likely = Array.from(probabilities.keys()).filter((v) => probabilities[v] > negligible);
  const total = likely.reduce((sum, v) => sum + probabilities[v], 0);
  const weights = likely.map((v) => probabilities[v] / total);
  return {
    mean: (g) => {
      const answers = likely.map(learned);
      const value = expectedOf(
        g,
        answers.map(({ values }) => values),
        weights,
      );
      const R = Math.max(...answers.map(({ replicates }) => replicates?.length ?? 0));
      if (R === 0) return { value };
      const own = Array.from({ length: R }, (_, r) =>
        expectedOf(
          g,
          answers.map(({ values, replicates }) => replicates?.[r] ?? values),
          weights,
        ),
      );
      return { value, error: standardErrorOf(own) };
    },
    share: (test) => likely.reduce((sum, v, j) => (test(learned(v).values) ? sum + weights[j] : sum), 0),
  };
}

/** Σ_v w_v g( answer_v, Σ_u w_u answer_u ). */
function expectedOf(
  g: Parameters<Ahead["mean"]>[0],
  answers: readonly Float64Array[],
  weights: readonly number[],
): number {
  const now = weightedMean(answers, weights);
  return answers.reduce((sum, answer, v) => sum + weights[v] * g(answer, now), 0);
}

/** Equal answers are their mean, without rounding. */
function weightedMean(answers: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const [first] = answers;
  const mean = first.slice();
  answers.forEach((answer, v) => {
    for (let k = 0; k < mean.length; k++) mean[k] += weights[v] * (answer[k] - first[k]);
  });
  return mean;
}

/** The standard error of the mean of independent numbers. */
function standardErrorOf(numbers: readonly number[]): number {
  const n = numbers.length;
  const mean = numbers.reduce((sum, x) => sum + x, 0) / n;
  return Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1) / n);
}

function overTilted({ tilted }: Points, completed: (v: number) => Expected): Ahead["tilted"] {
  return (tilt) => {
    const weights = tilted(tilt);
    const sum = weights.reduce((all, w) => all + w, 0);
    const { length: K } = completed(indexOfLargest(weights)).values;
    const out = new Float64Array(K);
    weights.forEach((weight, v) => {
      if (weight <= NEGLIGIBLE * sum) return;
      const { values } = completed(v);
      for (let k = 0; k < K; k++) out[k] += (weight / sum) * values[k];
    });
    return out;
  };
}
