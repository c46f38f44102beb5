import { createClassifier, expectedPrediction, logEvidence, predict, random } from "conformant";
import { logisticFromNaiveBayes, modelFromNaiveBayes } from "conformant-workbench/baselines";
import { allRows, between, naiveBayes, rowOf } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";

const COLUMNS = 10;
const THRESHOLD = 0.6;
/** The factors n of the proof. */
const SCALES = [1, 10, 100, 1000, 1e6];
/** How near the last must come: no row's P(c | x) is as close to the threshold as 1e6 could not tell. */
const NEAR = 1e-6;

/** Theorem 1: the reduction of its proof, from the same-decision probability to logistic regression over naive Bayes. */
export const theorem1: Claim = {
  title: "Theorem 1",
  says: "expectations of a logistic regression over a naive Bayes distribution are NP-hard: with w′ = n · (w + log(1/T − 1)) and n large the expectation is the probability that the decision at threshold T is the same.",
  look: () => {
    const g = random(5);
    const share = (): number => between(g, 0.1, 0.9);
    const P = naiveBayes(
      0.5,
      Array.from({ length: COLUMNS }, () => [share(), share()] as const),
    );
    const model = modelFromNaiveBayes(P);
    const rows = allRows(COLUMNS).map(rowOf);
    const same = rows.reduce(
      (sum, row) => sum + (predict(model, row).c > THRESHOLD ? Math.exp(logEvidence(model, row)) : 0),
      0,
    );
    const F = logisticFromNaiveBayes(P);
    const expectations = SCALES.map((n) => {
      const scaled = createClassifier({
        ...F,
        intercept: F.intercept.map((b, k) => n * (b + k * Math.log(1 / THRESHOLD - 1))),
        weights: F.weights.map((w) => n * w),
      });
      return expectedPrediction(scaled, model, {}).c.value;
    });
    const last = expectations[expectations.length - 1];
    return {
      holds: Math.abs(last - same) < NEAR,
      found: [
        `A random naive Bayes distribution over ${COLUMNS} columns and T = ${THRESHOLD}: the same-decision probability is ${same.toFixed(6)} (all ${rows.length} rows).`,
        `The expectation with n = ${SCALES.join(", ")}: ${expectations.map((x) => x.toFixed(6)).join(", ")}.`,
      ],
    };
  },
};

printWhenMain(import.meta.url, theorem1);
