import { type Evidence, logJointOf } from "../evidence.ts";
import { type Goal, slackOf } from "../goal.ts";
import { CoverSearch } from "./cover-search.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

/** How far a relaxed point must miss the goal for a cut to be worth its row. */
const MISS = 1e-6;

/**
 * One component, any number of classes: each rival r gives one linear inequality, margin_r(S) = L_c(S) − L_r(S) ≥ least, a
 * covering problem that branch and bound solves exactly. A probability to be kept is the convex constraint
 * log Σ_r e^{−margin_r} ≤ −least; its tangents are linear inequalities, added as they are needed (outer approximation).
 */
export function coverRivals({ evidence, goal, given, free, late }: SearchProblem): SearchResult {
  const rivals = Array.from({ length: evidence.K }, (_, k) => k).filter((k) => k !== goal.class);
  const start = logJointOf(evidence, given);
  const gains = rivals.map((r) => Float64Array.from(free, (f) => margin(evidence, goal, f, r)));
  const before = rivals.map((r) => start[goal.class] - start[r]);
  const accepts = (items: readonly number[]): boolean => {
    const logJoint = start.slice();
    for (const j of items)
      for (let k = 0; k < evidence.K; k++) logJoint[k] += evidence.terms[free[j] * evidence.K + k];
    return slackOf(goal, evidence, logJoint) >= 0;
  };
  const search = new CoverSearch({
    cover: { items: free.length, gains, needs: before.map((m) => goal.least - m) },
    accepts,
    cut: (x) => (goal.kind === "probability" ? tangent(gains, before, goal.least, x) : undefined),
    late,
  });
  const { chosen, lowerBound } = search.run();
  return { chosen: chosen?.map((j) => free[j]), lowerBound };
}

/** What feature f adds to log P(c) − log P(r). */
function margin({ terms, K }: Evidence, goal: Goal, f: number, r: number): number {
  return terms[f * K + goal.class] - terms[f * K + r];
}

/**
 * log Σ_r e^{−m_r} ≥ −Σ_r μ_r m_r + H(μ) for all weights μ that sum to 1, with equality at μ = softmax(−m): where a point
 * misses the goal, Σ_r μ_r m_r ≥ H(μ) + least cuts it off and no solution.
 */
export function tangent(
  gains: readonly Float64Array[],
  before: readonly number[],
  least: number,
  x: Float64Array,
): { gains: Float64Array; need: number } | undefined {
  const margins = before.map((m, r) => x.reduce((sum, share, j) => sum + share * gains[r][j], m));
  const smallest = Math.min(...margins);
  const weights = margins.map((m) => Math.exp(smallest - m));
  const total = weights.reduce((sum, w) => sum + w, 0);
  if (smallest - Math.log(total) >= least - MISS) return undefined;
  const mu = weights.map((w) => w / total);
  const entropy = mu.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  const row = x.map((_, j) => mu.reduce((sum, p, r) => sum + p * gains[r][j], 0));
  const need = mu.reduce((left, p, r) => left - p * before[r], entropy + least);
  return { gains: row, need };
}
