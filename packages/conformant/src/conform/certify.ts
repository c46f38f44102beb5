import type { Classifier } from "../classifier/classifier.ts";
import { CompensatedSums } from "../math/compensated-sum.ts";
import { type Random, random } from "../math/random.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Atoms } from "../model/atoms.ts";
import type { Component } from "../model/model.ts";

/** Random rows on which conformity is checked. */
const CHECKED_ROWS = 8;

/**
 * Largest |P(k | x) − F_k(x)| over random rows of atoms, with P(k | x) ∝ P(k) Π_i P(x_i | k) computed from the naive
 * Bayes parameters and F from the classifier's scores alone: two ways that agree only if the parameters conform.
 */
export function conformityError(
  classifier: Classifier,
  atoms: Atoms,
  component: Component,
  seed: number,
): number {
  const generator = random(seed);
  let largest = 0;
  for (let r = 0; r < CHECKED_ROWS; r++) {
    const row = randomRow(atoms, component, generator);
    const expected = classifierOn(classifier, atoms, row);
    const actual = naiveBayesOn(atoms, component, row);
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

function classifierOn(classifier: Classifier, { scores }: Atoms, row: Int32Array): Float64Array {
  const K = classifier.classes.length;
  const logits = new CompensatedSums(classifier.intercept);
  for (let i = 0; i < row.length; i++) {
    for (let k = 0; k < K; k++) logits.add(k, scores[row[i] * K + k]);
  }
  return probabilities(logits, K);
}

function naiveBayesOn({ scores }: Atoms, { logQ, logZ, logPrior }: Component, row: Int32Array): Float64Array {
  const K = logPrior.length;
  const logits = new CompensatedSums(logPrior);
  for (let i = 0; i < row.length; i++) {
    for (let k = 0; k < K; k++) logits.add(k, logQ[row[i]] + scores[row[i] * K + k] - logZ[i * K + k]);
  }
  return probabilities(logits, K);
}

function probabilities(logits: CompensatedSums, K: number): Float64Array {
  const p = Float64Array.from({ length: K }, (_, k) => logits.get(k));
  softmaxInPlace(p);
  return p;
}
