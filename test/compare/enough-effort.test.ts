import { expect, test } from "vitest";
import { enoughEffort } from "../../compare/asking/evaluate-asking.ts";

/** Rounding of a few sums. */
const ROUNDING = 1e-9;

test.each([
  ["on the line between two numbers of questions", [0.2, 0.7, 0.9, 1], 2 + (0.95 - 0.9) / 0.1],
  ["after none where nothing is learned", [0.7, 0.6, 0.72], 0],
  ["where it is met first, though it is lost again", [0.1, 0.95, 0.3, 1], 1],
  ["at the end where the last answer tells all", [0, 0, 1], 1.95],
])("95 %% of the full accuracy is reached %s", (_, accuracy, expected) => {
  const efforts = accuracy.map((_, questions) => ({ questions, cost: 3 * questions }));
  const { questions, cost } = enoughEffort(accuracy, efforts);
  expect(Math.abs(questions - expected)).toBeLessThan(ROUNDING);
  expect(Math.abs(cost - 3 * expected)).toBeLessThan(ROUNDING);
});
