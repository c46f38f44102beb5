import { BOOSTING } from "./boosting.ts";
import type { CompareMethod } from "./compare-method.ts";
import { LIBRARY_METHODS } from "./library-methods.ts";
import { ours } from "./ours.ts";
import { PEER_IMPUTERS } from "./peer-imputers.ts";
import { TREE_METHODS } from "./trees.ts";

/** All methods for the logistic regression, ours first. */
export const METHODS: readonly CompareMethod[] = [ours, ...LIBRARY_METHODS, ...PEER_IMPUTERS, ...BOOSTING];

/** Whether it trains trees, which takes long: then it is judged on the first splits only. */
export function isSlow(name: string): boolean {
  return [...BOOSTING, ...TREE_METHODS].some((method) => method.name === name);
}

/** The splits on which slow methods are judged. */
export const SLOW_SPLITS = 3;
