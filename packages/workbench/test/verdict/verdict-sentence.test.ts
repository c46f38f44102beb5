import { expect, test } from "vitest";
import { regressionVerdict } from "../../src/verdict/regression-verdict.ts";
import { regressionSentence } from "../../src/verdict/verdict-sentence.ts";

const labels = Float64Array.from({ length: 50 }, (_, r) => r);
const answers = labels.map((x, r) => x + (r % 2 === 0 ? 2 : -2));

test("the sentence about a predicted number names leaks, in the command's words and in those of the page", () => {
  const verdict = regressionVerdict({ answers, labels, folds: 5, leaks: ["cents"], label: '"price"' });
  expect(verdict.sentence).toBe(
    'On new rows: off by about 2 ± 0 (root mean squared error), with "cents", which gives the label away; always answering the mean: 14.43. It explains 98% of the variance of "price".',
  );
  expect(regressionSentence(verdict, "sale price", "EUR")).toBe(
    'On new rows: off by about 2 ± 0 EUR (root mean squared error), with "cents", which gives the label away; always answering the mean: 14.43 EUR. It explains 98% of the variance of sale price.',
  );
});
