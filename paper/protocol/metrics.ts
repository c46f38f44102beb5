/** How good predictions are, in the paper's three measures. */
export interface Scores {
  /** Mean over rows of −Σ_k p_k log q_k with p the full-data prediction and q the one under missingness, in nats. */
  readonly crossEntropy: number;
  /** Share of rows whose most likely class is the true one. */
  readonly accuracy: number;
  /** F1 of each class weighted by how often the class occurs. */
  readonly weightedF1: number;
}

/**
 * Scores predictions.
 *
 * @param full rows × K, the classifier's predictions with nothing missing
 * @param predicted rows × K
 * @param truth the true class of each row
 */
export function score(full: Float64Array, predicted: Float64Array, truth: Int32Array, K: number): Scores {
  const guesses = mostLikely(predicted, K);
  return {
    crossEntropy: crossEntropy(full, predicted) / truth.length,
    accuracy: guesses.reduce((hits, guess, r) => hits + Number(guess === truth[r]), 0) / truth.length,
    weightedF1: weightedF1(guesses, truth, K),
  };
}

/** −Σ p log q over all rows and classes. A q that underflowed counts as the smallest number there is. */
function crossEntropy(p: Float64Array, q: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < p.length; at++)
    if (p[at] > 0) sum -= p[at] * Math.log(Math.max(q[at], Number.MIN_VALUE));
  return sum;
}

/** The most likely class of each row, the first of those that tie. */
export function mostLikely(probabilities: Float64Array, K: number): Int32Array {
  return Int32Array.from({ length: probabilities.length / K }, (_, r) => {
    let best = 0;
    for (let k = 1; k < K; k++) if (probabilities[r * K + k] > probabilities[r * K + best]) best = k;
    return best;
  });
}

/** Σ_k share_k · F1_k with F1 = 2·hits / (guessed + true), as scikit-learn's f1_score(average="weighted"). */
export function weightedF1(guesses: Int32Array, truth: Int32Array, K: number): number {
  const [hits, guessed, occurs] = [new Float64Array(K), new Float64Array(K), new Float64Array(K)];
  truth.forEach((k, r) => {
    occurs[k]++;
    guessed[guesses[r]]++;
    if (guesses[r] === k) hits[k]++;
  });
  return occurs.reduce((sum, count, k) => {
    const both = guessed[k] + count;
    return sum + (both === 0 ? 0 : (count / truth.length) * ((2 * hits[k]) / both));
  }, 0);
}
