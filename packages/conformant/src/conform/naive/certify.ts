import type { Classifier } from "../../classifier/classifier.ts";
import type { Block } from "../../gaussian/block.ts";
import { type GaussianFactor, quadratic } from "../../gaussian/gaussian-factor.ts";
import { CompensatedSums } from "../../math/compensated-sum.ts";
import { dot } from "../../math/dot.ts";
import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import { type Random, random } from "../../math/random.ts";
import type { Atoms } from "../../model/atoms.ts";
import { type Component, logAtomGivenClass } from "../../model/model.ts";

/** Random rows on which conformity is checked. */
const CHECKED_ROWS = 8;

/**
 * Largest |P(k | x) − F_k(x)| over random rows of atoms (and of numbers around the mean of the block), with
 * P(k | x) ∝ P(k) Π_f P(x_f | k) computed from the parameters and F from the classifier's scores alone: two ways that agree
 * only if the parameters conform.
 */
export function conformityError(
  classifier: Classifier,
  atoms: Atoms,
  component: Component,
  seed: number,
  block?: Block,
): number {
  const generator = random(seed);
  let largest = 0;
  for (let r = 0; r < CHECKED_ROWS; r++) {
    const row = randomRow(atoms, component, generator);
    const numbers = block && component.gaussian && randomNumbers(component.gaussian, generator);
    const expected = classifierOn(
      classifier,
      atoms,
      row,
      block && numbers && classifierScores(block, numbers),
    );
    const actual = naiveBayesOn(
      atoms,
      component,
      row,
      block && numbers && component.gaussian && classDensities(block, component.gaussian, numbers),
    );
    for (let k = 0; k < expected.length; k++) largest = Math.max(largest, Math.abs(expected[k] - actual[k]));
  }
  return largest;
}

/** One atom per column, uniformly among those with positive probability. */
function randomRow(atoms: Atoms, component: Component, generator: Random): Int32Array {
  const row = new Int32Array(atoms.columns.length);
  for (let i = 0; i < row.length; i++) {
    const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
    do row[i] = start + generator.integer(end - start);
    while (component.logQ[row[i]] === Number.NEGATIVE_INFINITY);
  }
  return row;
}

/** Numbers around the mean of the block, each within a few of its standard deviations. */
function randomNumbers({ mean, covariance }: GaussianFactor, generator: Random): Float64Array {
  const n = mean.length;
  return mean.map((x, i) => x + Math.sqrt(covariance[i * n + i]) * generator.normal());
}

/** w_k·x. */
function classifierScores({ weights, K }: Block, x: Float64Array): Float64Array {
  const n = x.length;
  return Float64Array.from({ length: K }, (_, k) => dot(weights.subarray(k * n, (k + 1) * n), x));
}

/**
 * log N(x; μ + Σ w_k, Σ) up to what all classes share. With d = x − μ − Σ w_k it is −½ dᵀ Σ⁻¹ d, of which dᵀ Σ⁻¹ d − d₀ᵀ Σ⁻¹ d₀,
 * d₀ = x − μ, is −2 w_k·d₀ + w_kᵀ Σ w_k.
 */
function classDensities(
  { weights, K }: Block,
  { mean, covariance }: GaussianFactor,
  x: Float64Array,
): Float64Array {
  const n = x.length;
  const away = x.map((value, i) => value - mean[i]);
  return Float64Array.from({ length: K }, (_, k) => {
    const w = weights.subarray(k * n, (k + 1) * n);
    return dot(w, away) - quadratic(covariance, w, w) / 2;
  });
}

function classifierOn(
  classifier: Classifier,
  { scores }: Atoms,
  row: Int32Array,
  numbers: Float64Array | undefined,
): Float64Array {
  const K = classifier.classes.length;
  const logits = new CompensatedSums(classifier.intercept);
  if (numbers) for (let k = 0; k < K; k++) logits.add(k, numbers[k]);
  for (let i = 0; i < row.length; i++) {
    for (let k = 0; k < K; k++) logits.add(k, scores[row[i] * K + k]);
  }
  return probabilities(logits, K);
}

function naiveBayesOn(
  atoms: Atoms,
  component: Component,
  row: Int32Array,
  numbers: Float64Array | undefined,
): Float64Array {
  const K = component.logPrior.length;
  const logits = new CompensatedSums(component.logPrior);
  if (numbers) for (let k = 0; k < K; k++) logits.add(k, numbers[k]);
  for (let i = 0; i < row.length; i++) {
    for (let k = 0; k < K; k++) logits.add(k, logAtomGivenClass(atoms, component, i, row[i], k));
  }
  return probabilities(logits, K);
}

function probabilities(logits: CompensatedSums, K: number): Float64Array {
  const p = Float64Array.from({ length: K }, (_, k) => logits.get(k));
  softmaxInPlace(p);
  return p;
}
