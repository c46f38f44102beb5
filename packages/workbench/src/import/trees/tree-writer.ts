import type { TreeJson } from "conformant";
import { above, below } from "conformant/trees";

/** Whether a number lies in [from, to], or a category is one of some codes; `gap` is the answer for a missing value. */
export type Question = { readonly feature: number; readonly gap: boolean } & (
  | { readonly from: number; readonly to: number }
  | { readonly codes: ReadonlySet<number> }
);

/** What a leaf adds: one number, or one per class. */
export type LeafValue = number | readonly number[];

/** The possible values of a feature at a node. */
type Possible = { readonly gap: boolean } & (
  | { readonly from: number; readonly to: number }
  | { readonly codes: ReadonlySet<number> }
);

/** The next step of a question: decided, or a split with the possible values on either side. */
interface Split {
  readonly threshold: number | null;
  readonly set: readonly number[] | null;
  readonly gapsLeft: boolean;
  readonly left: Possible;
  readonly right: Possible;
}

/** The most nodes of one tree: questions with many answers can expand to far more than a file holds. */
const MOST_NODES = 1_000_000;
/** The most codes examined in one tree, so that a damaged file ends in an error instead of a long wait. */
const MOST_CODES = 100_000_000;

/**
 * Converts a tree with questions of any kind to one with two-way splits, where numbers go left for x ≤ t and categories where they are in a
 * set. Questions that earlier answers decide take no node.
 */
export class TreeWriter {
  private readonly codeCount: (feature: number) => number | undefined;
  private readonly refuse: (why: string) => never;
  private readonly possible = new Map<number, Possible>();
  private readonly feature: number[] = [];
  private readonly threshold: (number | null)[] = [];
  private readonly left: number[] = [];
  private readonly right: number[] = [];
  private readonly value: (LeafValue | null)[] = [];
  private readonly sets: (readonly number[] | null)[] = [];
  private readonly gapsLeft: boolean[] = [];
  private codes = 0;

  /** @param codeCount how many codes a categorical feature has, undefined for numbers */
  constructor(codeCount: (feature: number) => number | undefined, refuse: (why: string) => never) {
    this.codeCount = codeCount;
    this.refuse = refuse;
  }

  leaf(value: LeafValue): number {
    return this.push(-1, null, null, false, value);
  }

  /** Asks, writes both branches, and returns the node; without a node where the answer is known already. */
  ask(question: Question, onTrue: () => number, onFalse: () => number): number {
    const { feature } = question;
    const known = this.known(feature);
    this.codes += "codes" in known ? known.codes.size : 0;
    if (this.codes > MOST_CODES) this.refuse(`a tree compares more than ${MOST_CODES} categories`);
    const next = "codes" in question ? askCodes(question, known) : askNumber(question, known);
    if (typeof next === "boolean") return next ? onTrue() : onFalse();
    const node = this.push(feature, next.threshold, next.set, next.gapsLeft, null);
    const again = (): number => this.ask(question, onTrue, onFalse);
    this.left[node] = this.within(feature, next.left, again);
    this.right[node] = this.within(feature, next.right, again);
    return node;
  }

  finish(output = 0): TreeJson {
    const { feature, threshold, left, right, value, sets, gapsLeft } = this;
    const hasSets = sets.some((set) => set);
    return { output, feature, threshold, left, right, value, ...(hasSets && { sets }), gapsLeft };
  }

  private known(feature: number): Possible {
    const found = this.possible.get(feature);
    if (found) return found;
    const count = this.codeCount(feature);
    return count === undefined
      ? { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, gap: true }
      : { codes: new Set(Array.from({ length: count }, (_, code) => code)), gap: true };
  }

  private within(feature: number, possible: Possible, act: () => number): number {
    const before = this.possible.get(feature);
    this.possible.set(feature, possible);
    const result = act();
    if (before) this.possible.set(feature, before);
    else this.possible.delete(feature);
    return result;
  }

  private push(
    feature: number,
    threshold: number | null,
    set: readonly number[] | null,
    gapsLeft: boolean,
    value: LeafValue | null,
  ): number {
    if (this.feature.length >= MOST_NODES) this.refuse(`a tree unfolds to more than ${MOST_NODES} nodes`);
    this.feature.push(feature);
    this.threshold.push(threshold);
    this.sets.push(set);
    this.gapsLeft.push(gapsLeft);
    this.value.push(value);
    this.left.push(-1);
    return this.right.push(-1) - 1;
  }
}

/** The answer where it is known, otherwise the split that narrows it down. */
function askNumber(question: Question, known: Possible): boolean | Split {
  if (!("from" in question && "from" in known)) throw new RangeError("a category is compared with numbers");
  const { from, to } = question;
  const gap = known.gap && question.gap;
  const noGap = known.gap && !question.gap;
  if (known.from > known.to) return question.gap; // only a missing value is left
  const outside = from > to || known.to < from || known.from > to;
  if (outside || (from <= known.from && known.to <= to)) {
    if (!known.gap || question.gap === !outside) return !outside;
    // Only a missing value goes left.
    const left = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, gap: true };
    return {
      threshold: -Number.MAX_VALUE,
      set: null,
      gapsLeft: true,
      left,
      right: { ...known, gap: false },
    };
  }
  // Below the interval first, then above it.
  const cut = known.from < from;
  const threshold = cut ? below(from) : to;
  return {
    threshold,
    set: null,
    gapsLeft: cut ? !question.gap : question.gap,
    left: { from: known.from, to: threshold, gap: cut ? noGap : gap },
    right: { from: cut ? from : above(to), to: known.to, gap: cut ? gap : noGap },
  };
}

function askCodes(question: Question, known: Possible): boolean | Split {
  if (!("codes" in question && "codes" in known))
    throw new RangeError("a number is compared with categories");
  const inside = new Set([...known.codes].filter((code) => question.codes.has(code)));
  const outside = new Set([...known.codes].filter((code) => !question.codes.has(code)));
  if (known.codes.size === 0) return question.gap;
  if (inside.size === 0 || outside.size === 0) {
    const answer = outside.size === 0;
    if (!known.gap || question.gap === answer) return answer;
    const left = { codes: new Set<number>(), gap: true };
    return { threshold: null, set: [], gapsLeft: true, left, right: { codes: known.codes, gap: false } };
  }
  return {
    threshold: null,
    set: [...question.codes],
    gapsLeft: question.gap,
    left: { codes: inside, gap: known.gap && question.gap },
    right: { codes: outside, gap: known.gap && !question.gap },
  };
}
