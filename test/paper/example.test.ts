import { type Classifier, classify, createClassifier, logEvidence, predict, random } from "conformant";
import { logisticFromNaiveBayes, modelFromNaiveBayes, type NaiveBayes } from "conformant-workbench/baselines";
import { describe, expect, it } from "vitest";
import { randomClassifier } from "../../packages/conformant/test/support/random-model.ts";
import { naiveBayesFromLogistic } from "../../paper/claims/lemma-2.ts";

/** Figure 1 of the paper prints two decimals. */
const PRINTED = 0.005 + 1e-9;

const schema = {
  columns: [
    { name: "x1", kind: "binary" },
    { name: "x2", kind: "binary" },
  ],
} as const;
const classes = ["not c", "c"];

/** A naive Bayes model from P(c) and, per column, P(x | c) and P(x | not c). */
function naiveBayes(
  prior: number,
  columns: readonly (readonly [given: number, otherwise: number])[],
): NaiveBayes {
  const logConditional = columns.flatMap(([p, q]) => [1 - q, 1 - p, q, p].map(Math.log));
  return {
    schema,
    classes,
    logPrior: Float64Array.of(Math.log(1 - prior), Math.log(prior)),
    logConditional: Float64Array.from(logConditional),
  };
}

const printedWeights = createClassifier({
  schema,
  classes,
  intercept: Float64Array.of(0, -1.16),
  weights: Float64Array.of(0, 2.23, 0, -0.2),
});
const first = naiveBayes(0.5, [
  [0.8, 0.3],
  [0.45, 0.5],
]);
const second = naiveBayes(0.36, [
  [0.6, 0.14],
  [0.9, 0.92],
]);
const printedPredictions = [
  { x1: 1, x2: 1, f: 0.7 },
  { x1: 1, x2: 0, f: 0.74 },
  { x1: 0, x2: 1, f: 0.2 },
  { x1: 0, x2: 0, f: 0.24 },
];

describe("the paper's example (Figure 1)", () => {
  it("has the printed predictions", () => {
    for (const { x1, x2, f } of printedPredictions) {
      expect(Math.abs(classify(printedWeights, { x1, x2 }).c - f)).toBeLessThan(PRINTED);
    }
  });

  it("has two naive Bayes models that conform with it to the rounding of the printed numbers", () => {
    for (const [prior, x1, x2] of [
      [0.5, [0.8, 0.3], [0.45, 0.5]],
      [0.36, [0.6, 0.14], [0.9, 0.92]],
    ] as const) {
      // P(c | x) is monotone in each parameter, so its range over all numbers that print the same is found at corners.
      const corners = Array.from({ length: 32 }, (_, bits) => {
        const shift = (p: number, bit: number): number => p + ((bits >> bit) & 1 ? PRINTED : -PRINTED);
        const columns = [x1, x2].map(([p, q], i) => [shift(p, 1 + 2 * i), shift(q, 2 + 2 * i)] as const);
        return modelFromNaiveBayes(naiveBayes(shift(prior, 0), columns));
      });
      for (const row of [
        { x1: 1, x2: 1 },
        { x1: 1, x2: 0 },
        { x1: 0, x2: 1 },
        { x1: 0, x2: 0 },
      ]) {
        const range = corners.map((model) => predict(model, row).c);
        expect(classify(printedWeights, row).c).toBeGreaterThan(Math.min(...range));
        expect(classify(printedWeights, row).c).toBeLessThan(Math.max(...range));
      }
    }
  });

  it("gives the weights of Lemma 1 for the first model", () => {
    const { intercept, weights } = logisticFromNaiveBayes(first);
    expect(Math.abs(intercept[1] - -1.16)).toBeLessThan(PRINTED);
    expect(Math.abs(weights[1] - 2.23)).toBeLessThan(PRINTED + 0.001);
    expect(Math.abs(weights[3] - -0.2)).toBeLessThan(PRINTED);
  });

  it("has models that differ in how likely they make a row", () => {
    const [p1, p2] = [first, second].map((nb) =>
      Math.exp(logEvidence(modelFromNaiveBayes(nb), { x1: 0, x2: 0 })),
    );
    expect(Math.abs(p1 - 0.23)).toBeLessThan(PRINTED);
    expect(Math.abs(p2 - 0.06)).toBeLessThan(PRINTED);
  });
});

