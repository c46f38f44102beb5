import { requireMade } from "../../errors.ts";
import type { Explanation } from "./explain.ts";

/** What a sentence about a decision tells: an {@link Explanation} is one. */
export type DecisionSummary = Pick<Explanation, "prediction" | "probability" | "tied">;

/** The decision as a sentence: "Predicted malignant (0.93).", or which classes are tied and for which the tie counts. */
export function decisionInWords(decision: DecisionSummary): string {
  requireMade("decision", decision);
  const { prediction, probability, tied } = decision;
  if (tied.length === 0) return `Predicted ${prediction} (${twoDecimals(probability)}).`;
  return `${listInWords(tied)} are tied at ${twoDecimals(probability)}; the tie counts as ${prediction}.`;
}

/** Names listed before the rest is only counted. */
const LISTED = 5;

/** "a, b and c", with the rest counted where there are many. */
export function listInWords(names: readonly string[]): string {
  const shown = names.length > LISTED + 1 ? names.slice(0, LISTED) : names;
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} others`] : [...shown];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** A probability with two decimals, and never a certainty that is none. */
export function twoDecimals(p: number): string {
  if (p > 0.995 && p < 1) return "> 0.99";
  return p < 0.005 && p > 0 ? "< 0.01" : p.toFixed(2);
}
