import { subsets } from "../../../math/subsets.ts";
import type { Evidence } from "../evidence.ts";
import { NOTHING_JOINT } from "../joint-evidence.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

/**
 * Smallest sets where some features depend on each other. Once it is settled which of those are known, the others add up as
 * they do by themselves: so the sets of dependent features are gone through by size, and for each the rest is found by `search`,
 * with its proof. The result is proved if this ends in time; else no set smaller than the sizes gone through suffices.
 */
export function searchJoint(
  problem: SearchProblem,
  search: (problem: SearchProblem) => SearchResult,
): SearchResult {
  const { evidence, given, free, late } = problem;
  const dependent = free.filter((f) => evidence.joint.features.has(f));
  const others = free.filter((f) => !evidence.joint.features.has(f));
  let best: readonly number[] | undefined;
  let proved = Number.POSITIVE_INFINITY;
  for (let size = 0; size <= dependent.length && size < (best?.length ?? Number.POSITIVE_INFINITY); size++) {
    for (const chosen of subsets(dependent, size)) {
      // What was not looked at yet has at least `size` features.
      if (late()) return { chosen: best ?? everything(problem, search), lowerBound: Math.min(proved, size) };
      const rest = search({
        ...problem,
        evidence: settle(evidence, [...given, ...chosen]),
        given: [...given, ...chosen],
        free: others,
      });
      proved = Math.min(proved, size + rest.lowerBound);
      if (rest.chosen && size + rest.chosen.length < (best?.length ?? Number.POSITIVE_INFINITY))
        best = [...chosen, ...rest.chosen];
    }
  }
  return { chosen: best, lowerBound: best ? Math.min(proved, best.length) : proved };
}

/** Out of time before anything was found: all dependent features, and what is needed besides. */
function everything(
  problem: SearchProblem,
  search: (problem: SearchProblem) => SearchResult,
): readonly number[] | undefined {
  const { evidence, given, free } = problem;
  const all = free.filter((f) => evidence.joint.features.has(f));
  const rest = search({
    ...problem,
    evidence: settle(evidence, [...given, ...all]),
    given: [...given, ...all],
    free: free.filter((f) => !evidence.joint.features.has(f)),
  });
  return rest.chosen && [...all, ...rest.chosen];
}

/** The evidence once it is settled which dependent features are known: what they say becomes part of the base. */
function settle({ joint, base, ...evidence }: Evidence, known: readonly number[]): Evidence {
  const terms = joint.terms(known);
  return { ...evidence, joint: NOTHING_JOINT, base: base.map((x, a) => x + terms[a]) };
}