/** Lemma 2 then Lemma 1 goes through two dozen logarithms and exponentials. */
const ROUND_TRIP = 1e-12;

function scoresRelativeToFirst({ intercept, weights, classes: { length: K } }: Classifier): number[] {
  return [...intercept, ...weights].map((x, j, all) => x - all[j - (j % K)]);
}

describe("Lemmas 1 and 2", () => {
  it("take a logistic regression to the naive Bayes model with given θ and back", () => {
    for (let seed = 0; seed < 30; seed++) {
      const classifier = randomClassifier({ seed, columns: 6, classes: 2, kinds: ["binary"] });
      const g = random(seed);
      const theta = classifier.schema.columns.map(() => 0.01 + 0.98 * g.uniform());
      const nb = naiveBayesFromLogistic(classifier, theta);
      theta.forEach((p, i) => {
        expect(Math.abs(Math.exp(nb.logConditional[(2 * i + 1) * 2 + 1]) - p)).toBeLessThan(ROUND_TRIP);
      });
      // The closed forms of Lemma 2.
      theta.forEach((p, i) => {
        const w = classifier.weights[2 * i + 1];
        const other = 1 / (1 + Math.exp(w) * ((1 - p) / p));
        expect(Math.abs(Math.exp(nb.logConditional[(2 * i + 1) * 2]) - other)).toBeLessThan(ROUND_TRIP);
      });
      const back = logisticFromNaiveBayes(nb);
      scoresRelativeToFirst(back).forEach((x, j) => {
        expect(Math.abs(x - scoresRelativeToFirst(classifier)[j])).toBeLessThan(ROUND_TRIP);
      });
    }
  });

  it("hold for 0/1 columns and any number of classes", () => {
    for (let seed = 0; seed < 30; seed++) {
      const classifier = randomClassifier({ seed, columns: 5, classes: 2 + (seed % 4), kinds: ["binary"] });
      const g = random(seed);
      const nb = naiveBayesFromLogistic(
        classifier,
        classifier.schema.columns.map(() => 0.05 + 0.9 * g.uniform()),
      );
      const expected = scoresRelativeToFirst(classifier);
      scoresRelativeToFirst(logisticFromNaiveBayes(nb)).forEach((x, j) => {
        expect(Math.abs(x - expected[j])).toBeLessThan(ROUND_TRIP);
      });
    }
  });

  it("give a model that makes the same predictions for categorical columns too", () => {
    const classifier = randomClassifier({
      seed: 1,
      columns: 4,
      classes: 3,
      kinds: ["categorical", "binary"],
    });
    const theta = classifier.schema.columns.map((column) => {
      if (column.kind !== "categorical") return 0.3;
      return column.values.map((_, v) => (v + 1) / ((column.values.length * (column.values.length + 1)) / 2));
    });
    const model = modelFromNaiveBayes(naiveBayesFromLogistic(classifier, theta));
    const row = Object.fromEntries(
      classifier.schema.columns.map((c) => [c.name, c.kind === "categorical" ? c.values[1] : 1]),
    );
    const [ours, theirs] = [predict(model, row), classify(classifier, row)];
    for (const name of classifier.classes)
      expect(Math.abs(ours[name] - theirs[name])).toBeLessThan(ROUND_TRIP);
  });

  it("refuse a probability of 0, which no weight can express", () => {
    expect(() =>
      logisticFromNaiveBayes(
        naiveBayes(0.5, [
          [1, 0.5],
          [0.5, 0.5],
        ]),
      ),
    ).toThrow(/probability of 0/);
    expect(() => naiveBayesFromLogistic(printedWeights, [0, 0.5])).toThrow(/"x1" must be 2 probabilities/);
    expect(() => naiveBayesFromLogistic(printedWeights, [0.5])).toThrow(
      /one entry for each of the 2 columns/,
    );
  });
});
