import { addFeature, type Evidence, logJointOf } from "../predictors/additive-evidence.ts";
import { type Goal, slackOf } from "./goal.ts";
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

/**
 * In a mixture a goal is a set of ratios of sums, each log Σ_{a ∈ A} e^{L_a(S)} − log Σ_{b ∈ B} e^{L_b(S)} ≥ least, over
 * outcomes a = (m, c) and b = (m, r). Whatever t features join S, a ratio is at most each of
 *
 *     max_m [ L_mc − L_mr + top_t ]                  (a ratio of sums is at most the largest ratio of parts)
 *     log Σ_{a ∈ A} exp( L_a − L_b + top_t ), any b   (a sum is at least one of its parts)
 *
 * where top_t is the sum of the t largest positive differences of terms of the two outcomes among the features that may join.
 */
export class RatioBound {
  readonly #ratios: readonly Ratio[];
  readonly #goal: Goal;

  constructor(evidence: Evidence, goal: Goal, given: readonly number[], free: readonly number[]) {
    this.#goal = goal;
    this.#ratios = ratiosOf(evidence, goal, given, free);
  }

  /** Number of pairs of outcomes whose differences are looked up. */
  get pairs(): number {
    let count = 0;
    this.#eachPair(() => {
      count++;
    });
    return count;
  }

  /** Prepares {@link allows} for all of `free`, any number of them. */
  prepareWhole(evidence: Evidence, free: readonly number[]): void {
    this.#eachPair((pair) => {
      pair.top = { sums: fallingSums(evidence, free, pair), width: free.length + 1 };
    });
  }

  /** Prepares {@link allows} for up to `most` features out of the tail of `free` that starts at any position. */
  prepareTails(evidence: Evidence, free: readonly number[], most: number): void {
    this.#eachPair((pair) => {
      pair.top = tailSums(evidence, free, pair, most);
    });
  }

  #eachPair(visit: (pair: Pair) => void): void {
    for (const { diagonal, anchors } of this.#ratios) {
      for (const pair of diagonal) visit(pair);
      for (const pairs of anchors) for (const pair of pairs) visit(pair);
    }
  }

  /** False if no `count` features of the tail from `from` on can lead from this log joint to the goal. */
  allows(logJoint: Float64Array, from: number, count: number): boolean {
    return this.#ratios.every(({ diagonal, anchors }) => {
      const reach = (pair: Pair): number => logJoint[pair.a] - logJoint[pair.b] + lookUp(pair, from, count);
      // With several competing outcomes per component (a probability to be kept) the diagonal holds the bound for each of them.
      if (diagonal.every((pair) => reach(pair) < this.#goal.least)) return false;
      return anchors.every((pairs) => logSum(pairs.map(reach)) >= this.#goal.least);
    });
  }
}

/** Two outcomes, and for every tail of the features the sums of their largest differences. */
interface Pair {
  readonly a: number;
  readonly b: number;
  top: { readonly sums: Float64Array; readonly width: number };
}

interface Ratio {
  /** (m, c) against (m, r) for every m. */
  readonly diagonal: readonly Pair[];
  /** All of A against one outcome of B, for a few outcomes of B. */
  readonly anchors: readonly (readonly Pair[])[];
}

function ratiosOf(
  evidence: Evidence,
  goal: Goal,
  given: readonly number[],
  free: readonly number[],
): Ratio[] {
  const { K, outcomes } = evidence;
  const points = [logJointOf(evidence, given), logJointOf(evidence, [...given, ...free])];
  const components = Array.from({ length: outcomes / K }, (_, m) => m);
  const others = Array.from({ length: K }, (_, k) => k).filter((k) => k !== goal.class);
  const top = { sums: new Float64Array(), width: 0 };
  const pair = (a: number, b: number): Pair => ({ a, b, top });
  // Keeping a probability also bounds every single other class, with the same least log-odds.
  return others.map((r) => {
    const likeliest = points.map((logJoint) =>
      components.reduce((best, m) => (logJoint[m * K + r] > logJoint[best] ? m * K + r : best), r),
    );
    return {
      diagonal: components.map((m) => pair(m * K + goal.class, m * K + r)),
      anchors: [...new Set(likeliest)].map((b) => components.map((m) => pair(m * K + goal.class, b))),
    };
  });
}

/** The t largest positive differences term_a − term_b of all features, for t = 0, 1, … */
function fallingSums({ terms, outcomes }: Evidence, free: readonly number[], { a, b }: Pair): Float64Array {
  const sums = new Float64Array(free.length + 1);
  const differences = Float64Array.from(
    free,
    (f) => terms[f * outcomes + b] - terms[f * outcomes + a],
  ).sort();
  for (let t = 0; t < free.length; t++) sums[t + 1] = sums[t] + Math.max(0, -differences[t]);
  return sums;
}

/** sums[from * width + t]: the t largest positive differences term_a − term_b among free[from], free[from + 1], … */
function tailSums(
  { terms, outcomes }: Evidence,
  free: readonly number[],
  { a, b }: Pair,
  most: number,
): Pair["top"] {
  const width = most + 1;
  const sums = new Float64Array((free.length + 1) * width);
  const largest: number[] = [];
  for (let from = free.length - 1; from >= 0; from--) {
    const difference = terms[free[from] * outcomes + a] - terms[free[from] * outcomes + b];
    insert(largest, difference, most);
    let sum = 0;
    for (let t = 1; t < width; t++) {
      sum += largest[t - 1] ?? 0;
      sums[from * width + t] = sum;
    }
  }
  return { sums, width };
}

/** Inserts a positive number into a falling list of at most `most`. */
function insert(falling: number[], x: number, most: number): void {
  if (!(x > 0)) return;
  let at = falling.length;
  while (at > 0 && falling[at - 1] < x) at--;
  falling.splice(at, 0, x);
  if (falling.length > most) falling.pop();
}

function lookUp({ top: { sums, width } }: Pair, from: number, count: number): number {
  return sums[from * width + Math.min(count, width - 1)];
}

function logSum(logs: readonly number[]): number {
  const largest = Math.max(...logs);
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  return largest + Math.log(logs.reduce((sum, x) => sum + Math.exp(x - largest), 0));
}
