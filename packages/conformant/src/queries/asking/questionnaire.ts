import { requireMade } from "../../errors.ts";

/** What is said where the questions have led so far, and what to ask then. */
export interface Questionnaire {
  readonly prediction: string;
  readonly probability: number;
  /** The probability to get here. */
  readonly share: number;
  /** The next question; undefined where the questions end. */
  readonly question?: {
    readonly column: string;
    readonly branches: readonly QuestionBranch[];
  };
}

/** Answers that lead the same way: some values, a range of numbers, or all that no other branch names. */
export interface QuestionBranch {
  readonly values?: readonly string[];
  /** A number is at least `from` and below `to`; without them there is no bound. */
  readonly from?: number;
  readonly to?: number;
  readonly next: Questionnaire;
}

/** What a branch is for, in words. */
export function branchInWords(branch: QuestionBranch): string {
  requireMade("branch", branch);
  const { values, from, to } = branch;
  if (values) return values.join(", ");
  if (from !== undefined && to !== undefined) return `${shortNumber(from)} to ${shortNumber(to)}`;
  if (from !== undefined) return `${shortNumber(from)} or more`;
  return to === undefined ? "anything else" : `below ${shortNumber(to)}`;
}

/** A number with the digits that tell answers apart. */
function shortNumber(x: number): string {
  return String(Number(x.toPrecision(4)));
}
