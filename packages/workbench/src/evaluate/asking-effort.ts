/** Questions and what they cost, on average. */
export interface Effort {
  readonly questions: number;
  readonly cost: number;
}

/** The share of the full accuracy that is enough. */
export const ENOUGH = 0.95;

/** Accuracies are equal up to the rounding of their sums. */
const ROUNDING = 1e-9;

/**
 * The effort until {@link ENOUGH} of the accuracy with everything known, on the line between two numbers of questions: where the next one is
 * asked of a share of the rows, chosen by lot, so large that the accuracy is just met on average.
 *
 * @param accuracy after 0, 1, …, Q questions
 * @param efforts that they took, in the same order
 */
export function enoughEffort(accuracy: readonly number[], efforts: readonly Effort[]): Effort {
  const goal = ENOUGH * accuracy[accuracy.length - 1];
  const at = accuracy.findIndex((share) => share >= goal - ROUNDING);
  if (at === 0) return efforts[0];
  const share = Math.min(1, (goal - accuracy[at - 1]) / (accuracy[at] - accuracy[at - 1]));
  const [before, after] = [efforts[at - 1], efforts[at]];
  return {
    questions: before.questions + share * (after.questions - before.questions),
    cost: before.cost + share * (after.cost - before.cost),
  };
}
