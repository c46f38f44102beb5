import { describe, expect, it } from "vitest";
import { classify, conform, createClassifier, impute, type Model, predict } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";

/**
 * Example 2 of the paper: where the classifier is positive for every completion, imputing means over-approximates the
 * expected prediction (Jensen on the concave side of the sigmoid); where it is negative, it under-approximates.
 */
describe("mean imputation (Example 2 of the paper)", () => {
  const means = (model: Model): Record<string, number> =>
    Object.fromEntries(
      Object.entries(impute(model, {})).map(([name, x]) => [
        name,
        x.kind === "numeric" ? x.mean : x.probabilities["1"],
      ]),
    );

  for (const [side, sign] of [
    ["over-approximates on the positive", 1],
    ["under-approximates on the negative", -1],
  ] as const) {
    it(`${side} side`, () => {
      for (let seed = 0; seed < 50; seed++) {
        const g = random(seed);
        const n = 1 + g.integer(6);
        const weights = Array.from({ length: n }, () => g.normal());
        const worst = weights.reduce((sum, w) => sum + Math.abs(w), 0);
        const classifier = createClassifier({
          // Numeric columns with the values 0 and 1, so that a mean can be handed to the classifier.
          schema: { columns: weights.map((_, i) => ({ name: `x${i}`, kind: "numeric" })) },
          classes: ["no", "yes"],
          intercept: Float64Array.of(0, sign * (worst + 0.1)),
          weights: Float64Array.from(weights.flatMap((w) => [0, w])),
        });
        const rows = Array.from({ length: 40 }, (_, r) =>
          Object.fromEntries(weights.map((_, i) => [`x${i}`, r === 0 ? 0 : r === 1 ? 1 : g.integer(2)])),
        );
        const model = conform(classifier, rows);
        const imputed = classify(classifier, means(model)).yes;
        const expected = predict(model, {}).yes;
        expect(sign * (imputed - expected)).toBeGreaterThan(0);
      }
    });
  }
});
