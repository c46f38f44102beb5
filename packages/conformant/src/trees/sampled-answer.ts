import type { Hypercubes, RowCompletions } from "../distribution/hypercube-draws.ts";
import type { Expected } from "../predictors/expectation.ts";
import type { OpenTrees } from "./open-trees.ts";
import { answerCount, linkSums, sumCount } from "./tree-ensemble.ts";

/** How far draws go. */
export interface DrawSettings {
  /** Draws end when the standard error of every answer is at most this. */
  readonly tolerance: number;
  /** By how much answers differ where no draws say so: 1 for probabilities, a standard deviation for numbers. */
  readonly scale: number;
  /** Walks down a tree at most: what a draw costs is as many as there are trees left to decide. */
  readonly walks: number;
  /** Independent samples whose means differ by the error. */
  readonly hypercubes: Hypercubes;
}

/** Points of each in the first round. */
const FIRST = 4;
/**
 * What so many draws may all have missed: a case of this share of one draw, which differs from the others as much as they differ
 * from each other, or by the scale of answers where all draws agree and say nothing about it.
 */
const UNSEEN = 0.25;
/** Differences between equal answers. */
const ROUNDING = 1e-12;

/**
 * The mean of the trees' answers over completions drawn in independent Latin hypercubes, in rounds of twice as many points until
 * the standard error, from the differences between the hypercubes, is small enough. Where the expected sums of the trees are
 * known, what the drawn sums miss them by is taken out of the answers by regression (a control variate): most of the noise.
 *
 * @param expected E[sums | y], S numbers
 */
export function drawAnswer(
  trees: OpenTrees,
  completions: RowCompletions,
  expected: Float64Array | undefined,
  { tolerance, scale, walks, hypercubes }: DrawSettings,
): Expected {
  const { classifier } = trees;
  const [K, S] = [answerCount(classifier), sumCount(classifier)];
  const replicates = hypercubes.count;
  const means = new ReplicateMeans({ K, S, scale, count: replicates }, expected);
  const answer = new Float64Array(K);
  let points = 0;
  for (let [n, round] = [FIRST, 0]; ; n = points, round++) {
    const count = n * replicates;
    const values: Float64Array[] = [];
    for (const i of trees.columns) values[i] = new Float64Array(count);
    completions.write(hypercubes, round, n, values);
    const sums = new Float64Array(count * S);
    trees.addUp(values, count, sums);
    for (let p = 0; p < count; p++) {
      linkSums(classifier, sums, answer, p * S);
      means.add(Math.floor(p / n), answer, sums, p * S);
    }
    points += n;
    const estimate = means.estimate(points);
    const error = Math.max(estimate.standardError, (UNSEEN * scale) / (points * replicates));
    if (error <= tolerance || 2 * points * replicates * trees.open > walks) return estimate;
  }
}

/** Means of answers and of the scores behind them, by replicate. */
class ReplicateMeans {
  readonly #K: number;
  readonly #S: number;
  readonly #count: number;
  readonly #scale: number;
  /** Replicates × K. */
  readonly #answers: Float64Array;
  readonly #scores: Float64Array;
  /** The expected scores, K numbers. */
  readonly #expected: Float64Array | undefined;
  /** The extremes of the answers, K numbers each. */
  readonly #lowest: Float64Array;
  readonly #highest: Float64Array;

  constructor(
    { K, S, scale, count }: Readonly<Record<"K" | "S" | "scale" | "count", number>>,
    expected: Float64Array | undefined,
  ) {
    this.#K = K;
    this.#S = S;
    this.#scale = scale;
    this.#count = count;
    this.#answers = new Float64Array(count * K);
    this.#scores = new Float64Array(count * K);
    this.#lowest = new Float64Array(K).fill(Number.POSITIVE_INFINITY);
    this.#highest = new Float64Array(K).fill(Number.NEGATIVE_INFINITY);
    this.#expected = expected && new Float64Array(K);
    if (expected && this.#expected) this.#addScores(expected, 0, this.#expected, 0);
  }

  /** Adds an answer to replicate r, with the sums it was made of, from `at` on. */
  add(r: number, answer: Float64Array, sums: Float64Array, at: number): void {
    const [K, answers, scores] = [this.#K, this.#answers, this.#scores];
    for (let k = 0; k < K; k++) {
      answers[r * K + k] += answer[k];
      if (answer[k] < this.#lowest[k]) this.#lowest[k] = answer[k];
      if (answer[k] > this.#highest[k]) this.#highest[k] = answer[k];
    }
    if (this.#expected) this.#addScores(sums, at, scores, r * K);
  }

  /** The regression of the answers on the scores, class by class, at the expected score; plain means where that is not known. */
  estimate(points: number): Expected {
    const [K, answers, scores, expected] = [this.#K, this.#answers, this.#scores, this.#expected];
    const count = this.#count;
    const values = new Float64Array(K);
    const slopes = new Float64Array(K);
    let [largest, range] = [0, 0];
    for (let k = 0; k < K; k++) {
      const [p, z] = [meanOf(answers, k, K) / points, meanOf(scores, k, K) / points];
      let [pp, pz, zz] = [0, 0, 0];
      for (let a = k; a < answers.length; a += K) {
        const [dp, dz] = [answers[a] / points - p, scores[a] / points - z];
        pp += dp * dp;
        pz += dp * dz;
        zz += dz * dz;
      }
      const regressed = expected !== undefined && zz > 0;
      const [slope, off] = regressed ? [pz / zz, z - expected[k]] : [0, 0];
      const variance = Math.max(0, pp - slope * pz) / (count - (regressed ? 2 : 1));
      values[k] = p - slope * off;
      slopes[k] = slope;
      const spread = 1 / count + (regressed ? (off * off) / zz : 0);
      largest = Math.max(largest, Math.sqrt(variance * spread));
      range = Math.max(range, this.#highest[k] - this.#lowest[k]);
    }
    const unseen = (UNSEEN * (range > ROUNDING * this.#scale ? range : this.#scale)) / (points * count);
    return {
      values,
      standardError: Math.max(largest, unseen),
      // Only comparisons of answers ask for these, so they are computed on request.
      get replicates(): readonly Float64Array[] {
        return Array.from({ length: count }, (_, r) =>
          values.map((_, k) => {
            const at = r * K + k;
            const missed = expected ? scores[at] / points - expected[k] : 0;
            return answers[at] / points - (slopes[k] === 0 ? 0 : slopes[k] * missed);
          }),
        );
      },
    };
  }

  /** Adds what speaks for each answer in S sums: the sum of a number, ± the log-odds, or each sum less their mean. */
  #addScores(sums: Float64Array, at: number, out: Float64Array, to: number): void {
    const [K, S] = [this.#K, this.#S];
    if (K === 1) {
      out[to] += sums[at];
      return;
    }
    if (S === 1) {
      out[to] -= sums[at];
      out[to + 1] += sums[at];
      return;
    }
    let mean = 0;
    for (let k = 0; k < K; k++) mean += sums[at + k] / K;
    for (let k = 0; k < K; k++) out[to + k] += sums[at + k] - mean;
  }
}

/** The mean over the replicates of class k. */
function meanOf(numbers: Float64Array, k: number, K: number): number {
  let sum = 0;
  for (let a = k; a < numbers.length; a += K) sum += numbers[a];
  return sum / (numbers.length / K);
}
