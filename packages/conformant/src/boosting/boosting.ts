import { logSumExp, softmaxInPlace } from "../math/softmax.ts";
import { eachValue, type GrownTree, type GrowthSettings, growTree } from "./grow-tree.ts";
import type { BinnedColumn } from "./histogram.ts";

/** Rows with their classes, in bins. */
export interface LabelledRows {
  readonly columns: readonly BinnedColumn[];
  /** The class of each row. */
  readonly codes: Int32Array;
  readonly weights: Float64Array | undefined;
  /** The rows that are scored, whether they are trained on or tested on. */
  readonly usable: Int32Array;
  readonly K: number;
}

/** Trees while they are boosted: each step adds one per sum, on the gradients p − y and curvatures p (1 − p) of the log loss. */
export class Boosting {
  /** Where the sums start: S numbers, the log-odds of the second class or the logarithms of the shares. */
  readonly base: Float64Array;
  readonly #rows: LabelledRows;
  readonly #train: Int32Array;
  readonly #settings: GrowthSettings;
  readonly #S: number;
  /** All rows × S. */
  readonly #scores: Float64Array;
  readonly #grown: GrownTree[] = [];

  /** @param train the rows to learn from */
  constructor(rows: LabelledRows, train: Int32Array, settings: GrowthSettings) {
    this.#rows = rows;
    this.#train = train;
    this.#settings = settings;
    this.#S = rows.K === 2 ? 1 : rows.K;
    this.base = baseOf(rows, train);
    this.#scores = new Float64Array(rows.codes.length * this.#S);
    for (const r of rows.usable) this.#scores.set(this.base, r * this.#S);
  }

  /** How many steps have been made. */
  get steps(): number {
    return this.#grown.length / this.#S;
  }

  /** The trees of the first steps. */
  trees(steps: number): GrownTree[] {
    return this.#grown.slice(0, steps * this.#S);
  }

  /** Makes a step; false where no tree found anything to split. */
  step(): boolean {
    const [rows, train, settings, S, scores] = [
      this.#rows,
      this.#train,
      this.#settings,
      this.#S,
      this.#scores,
    ];
    const { columns, codes, weights, usable } = rows;
    const gradient = new Float64Array(codes.length);
    const curvature = new Float64Array(codes.length);
    const shares = this.#probabilities();
    const trees = Array.from({ length: S }, (_, s) => {
      const own = S === 1 ? 1 : s;
      for (const r of train) {
        const [p, weight] = [shares[r * S + s], weights?.[r] ?? 1];
        gradient[r] = weight * (p - (codes[r] === own ? 1 : 0));
        curvature[r] = weight * p * (1 - p);
      }
      return growTree(columns, train, { gradient, curvature }, settings);
    });
    trees.forEach((tree, s) => {
      eachValue(tree, columns, usable, (r, value) => {
        scores[r * S + s] += value;
      });
    });
    this.#grown.push(...trees);
    return trees.some(({ kind }) => kind !== "leaf");
  }

  /** Σ weight · log loss of some rows. */
  loss(some: Int32Array): number {
    const [rows, scores, S] = [this.#rows, this.#scores, this.#S];
    let sum = 0;
    for (const r of some) {
      const own = S === 1 ? Float64Array.of(0, scores[r]) : scores.subarray(r * S, (r + 1) * S);
      sum += (rows.weights?.[r] ?? 1) * (logSumExp(own) - own[rows.codes[r]]);
    }
    return sum;
  }

  /** Of the rows that are trained on: all rows × S. */
  #probabilities(): Float64Array {
    const [train, scores, S] = [this.#train, this.#scores, this.#S];
    const shares = new Float64Array(scores.length);
    for (const r of train) {
      if (S === 1) shares[r] = 1 / (1 + Math.exp(-scores[r]));
      else {
        shares.set(scores.subarray(r * S, (r + 1) * S), r * S);
        softmaxInPlace(shares, r * S, S);
      }
    }
    return shares;
  }
}

function baseOf({ codes, weights, K }: LabelledRows, train: Int32Array): Float64Array {
  // Half a row for every class, so that one without rows does not become impossible.
  const counts = new Float64Array(K).fill(0.5);
  for (const r of train) counts[codes[r]] += weights?.[r] ?? 1;
  const logs = counts.map(Math.log);
  return K === 2 ? Float64Array.of(logs[1] - logs[0]) : logs.map((log) => log - logSumExp(logs));
}
