/** How good predictions are, in the paper's three measures. */
export interface Scores {
  /** Mean over rows of −Σ_k p_k log q_k with p the full-data prediction and q the one under missingness, in nats. */
  readonly crossEntropy: number;
  /** Share of rows whose most likely class is the true one. */
  readonly accuracy: number;
  /** F1 of each class weighted by how often the class occurs. */
  readonly weightedF1: number;
}

/** Adds up the paper's three measures row by row. */
export class ScoreSums {
  private readonly K: number;
  private readonly added: number;
  private crossEntropy = 0;
  private rows = 0;
  private readonly hits: Float64Array;
  private readonly guessed: Float64Array;
  private readonly occurs: Float64Array;

  /**
   * @param K number of classes
   * @param added to every probability before its logarithm
   */
  constructor(K: number, added = 0) {
    this.K = K;
    this.added = added;
    [this.hits, this.guessed, this.occurs] = [new Float64Array(K), new Float64Array(K), new Float64Array(K)];
  }

  /**
   * Adds a row.
   *
   * @param full the full-data predictions, of which this row's begin at `fullAt`
   * @param predicted the predictions under missingness, of which this row's begin at `at`
   */
  add(full: Float64Array, fullAt: number, predicted: Float64Array, at: number, truth: number): void {
    let guess = 0;
    for (let k = 0; k < this.K; k++) {
      const [p, q] = [full[fullAt + k], predicted[at + k]];
      // A probability that underflowed counts as the smallest number there is.
      if (p > 0) this.crossEntropy -= p * Math.log(Math.max(q + this.added, Number.MIN_VALUE));
      if (q > predicted[at + guess]) guess = k;
    }
    this.rows++;
    this.occurs[truth]++;
    this.guessed[guess]++;
    if (guess === truth) this.hits[truth]++;
  }

  scores(): Scores {
    const { hits, guessed, occurs, rows } = this;
    return {
      crossEntropy: this.crossEntropy / rows,
      accuracy: hits.reduce((sum, count) => sum + count, 0) / rows,
      // Σ_k share_k · F1_k with F1 = 2·hits / (guessed + true), as scikit-learn's f1_score(average="weighted").
      weightedF1: occurs.reduce((sum, count, k) => {
        const both = guessed[k] + count;
        return sum + (both === 0 ? 0 : (count / rows) * ((2 * hits[k]) / both));
      }, 0),
    };
  }
}

/**
 * Scores predictions.
 *
 * @param full rows × K, the classifier's predictions with nothing missing
 * @param predicted rows × K
 * @param truth the true class of each row
 * @param added to every probability before its logarithm
 */
export function score(
  full: Float64Array,
  predicted: Float64Array,
  truth: Int32Array,
  K: number,
  added = 0,
): Scores {
  const sums = new ScoreSums(K, added);
  truth.forEach((label, r) => {
    sums.add(full, r * K, predicted, r * K, label);
  });
  return sums.scores();
}
