import { describe, expect, it } from "vitest";
import { predict, predictColumns } from "../../src/index.ts";
import { randomLinearModel, truthOf } from "../support/regression.ts";

/** Beyond this many completions a single row is answered on a grid, rows of a table by draws. */
const NUMBERS = 7;

describe("a linear regressor with many completions", () => {
  for (const link of ["logit", "probit"] as const)
    it(`is expected to answer the mean over all of them, on the grid and by draws: ${link}`, () => {
      for (const scale of [0.3, 2]) {
        const model = randomLinearModel({ seed: 21, link, numbers: NUMBERS, components: 2, scale });
        const { mean } = truthOf(model, {});
        // The grid has some thousand points across the range of the sum.
        expect(Math.abs(predict(model, {}) - mean)).toBeLessThan(1e-5);
        const { values, standardErrors } = predictColumns(model, [{}, {}]);
        expect(Math.abs(values[0] - mean)).toBeLessThan(5 * (standardErrors?.[0] ?? 0));
      }
    });
});
