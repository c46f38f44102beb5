import { BOOSTING } from "./boosting.ts";
import type { CompareMethod } from "./compare-method.ts";
import { LIBRARY_METHODS, PER_PATTERN } from "./library-methods.ts";
import { ours } from "./ours.ts";
import { PEER_IMPUTERS } from "./peer-imputers.ts";
import { TREE_METHODS } from "./trees.ts";

/** Ours, and what takes seconds: no training per pattern, no program of another language. */
const QUICK: readonly CompareMethod[] = [ours, ...LIBRARY_METHODS.filter(({ name }) => name !== PER_PATTERN)];

/** All methods for the logistic regression, ours first. */
export const METHODS: readonly CompareMethod[] = [ours, ...LIBRARY_METHODS, ...PEER_IMPUTERS, ...BOOSTING];

/** The splits on which methods that train trees are tested, which takes long. */
export const TREE_SPLITS = 3;

/** Whether a method is tested on a split: on large tables only where it is quick, on others only a few times where it trains trees. */
export function isEvaluated(name: string, split: number, large: boolean): boolean {
  if (large) return QUICK.some((method) => method.name === name);
  return split < TREE_SPLITS || ![...BOOSTING, ...TREE_METHODS].some((method) => method.name === name);
}
