import { addFeature, type Evidence, logJointOf } from "../evidence.ts";
import { type Goal, slackOf } from "../goal.ts";
import { RatioBound } from "./ratio-bound.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

/** Largest tables of the bound, in numbers. Beyond it only the greedy set and the bound at the root are given. */
const TABLE = 4e6;
/** Nodes between two looks at the clock. */
const BATCH = 256;

/**
 * Mixtures: what a feature adds depends on the others, so no order of the features is right for all sets. A greedy set
 * gives the upper bound; then all sets of size 0, 1, 2, … are searched, tails that cannot reach the goal cut off by
 * {@link RatioBound}. The result is proved if this ends in time.
 */
export function searchMixture(problem: SearchProblem): SearchResult {
  const { evidence, goal, given, free } = problem;
  const start = logJointOf(evidence, given);
  const greedy = greedySet(problem, start);
  const upper = greedy?.length ?? free.length + 1;
  const bound = new RatioBound(evidence, goal, given, free);
  bound.prepareWhole(evidence, free);
  let size = 0;
  while (size < upper && !bound.allows(start, 0, size)) size++;
  if (size === upper) return { chosen: greedy, lowerBound: greedy ? upper : Number.POSITIVE_INFINITY };
  if (bound.pairs * (free.length + 1) * (upper + 1) > TABLE) return { chosen: greedy, lowerBound: size };
  bound.prepareTails(evidence, free, upper);
  for (; size < upper; size++) {
    const found = new SizeSearch(problem, bound, size).run(start);
    if (found === "deadline") return { chosen: greedy, lowerBound: size };
    if (found !== "none") return { chosen: found, lowerBound: size };
  }
  return { chosen: greedy, lowerBound: greedy ? upper : Number.POSITIVE_INFINITY };
}

/** Adds the feature that brings the goal nearest until it is reached, then removes what is not needed. */
function greedySet({ evidence, goal, free, late }: SearchProblem, start: Float64Array): number[] | undefined {
  const logJoint = start.slice();
  const left = new Set(free);
  const chosen: number[] = [];
  while (slackOf(goal, evidence, logJoint) < 0) {
    if (left.size === 0) return undefined;
    // Out of time: the rest in the given order, strongest first.
    const next = late() ? [...left][0] : nearest(evidence, goal, logJoint, left);
    addFeature(evidence, logJoint, next);
    left.delete(next);
    chosen.push(next);
  }
  for (const f of [...chosen]) {
    addFeature(evidence, logJoint, f, -1);
    if (slackOf(goal, evidence, logJoint) >= 0) chosen.splice(chosen.indexOf(f), 1);
    else addFeature(evidence, logJoint, f);
  }
  // The running sums have drifted by rounding: the last word belongs to a fresh one.
  const fresh = start.slice();
  for (const f of chosen) addFeature(evidence, fresh, f);
  return slackOf(goal, evidence, fresh) >= 0 ? chosen : undefined;
}

function nearest(evidence: Evidence, goal: Goal, logJoint: Float64Array, left: ReadonlySet<number>): number {
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  const trial = new Float64Array(logJoint.length);
  for (const f of left) {
    trial.set(logJoint);
    addFeature(evidence, trial, f);
    const slack = slackOf(goal, evidence, trial);
    if (best < 0 || slack > most) [best, most] = [f, slack];
  }
  return best;
}

/** All sets of one size, in the order of `free`. */
class SizeSearch {
  readonly #problem: SearchProblem;
  readonly #bound: RatioBound;
  readonly #size: number;
  readonly #chosen: number[] = [];
  #nodes = 0;
  #late = false;

  constructor(problem: SearchProblem, bound: RatioBound, size: number) {
    this.#problem = problem;
    this.#bound = bound;
    this.#size = size;
  }

  run(start: Float64Array): readonly number[] | "none" | "deadline" {
    if (this.#visit(start, 0)) return [...this.#chosen];
    return this.#late ? "deadline" : "none";
  }

  #visit(logJoint: Float64Array, from: number): boolean {
    const { evidence, goal, free, late } = this.#problem;
    const missing = this.#size - this.#chosen.length;
    if (missing === 0) return slackOf(goal, evidence, logJoint) >= 0;
    if (++this.#nodes % BATCH === 0 && late()) this.#late = true;
    if (this.#late || !this.#bound.allows(logJoint, from, missing)) return false;
    for (let at = from; at + missing <= free.length; at++) {
      const next = logJoint.slice();
      addFeature(evidence, next, free[at]);
      this.#chosen.push(free[at]);
      if (this.#visit(next, at + 1)) return true;
      this.#chosen.pop();
    }
    return false;
  }
}
