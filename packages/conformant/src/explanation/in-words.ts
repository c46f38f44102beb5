import { requireMade } from "../errors.ts";
import type { Value } from "../schema/data.ts";
import type { Contribution } from "./contributions.ts";
import type { Explanation } from "./explain.ts";

/**
 * An explanation in two or three sentences: what was predicted, what suffices for it, what speaks against it, and where the
 * search did not end with a proof, that too.
 *
 *     explainInWords(explain(model, { age: 40 })); // a paragraph of text
 */
export function explainInWords(explanation: Explanation): string {
  requireMade("explanation", explanation);
  const { contributions, opposing } = explanation;
  if (contributions.length === 0) return `${decisionInWords(explanation)} Nothing is known about this row.`;
  const against =
    opposing.length === 0
      ? "Nothing speaks against it."
      : `Against it: ${listInWords(opposing.map((name) => observation(contributions, name)))}.`;
  return [decisionInWords(explanation), sufficient(explanation), against].join(" ");
}

function sufficient(explanation: Explanation): string {
  const { contributions, status, threshold, lowerBound, prediction } = explanation;
  const { length } = explanation.sufficient;
  if (status === "impossible") {
    const goal = threshold === undefined ? "the prediction" : `a probability of ${threshold}`;
    return `No allowed choice of the observations keeps ${goal}.`;
  }
  if (status === "not-found") return "No sufficient explanation was found.";
  if (length === 0) {
    return `None of the observations in favour is needed: without them ${prediction} still has ${twoDecimals(explanation.sufficientProbability)}.`;
  }
  const kept = threshold === undefined ? "" : ` to keep at least ${threshold}`;
  const verb = length === 1 ? "suffices" : "suffice";
  const names = listInWords(explanation.sufficient.map((name) => observation(contributions, name)));
  const proof =
    status === "optimal"
      ? ""
      : ` Fewer may suffice${lowerBound ? `, but not fewer than ${lowerBound}` : ""}.`;
  const share =
    contributions.length === 1
      ? "The only observation"
      : `${capital(spelled(length))} of ${spelled(contributions.length)} observations`;
  return `${share} ${verb}${kept}: ${names}.${proof}`;
}

function observation(contributions: readonly Contribution[], name: string): string {
  const value = contributions.find(({ column }) => column === name)?.value;
  if (typeof value !== "object" || value === null) return valueInWords(name, value);
  const inner = Object.entries(value).map(([column, own]) => valueInWords(column, own));
  return `${name} (${inner.join(", ")})`;
}

/** "age = 40", or "age is missing". */
export function valueInWords(name: string, value: Value): string {
  return value === null ? `${name} is missing` : `${name} = ${plain(value)}`;
}

function plain(value: Value): string {
  // A whole number with all its digits, any other with six.
  return typeof value === "number" && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value);
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(
  " ",
) as readonly string[];

function spelled(count: number): string {
  return NUMBERS[count] ?? String(count);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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
