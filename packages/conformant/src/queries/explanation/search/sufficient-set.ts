import { greedyPrefix } from "./greedy-prefix.ts";
import { searchJoint } from "./joint-search.ts";
import { searchMixture } from "./mixture-search.ts";
import { coverRivals } from "./rival-cover.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

/**
 * How a search for a smallest set ended: `optimal`, it is proved to be smallest; `bounded`, the time limit came first and
 * a lower bound is known; `impossible`, no allowed set reaches the goal; `not-found`, the time limit came before any set.
 */
export type SufficientStatus = "optimal" | "bounded" | "impossible" | "not-found";

/** A smallest set by the method that is exact for the model: two classes, more of them, several components. */
export function sufficientSet(problem: SearchProblem): SearchResult & { status: SufficientStatus } {
  const result = search(problem);
  return { ...result, status: statusOf(result) };
}

function search(problem: SearchProblem): SearchResult {
  const { K, outcomes, joint } = problem.evidence;
  if (joint.features.size > 0) return searchJoint(problem, search);
  if (outcomes > K) return searchMixture(problem);
  return K === 2 ? greedyPrefix(problem) : coverRivals(problem);
}

function statusOf({ chosen, lowerBound }: SearchResult): SufficientStatus {
  if (chosen) return chosen.length <= lowerBound ? "optimal" : "bounded";
  return lowerBound === Number.POSITIVE_INFINITY ? "impossible" : "not-found";
}
