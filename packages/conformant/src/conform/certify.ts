import type { Atoms } from "../distribution/atoms.ts";
import { type Component, logAtomGivenClass } from "../distribution/distribution.ts";
import { CompensatedSums } from "../math/compensated-sum.ts";
import { type Random, random } from "../math/random.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";

/** Random rows on which conformity is checked. */
const CHECKED_ROWS = 8;

/** A factor beside the atoms: cells at random as the classifier and as the parameters see them, K numbers each. */
interface RandomCells {
  cellsAtRandom(
    component: Component,
    generator: Random,
  ): { readonly scores: Float64Array; readonly logGivenClass: Float64Array };
}

/**
 * Largest |P(k | x) − F_k(x)| over random rows of atoms, and of what other factors make of their cells, with
 * P(k | x) ∝ P(k) Π_f P(x_f | k) computed from the parameters and F from the classifier's scores alone: two ways that agree
 * only if the parameters conform.
 */
export function conformityError(
  classifier: ClassTilt,
  atoms: Atoms,
  component: Component,
  seed: number,
  others: readonly RandomCells[] = [],
): number {
  const generator = random(seed);
  let largest = 0;
  for (let r = 0; r < CHECKED_ROWS; r++) {
    const row = randomRow(atoms, component, generator);
    const cells = others.map((factor) => factor.cellsAtRandom(component, generator));
    const expected = classifierOn(
      classifier,
      atoms,
      row,
      cells.map(({ scores }) => scores),
    );
    const actual = naiveBayesOn(
      atoms,
      component,
      row,
      cells.map(({ logGivenClass }) => logGivenClass),
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

function classifierOn(
  classifier: ClassTilt,
  { scores }: Atoms,
  row: Int32Array,
  others: readonly Float64Array[],
): Float64Array {
  const K = classifier.intercept.length;
  const logits = new CompensatedSums(classifier.intercept);
  for (const own of others) for (let k = 0; k < K; k++) logits.add(k, own[k]);
  for (let i = 0; i < row.length; i++) {
    for (let k = 0; k < K; k++) logits.add(k, scores[row[i] * K + k]);
  }
  return probabilities(logits, K);
}

function naiveBayesOn(
  atoms: Atoms,
  component: Component,
  row: Int32Array,
  others: readonly Float64Array[],
): Float64Array {
  const K = component.logPrior.length;
  const logits = new CompensatedSums(component.logPrior);
  for (const own of others) for (let k = 0; k < K; k++) logits.add(k, own[k]);
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
