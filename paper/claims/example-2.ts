import { expectedPrediction, random } from "conformant";
import { allRows, between, bitsOf, independentModel, rowOf, sigmoid } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";

const COLUMNS = 7;
const TRIALS = 400;

/** Example 2: Jensen's inequality for logistic regression. */
export const example2: Claim = {
  title: "Example 2",
  says: "for logistic regression mean imputation over-approximates the expected prediction where every completion is positive, and under-approximates it where every one is negative.",
  look: () => {
    const g = random(2);
    const counts = { over: 0, positive: 0, under: 0, negative: 0 };
    let widest = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const weights = Array.from({ length: COLUMNS }, () => between(g, -2, 2));
      const bias = between(g, -6, 6);
      const shares = weights.map(() => between(g, 0.1, 0.9));
      const known = weights.map((_, i) => (i < 3 ? g.integer(2) : undefined));
      const linear = (bits: readonly number[]): number =>
        bits.reduce((sum, bit, i) => sum + weights[i] * bit, bias);
      const scores = allRows(COLUMNS)
        .filter((bits) => bits.every((bit, i) => known[i] === undefined || known[i] === bit))
        .map(linear);
      const P = independentModel(shares);
      const expected = expectedPrediction((row) => sigmoid(linear(bitsOf(row, COLUMNS))), P, rowOf(known));
      const imputed = sigmoid(linear(known.map((bit, i) => bit ?? shares[i])));
      widest = Math.max(widest, Math.abs(imputed - expected.value));
      if (Math.min(...scores) > 0) {
        counts.positive++;
        if (imputed > expected.value) counts.over++;
      }
      if (Math.max(...scores) < 0) {
        counts.negative++;
        if (imputed < expected.value) counts.under++;
      }
    }
    return {
      holds: counts.over === counts.positive && counts.under === counts.negative && counts.positive > 0,
      found: [
        `Of ${TRIALS} random classifiers and rows ${counts.positive} have only positive completions; mean imputation is above the expectation in ${counts.over} of them.`,
        `${counts.negative} have only negative ones; it is below in ${counts.under}. The largest difference anywhere is ${widest.toFixed(3)}.`,
      ],
    };
  },
};

printWhenMain(import.meta.url, example2);
