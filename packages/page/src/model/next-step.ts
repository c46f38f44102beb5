import type { Certainty, NextQuestion } from "../worker/answer.ts";
import type { Answer } from "../worker/answer-to.ts";
import type { Answers } from "./use-answers.ts";

/** What a person should do next about a row. Every place of the page that advises reads this, so that none contradicts another. */
export type NextStep =
  | { readonly kind: "check" | "complete" | "enough" }
  | {
      readonly kind: "ask";
      readonly best: NextQuestion;
      readonly others: readonly NextQuestion[];
      /** Whether the answer already counts the best question's field as missing. */
      readonly isCounted?: boolean;
    };

/** The probability from which on the answer may be called settled. */
export const ENOUGH_PROBABILITY = 0.8;
/** The probability of the same answer, whatever else becomes known, from which on it may. */
const ENOUGH_SAME = 0.95;
/** The second of two classes is predicted from this probability on. */
const HALF = 0.5;

/** The range that the unknown fields leave, as a share of the model's own error, from which on a number may be called settled. */
const ENOUGH_SPREAD = 0.5;

/**
 * The next step; undefined until the worker has answered.
 *
 * @param modelError the standard error of a number on new rows, where the model says so
 * @param counted unknown columns whose absence the model takes for an observation: until they are entered, nothing is settled
 */
export function nextStep(
  { outlook, certainty, complete }: Answers,
  answer: Answer,
  hasOutside: boolean,
  modelError = 0,
  counted: readonly string[] = [],
): NextStep | undefined {
  if (hasOutside) return { kind: "check" };
  if (!outlook || !certainty) return undefined;
  const [best, ...others] = outlook.questions;
  if (!best) return complete ? { kind: "complete" } : undefined;
  const isEnough =
    answer.kind === "classes"
      ? isSettled(certainty, answer.ranked[0][1])
      : (certainty.standardDeviation?.upper ?? Number.POSITIVE_INFINITY) <= ENOUGH_SPREAD * modelError;
  if (!isEnough) return { kind: "ask", best, others };
  const missing = outlook.questions.find(({ column }) => counted.includes(column));
  return missing ? { kind: "ask", best: missing, others: [], isCounted: true } : { kind: "enough" };
}

function isSettled({ range, sameDecision }: Certainty, probability: number): boolean {
  if (!sameDecision) return false;
  const staysOnOneSide = range === undefined ? sameDecision.lower > ENOUGH_SAME : range[0].lower > HALF;
  return probability >= ENOUGH_PROBABILITY && sameDecision.value >= ENOUGH_SAME && staysOnOneSide;
}
