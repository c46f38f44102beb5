import { describe, expect, it } from "vitest";
import { type Explanation, explain, explainInWords } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

const contribution = (column: string, value: number, logOdds: number) => ({
  column,
  value,
  logOdds,
  probability: 0.1,
});

const found: Explanation = {
  prediction: "malignant",
  probability: 0.931,
  prior: 0.35,
  tied: [],
  contributions: [
    contribution("size", 7, 2),
    contribution("shape", 4, 1.5),
    contribution("nuclei", 10, 1.25),
    contribution("age", 44, -0.5),
  ],
  path: [],
  support: ["size", "shape", "nuclei"],
  opposing: ["age"],
  sufficient: ["size", "nuclei"],
  sufficientProbability: 0.6,
  status: "optimal",
  lowerBound: 2,
  missing: [],
  unseen: [],
};

describe("an explanation in words", () => {
  it("says what was predicted, what suffices and what speaks against it", () => {
    expect(explainInWords(found)).toBe(
      "Predicted malignant (0.93). Two of four observations suffice: size = 7 and nuclei = 10. Against it: age = 44.",
    );
  });

  it("speaks of one, of none and of many", () => {
    expect(explainInWords({ ...found, sufficient: ["size"], opposing: [] })).toBe(
      "Predicted malignant (0.93). One of four observations suffices: size = 7. Nothing speaks against it.",
    );
    expect(explainInWords({ ...found, sufficient: [] })).toBe(
      "Predicted malignant (0.93). None of the observations in favour is needed: without them malignant still has 0.60. Against it: age = 44.",
    );
    const model = randomModel({ seed: 1, columns: 30, classes: 2, scale: 0.2 });
    expect(explainInWords(explain(model, randomRow(model, random(1))))).toMatch(
      / of 30 observations .* others\./,
    );
  });

  it("never claims certainty", () => {
    expect(explainInWords({ ...found, probability: 0.9999 })).toMatch(/^Predicted malignant \(> 0\.99\)\./);
  });

  it("says that nothing is known, that classes are tied, that a limit was hit, that nothing suffices", () => {
    expect(explainInWords({ ...found, contributions: [], support: [], opposing: [], sufficient: [] })).toBe(
      "Predicted malignant (0.93). Nothing is known about this row.",
    );
    expect(explainInWords({ ...found, tied: ["benign", "malignant"], probability: 0.5 })).toMatch(
      /^benign and malignant are tied at 0\.50; the tie counts as malignant\./,
    );
    expect(explainInWords({ ...found, status: "bounded", lowerBound: 1 })).toMatch(
      /\. Fewer may suffice, but not fewer than 1\./,
    );
    expect(explainInWords({ ...found, status: "impossible", sufficient: [], threshold: 0.99 })).toMatch(
      /No allowed choice of the observations keeps a probability of 0\.99\./,
    );
    expect(explainInWords({ ...found, threshold: 0.9 })).toMatch(/suffice to keep at least 0\.9: size = 7/);
  });
});
