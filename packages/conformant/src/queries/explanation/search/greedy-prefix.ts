import { fallingOrder } from "../../../math/falling-order.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

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
