import { describe, expect, it } from "vitest";
import { naiveBayesOf } from "../../../../paper/claims/lemma-2.ts";
import {
  logisticFromNaiveBayes,
  modelFromNaiveBayes,
  type NaiveBayes,
} from "../../../workbench/src/entries/baselines.ts";
import { conform, createClassifier, explain } from "../../src/index.ts";
import {
  haveImages,
  PIXEL_SCHEMA,
  readImages,
  solution,
  sufficientSizes,
} from "../oracles/authors-solution.ts";

/** Their pseudo-count: pixels that are never on have the probability that it gives them. */
const PSEUDOCOUNT = 10;
/** Agreement of what both solve exactly, a pixel that is never on: their solver's last digits. */
const SOLVED = 1e-6;
/** The largest difference of any P(pixel | digit), and the typical one: the accuracy of their conic solver. */
const SOLVER = 0.003;
const TYPICAL = 6e-4;
/** Of the weights that their distribution has by Lemma 1, against those it was made for. */
const CONFORMS = 1e-6;

/** Five before three, so that scores are the authors' log-odds of 3. */
const classes = ["5", "3"];

const theirs: NaiveBayes = {
  schema: PIXEL_SCHEMA,
  classes,
  logPrior: Float64Array.of(Math.log(1 - solution.p), Math.log(solution.p)),
  logConditional: Float64Array.from(
    solution.A.flatMap((three, i) => [1 - solution.B[i], 1 - three, solution.B[i], three]),
    Math.log,
  ),
};

/** Sixty thousand images are unpacked and cut. */
const PATIENCE = { timeout: 120_000 };

describe("the authors' solution of MNIST 3 against 5", PATIENCE, () => {
  it("conforms with their logistic regression by Lemma 1", () => {
    const { weights } = logisticFromNaiveBayes(theirs);
    solution.W.slice(1).forEach((w, i) => {
      expect(Math.abs(weights[2 * i + 1] - weights[2 * i] - w)).toBeLessThan(CONFORMS);
    });
  });

  it.skipIf(!haveImages)("is what conform finds for it, to the accuracy of their solver", () => {
    const [bias, ...weights] = solution.W;
    const classifier = createClassifier({
      schema: PIXEL_SCHEMA,
      classes,
      intercept: Float64Array.of(0, bias),
      weights: Float64Array.from(weights.flatMap((w) => [0, w])),
    });
    const images = readImages("train", (_, label) => label === 3 || label === 5);
    const model = conform(classifier, images, { pseudocount: PSEUDOCOUNT });
    expect(model.certificate.status).toBe("converged");
    const { logConditional } = naiveBayesOf(model);
    const differences = [solution.B, solution.A].flatMap((given, k) =>
      given.map((p, i) => Math.abs(Math.exp(logConditional[(2 * i + 1) * 2 + k]) - p)),
    );
    expect(differences[0]).toBeLessThan(SOLVED);
    expect(Math.max(...differences)).toBeLessThan(SOLVER);
    const square = differences.reduce((sum, d) => sum + d ** 2, 0) / differences.length;
    expect(Math.sqrt(square)).toBeLessThan(TYPICAL);
  });

  it.skipIf(!haveImages)("has explanations of their sizes, all proved smallest", () => {
    const model = modelFromNaiveBayes(theirs);
    for (const [row, size] of Object.entries(sufficientSizes)) {
      const image = readImages("t10k", (r) => r === Number(row));
      const bits = Object.fromEntries(PIXEL_SCHEMA.columns.map(({ name }, i) => [name, image.columns[i][0]]));
      const { sufficient, status } = explain(model, bits);
      expect({ row, size: sufficient.length, status }).toEqual({ row, size, status: "optimal" });
    }
  });
});
