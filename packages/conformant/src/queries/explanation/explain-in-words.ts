import { requireMade } from "../../errors.ts";
import type { Value } from "../../schema/data.ts";
import type { Contribution } from "./contributions.ts";
import { decisionInWords, listInWords, twoDecimals } from "./decision-in-words.ts";
import type { Explanation } from "./explain.ts";

/**
 * An explanation in two or three sentences: what was predicted, what suffices for it, what speaks against it, and where the
 * search did not end with a proof, that too.
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
  const { contributions, status, atLeast, lowerBound, prediction } = explanation;
  const { length } = explanation.sufficient;
  if (status === "impossible") {
    const goal = atLeast === undefined ? "the prediction" : `a probability of ${atLeast}`;
    return `No allowed choice of the observations keeps ${goal}.`;
  }
  if (status === "not-found") return "The time limit came before a sufficient explanation was found.";
  if (length === 0) {
    return `None of the observations in favour is needed: without them ${prediction} still has ${twoDecimals(explanation.sufficientProbability)}.`;
  }
  const kept = atLeast === undefined ? "" : ` to keep at least ${atLeast}`;
  const verb = length === 1 ? "suffices" : "suffice";
  const names = listInWords(explanation.sufficient.map((name) => observation(contributions, name)));
  const proof =
    status === "optimal"
      ? ""
      : ` The search stopped at its time limit; ${lowerBound} or more are needed, so fewer than ${length} may do.`;
  const share =
    contributions.length === 1
      ? "The only observation"
      : `${capital(spelled(length))} of ${spelled(contributions.length)} observations`;
  return `${share} ${verb}${kept}: ${names}.${proof}`;
}

function observation(contributions: readonly Contribution[], name: string): string {
  const value = contributions.find(({ column }) => column === name)?.value;
  if (typeof value === "object" && value !== null) {
    return `${name} (${Object.entries(value)
      .map(([column, inner]) => `${column} = ${plain(inner)}`)
      .join(", ")})`;
  }
  return `${name} = ${plain(value)}`;
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
