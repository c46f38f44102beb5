import { type Evidence, logJointOf } from "../predictors/additive-evidence.ts";
import { type Cover, CoverRelaxation } from "./cover-relaxation.ts";
import { type Goal, slackOf } from "./goal.ts";
import type { SearchProblem, SearchResult } from "./search-problem.ts";

/** How far a relaxed point must miss the goal for a cut to be worth its row. */
const MISS = 1e-6;

/**
 * One component, any number of classes: each other class r gives one linear inequality, margin_r(S) = L_c(S) − L_r(S) ≥ least, a
 * covering problem that branch and bound solves exactly. A probability to be kept is the convex constraint
 * log Σ_r e^{−margin_r} ≤ −least; its tangents are linear inequalities, added as they are needed (outer approximation).
 */
export function coverOtherClasses({ evidence, goal, given, free, late }: SearchProblem): SearchResult {
  const others = Array.from({ length: evidence.K }, (_, k) => k).filter((k) => k !== goal.class);
  const start = logJointOf(evidence, given);
  const gains = others.map((r) => Float64Array.from(free, (f) => margin(evidence, goal, f, r)));
  const before = others.map((r) => start[goal.class] - start[r]);
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

/** A covering problem with a last word on which sets count, and how long to look. */
export interface CoverTask {
  readonly cover: Cover;
  /** Whether a set of items is a solution; implies all rows of the cover. */
  readonly accepts: (items: readonly number[]) => boolean;
  /** A further row that every solution satisfies and the point x does not; undefined if there is none to give. */
  readonly cut: (x: Float64Array) => { readonly gains: Float64Array; readonly need: number } | undefined;
  /** Whether the time is over. */
  readonly late: () => boolean;
}

/** An open subproblem: the relaxation of the node above it with one more item fixed. */
interface Node {
  readonly above: CoverRelaxation;
  readonly rows: number;
  readonly item: number;
  readonly at: 0 | 1;
  /** A proved lower bound on the size of every solution below the node. */
  readonly bound: number;
}

/** Distance from 0 and 1 beyond which an item counts as undecided in the relaxation. */
const FRACTION = 1e-7;
/** Subtracted before a bound is rounded up, far above the rounding of the sums that make it. */
const SAFETY = 1e-7;
/** Cuts tried in one node before it is split instead. */
const CUTS = 30;

/**
 * A smallest solution by branch and bound, depth first, with the linear relaxation as guide and its prices as proof. With
 * unit costs a bound of 4.01 proves 5, and the relaxation leaves at most one item per row undecided, so few nodes do.
 */
export class CoverSearch {
  #best: readonly number[] | undefined;
  readonly #task: CoverTask;
  /** The rows of the problem, and the cuts found so far. */
  readonly #gains: Float64Array[];
  readonly #needs: number[];
  readonly #stack: Node[] = [];

  constructor(task: CoverTask) {
    this.#task = task;
    this.#gains = [...task.cover.gains];
    this.#needs = [...task.cover.needs];
  }

  /** Runs to the end or until the time is over. */
  run(): { chosen: readonly number[] | undefined; lowerBound: number } {
    this.#expand(new CoverRelaxation(this.#task.cover), 0);
    for (let node = this.#stack.pop(); node !== undefined; node = this.#stack.pop()) {
      if (node.bound >= this.#size()) continue;
      if (this.#task.late()) {
        this.#stack.push(node);
        break;
      }
      const relaxation = new CoverRelaxation(node.above);
      for (let r = node.rows; r < this.#needs.length; r++) relaxation.addRow(this.#gains[r], this.#needs[r]);
      relaxation.fix(node.item, node.at);
      this.#expand(relaxation, node.bound);
    }
    const lowerBound = this.#stack.reduce((least, { bound }) => Math.min(least, bound), this.#size());
    return { chosen: this.#best, lowerBound };
  }

  #size(): number {
    return this.#best?.length ?? Number.POSITIVE_INFINITY;
  }

  /** Solves a node's relaxation and ends there, by the bound, or splits it in two. */
  #expand(relaxation: CoverRelaxation, boundAbove: number): void {
    let bound = boundAbove;
    let x = relaxation.items();
    for (let cuts = 0; cuts <= CUTS; cuts++) {
      const prices = relaxation.solve();
      x = relaxation.items();
      const priced = priceItems(this.#gains, this.#needs, prices, relaxation);
      bound = Math.max(bound, Math.ceil(priced.bound - SAFETY));
      if (bound < this.#size() && bound <= x.length) this.#offer(relaxation, x, priced.saving);
      if (bound >= this.#size() || bound > x.length) return;
      this.#fixDecided(relaxation, priced.bound, priced.saving);
      if (!this.#addCut(relaxation, x)) break;
    }
    this.#split(relaxation, undecided(relaxation, x), bound);
  }

  /** Fixes the items that no solution smaller than the best one can decide otherwise. */
  #fixDecided(relaxation: CoverRelaxation, bound: number, saving: Float64Array): void {
    const most = this.#size() - 1;
    for (let j = 0; j < saving.length; j++) {
      if (relaxation.lower[j] === relaxation.upper[j] || bound + Math.abs(saving[j]) - SAFETY <= most)
        continue;
      relaxation.fix(j, saving[j] > 0 ? 1 : 0);
    }
  }

  /** Rounds the relaxation up to a solution: its items first, then by what they save, until there are enough. */
  #offer({ upper }: CoverRelaxation, x: Float64Array, saving: Float64Array): void {
    const order = Array.from(x.keys())
      .filter((j) => upper[j] === 1)
      .sort((a, b) => x[b] - x[a] || saving[b] - saving[a]);
    const items = order.filter((j) => x[j] > 1 - FRACTION);
    while (items.length < this.#size() && !this.#task.accepts(items)) {
      if (items.length === order.length) return;
      items.push(order[items.length]);
    }
    if (items.length < this.#size()) this.#keep(items);
  }

  /** Keeps a solution after removing what it does not need, as far as time allows. */
  #keep(items: readonly number[]): void {
    let kept = [...items];
    for (const item of [...items].reverse()) {
      if (this.#task.late()) break;
      const fewer = kept.filter((other) => other !== item);
      if (this.#task.accepts(fewer)) kept = fewer;
    }
    this.#best = kept;
  }

  #addCut(relaxation: CoverRelaxation, x: Float64Array): boolean {
    const cut = this.#task.cut(x);
    if (cut === undefined) return false;
    this.#gains.push(cut.gains);
    this.#needs.push(cut.need);
    relaxation.addRow(cut.gains, cut.need);
    return true;
  }

  /** Two nodes, one with the item and one without; the one with it is searched first. */
  #split(above: CoverRelaxation, item: number, bound: number): void {
    if (item < 0) return;
    const rows = this.#needs.length;
    this.#stack.push({ above, rows, item, at: 0, bound });
    this.#stack.push({ above, rows, item, at: 1, bound });
  }
}

/** The open item that the relaxation is least decided about; where it decided all, one that it takes; −1 if none is open. */
function undecided({ lower, upper }: CoverRelaxation, x: Float64Array): number {
  let best = -1;
  let most = -1;
  for (let j = 0; j < x.length; j++) {
    if (lower[j] === upper[j]) continue;
    const open = Math.min(x[j], 1 - x[j]) > FRACTION;
    const score = open ? 1 + x[j] : x[j] / 2;
    if (score > most) [best, most] = [j, score];
  }
  return best;
}

/** What prices say about a covering problem. */
export interface PricedItems {
  /** No solution within the bounds of the items has fewer items than this. */
  readonly bound: number;
  /** Σ_r λ_r gain_rj − 1 per item: deciding an item against its sign raises the bound by its size. */
  readonly saving: Float64Array;
}

/**
 * The bound that any prices λ ≥ 0 of the rows prove, computed from the problem itself, so that it holds whatever rounding
 * the prices went through (Lagrangian duality):
 *
 *     Σ_r λ_r need_r − Σ_{j taken} saving_j − Σ_{j open} max(0, saving_j)
 */
export function priceItems(
  gains: readonly Float64Array[],
  needs: readonly number[],
  prices: Float64Array,
  { lower, upper }: Pick<CoverRelaxation, "lower" | "upper">,
): PricedItems {
  const saving = new Float64Array(lower.length).fill(-1);
  let bound = 0;
  for (let r = 0; r < prices.length; r++) {
    if (prices[r] === 0) continue;
    bound += prices[r] * needs[r];
    for (let j = 0; j < saving.length; j++) saving[j] += prices[r] * gains[r][j];
  }
  for (let j = 0; j < saving.length; j++) {
    if (lower[j] === 1 || (upper[j] === 1 && saving[j] > 0)) bound -= saving[j];
  }
  return { bound, saving };
}
