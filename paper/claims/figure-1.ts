import { classify, createClassifier, logEvidence } from "conformant";
import { logisticFromNaiveBayes, modelFromNaiveBayes } from "conformant-workbench/baselines";
import { allRows, binarySchema, naiveBayes, rowOf } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";
import { naiveBayesFromLogistic } from "./lemma-2.ts";

/** The figure prints two digits, so what is computed from them may be off in the second. */
const PRINTED = 0.015;

const WEIGHTS = [-1.16, 2.23, -0.2];
const PREDICTIONS = [0.24, 0.74, 0.2, 0.7];
const P1 = naiveBayes(0.5, [
  [0.8, 0.3],
  [0.45, 0.5],
]);
const P2 = naiveBayes(0.36, [
  [0.6, 0.14],
  [0.9, 0.92],
]);

/** Figure 1 and the numbers of the text that belong to it. */
export const figure1: Claim = {
  title: "Figure 1",
  says: "two naive Bayes distributions conform with the logistic regression of weights −1.16, 2.23, −0.20 and yet give (0, 0) the probabilities 0.23 and 0.06.",
  look: () => {
    const F = createClassifier({
      schema: binarySchema(2),
      classes: ["not c", "c"],
      intercept: Float64Array.of(0, WEIGHTS[0]),
      weights: Float64Array.of(0, WEIGHTS[1], 0, WEIGHTS[2]),
    });
    const answers = allRows(2).map((bits) => classify(F, rowOf(bits)).c);
    const first = logisticFromNaiveBayes(P1);
    const [{ weights }, { intercept }] = [first, first];
    const lemma1 = [intercept[1], weights[1], weights[3]];
    // Lemma 2: the one distribution that conforms with F and has the P(x | c) of P₂.
    const lemma2 = naiveBayesFromLogistic(F, [0.6, 0.9]);
    const given = [2, 6].map((at) => Math.exp(lemma2.logConditional[at]));
    const prior = Math.exp(lemma2.logPrior[1]);
    const zero = [P1, P2].map((P) => Math.exp(logEvidence(modelFromNaiveBayes(P), { x1: 0, x2: 0 })));
    const pairs = [
      ...answers.map((p, i) => [p, PREDICTIONS[i]]),
      ...lemma1.map((w, i) => [w, WEIGHTS[i]]),
      [given[0], 0.14],
      [given[1], 0.92],
      [prior, 0.36],
      [zero[0], 0.23],
      [zero[1], 0.06],
    ];
    const two = (numbers: readonly number[]): string => numbers.map((x) => x.toFixed(2)).join(", ");
    return {
      holds: pairs.every(([ours, printed]) => Math.abs(ours - printed) < PRINTED),
      found: [
        `F of (0, 0), (1, 0), (0, 1), (1, 1): ${two(answers)} (printed ${two(PREDICTIONS)}).`,
        `Lemma 1 gives P₁ the weights ${two(lemma1)}.`,
        `Lemma 2 with P(x | c) = 0.6, 0.9 gives P(x | not c) = ${two(given)} and P(c) = ${prior.toFixed(2)}, which is P₂ (0.14, 0.92 and 0.36).`,
        `P(0, 0) is ${zero[0].toFixed(3)} under P₁ and ${zero[1].toFixed(3)} under P₂.`,
      ],
    };
  },
};

printWhenMain(import.meta.url, figure1);
