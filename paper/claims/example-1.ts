import { expectedPrediction, random } from "conformant";
import { allRows, between, bitsOf, independentModel, rowOf } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";

const COLUMNS = 8;
const TRIALS = 50;
/** A sum of 256 products. */
const ROUNDING = 1e-12;

/** Example 1: linear functions and independent columns. */
export const example1: Claim = {
  title: "Example 1",
  says: "for a linear F and independent columns the expected prediction is F with means in the gaps, and classifying by it is Bayes optimal if F is the probability of the class.",
  look: () => {
    const g = random(1);
    let largest = 0;
    let regret = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const shares = Array.from({ length: COLUMNS }, () => between(g, 0.05, 0.95));
      const raw = shares.map(() => g.uniform());
      const total = raw.reduce((sum, w) => sum + w, 0);
      // Weights that sum to one make F a probability.
      const F = (bits: readonly number[]): number =>
        bits.reduce((sum, bit, i) => sum + (raw[i] / total) * bit, 0);
      const known = shares.map(() => (g.uniform() < 0.5 ? g.integer(2) : undefined));
      const P = independentModel(shares);
      const expected = expectedPrediction((row) => F(bitsOf(row, COLUMNS)), P, rowOf(known)).value;
      largest = Math.max(largest, Math.abs(expected - F(known.map((bit, i) => bit ?? shares[i]))));
      const [against, inFavor] = [false, true].map((choice) => lossOf(choice, F, shares, known));
      regret = Math.max(regret, (expected > 0.5 ? inFavor : against) - Math.min(inFavor, against));
    }
    return {
      holds: largest < ROUNDING && regret < ROUNDING,
      found: [
        `${TRIALS} random functions of ${COLUMNS} columns with about half of them known: expectation and mean imputation differ by at most ${largest.toExponential(0)}.`,
        `No decision from the known columns has a smaller expected loss (largest difference ${Math.max(regret, 0).toExponential(0)}).`,
      ],
    };
  },
};

/** P(mistake | known) of deciding for or against the class, by going through all rows. */
function lossOf(
  positive: boolean,
  F: (bits: readonly number[]) => number,
  shares: readonly number[],
  known: readonly (number | undefined)[],
): number {
  return allRows(shares.length)
    .filter((bits) => bits.every((bit, i) => known[i] === undefined || known[i] === bit))
    .reduce((loss, bits) => {
      const chance = bits.reduce(
        (product, bit, i) => product * (known[i] === undefined ? (bit ? shares[i] : 1 - shares[i]) : 1),
        1,
      );
      return loss + chance * (positive ? 1 - F(bits) : F(bits));
    }, 0);
}

printWhenMain(import.meta.url, example1);
