import { fallingOrder, subsets } from "../math/search.ts";
import { type Evidence, NOTHING_JOINT } from "../predictors/additive-evidence.ts";
import type { Coalitions } from "../predictors/expectation.ts";
import { coverOtherClasses } from "./cover-search.ts";
import { goalOf, isKept, type Kept } from "./goal.ts";
import { searchMixture } from "./mixture-search.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

/**
 * How a search for a smallest set ended: `optimal`, it is proved to be smallest; `bounded`, a smaller one may exist, since the time
 * limit came first or answers were sampled; `impossible`, no allowed set reaches the goal; `not-found`, no set was found, which is
 * no proof that there is none.
 */
export type SufficientStatus = "optimal" | "bounded" | "impossible" | "not-found";

/**
 * A smallest set of the free features that keeps a prediction together with all of the given ones. Where evidence adds up it is found by
 * the method that is exact for it, else by trying sets. Sampled answers prove nothing about other sets.
 */
export function sufficientSet(
  coalitions: Coalitions,
  kept: Kept,
  { given, free, late }: Pick<SearchProblem, "given" | "free" | "late">,
): SearchResult & { status: SufficientStatus } {
  const { evidence } = coalitions;
  const found = evidence
    ? search({ evidence, goal: goalOf(evidence, kept), given, free, late })
    : searchSubsets(given, free, (set) => isKept(coalitions.value(set).values, kept), late);
  const result = coalitions.sampled ? { chosen: found.chosen, lowerBound: 0 } : found;
  return { ...result, status: statusOf(result, coalitions.sampled) };
}

function search(problem: SearchProblem): SearchResult {
  const { K, outcomes, joint } = problem.evidence;
  if (joint.features.size > 0) return searchJoint(problem, search);
  if (outcomes > K) return searchMixture(problem);
  return K === 2 ? greedyPrefix(problem) : coverOtherClasses(problem);
}

/** How a search ended. */
export function statusOf({ chosen, lowerBound }: SearchResult, sampled: boolean): SufficientStatus {
  if (chosen) return chosen.length <= lowerBound && !sampled ? "optimal" : "bounded";
  return lowerBound === Number.POSITIVE_INFINITY ? "impossible" : "not-found";
}

/**
 * Two classes, one component: the log-odds are a sum of one number δ per feature, so the shortest prefix of the features
 * by falling δ that reaches the goal is a smallest set (exchange any set's features for larger ones), and no other smallest
 * set has a larger margin. Section 6 of the mathematics; Definition 6 of the paper.
 */
export function greedyPrefix({ evidence, goal, given, free }: SearchProblem): SearchResult {
  const { base, terms } = evidence;
  const c = goal.class;
  const delta = (f: number): number => terms[2 * f + c] - terms[2 * f + 1 - c];
  let slack = base[c] - base[1 - c] - goal.least;
  for (const f of given) slack += delta(f);
  const chosen: number[] = [];
  const order = fallingOrder(free.map(delta));
  for (let at = 0; at < order.length; at++) {
    const f = free[order[at]];
    if (slack >= 0 || delta(f) <= 0) break;
    slack += delta(f);
    chosen.push(f);
  }
  return slack >= 0
    ? { chosen, lowerBound: chosen.length }
    : { chosen: undefined, lowerBound: Number.POSITIVE_INFINITY };
}

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

/**
 * A small subset of `free` that keeps the prediction together with `given`: the shortest prefix that does, without the features that
 * it does not need; then all sets of 0, 1, 2, … features as long as there is time, which proves how many are needed.
 */
export function searchSubsets(
  given: readonly number[],
  free: readonly number[],
  keeps: (known: readonly number[]) => boolean,
  late: () => boolean,
): SearchResult {
  const best = thinnedPrefix(given, free, keeps);
  const most = best?.length ?? free.length + 1;
  for (let size = 0; size < most; size++)
    for (const subset of subsets(free, size)) {
      if (late()) return { chosen: best, lowerBound: size };
      if (keeps([...given, ...subset])) return { chosen: subset, lowerBound: size };
    }
  return { chosen: best, lowerBound: best ? most : Number.POSITIVE_INFINITY };
}

function thinnedPrefix(
  given: readonly number[],
  free: readonly number[],
  keeps: (known: readonly number[]) => boolean,
): readonly number[] | undefined {
  let length = 0;
  while (length <= free.length && !keeps([...given, ...free.slice(0, length)])) length++;
  if (length > free.length) return undefined;
  let chosen = free.slice(0, length);
  for (const f of [...chosen].reverse()) {
    const without = chosen.filter((g) => g !== f);
    if (keeps([...given, ...without])) chosen = without;
  }
  return chosen;
}
