import type { Question } from "conformant";
import type { RankedClass } from "../frame/rank-classes.ts";
import type { Answers } from "./use-answers.ts";

/** What a person should do next about a row. Every place of the page that advises reads this, so that none contradicts another. */
export type NextStep =
  | { readonly kind: "check" | "complete" | "enough" }
  | { readonly kind: "ask"; readonly best: Question; readonly others: readonly Question[] };

/** The probability from which on the answer may be called settled. */
export const ENOUGH_PROBABILITY = 0.8;
/** The probability of the same answer, whatever else becomes known, from which on it may. */
const ENOUGH_SAME = 0.95;
/** The second of two classes is predicted from this probability on. */
const HALF = 0.5;

/** The next step; undefined until the worker has answered. */
export function nextStep(
  { outlook, certainty, complete }: Answers,
  [[, probability]]: readonly RankedClass[],
  hasOutside: boolean,
): NextStep | undefined {
  if (hasOutside) return { kind: "check" };
  if (!outlook || !certainty) return undefined;
  const [best, ...others] = outlook.questions;
  if (!best) return complete ? { kind: "complete" } : undefined;
  const { range, sameDecision } = certainty;
  const staysOnOneSide = range === undefined ? sameDecision.lower > ENOUGH_SAME : range[0].lower > HALF;
  const isEnough = probability >= ENOUGH_PROBABILITY && sameDecision.value >= ENOUGH_SAME && staysOnOneSide;
  return isEnough ? { kind: "enough" } : { kind: "ask", best, others };
}
