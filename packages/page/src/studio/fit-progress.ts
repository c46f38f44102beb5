import type { FitProgress } from "../worker/study-messages.ts";

/** The stages of a fit in order, each with its usual share of the time. */
const STAGES: readonly (readonly [what: string, share: number])[] = [
  ["counting values", 0.03],
  ["reading rows", 0.05],
  ["cross-validating", 0.12],
  ["training", 0.1],
  ["choosing the size of the mixture", 0.3],
  ["fitting the mixture", 0.05],
  ["training on incomplete rows", 0.1],
  ["scoring new rows", 0.25],
];

/** How far a fit has come, from 0 to 1; it never falls. */
export function overallShare({ what, share = 0 }: FitProgress, before: number): number {
  const at = STAGES.findIndex(([name]) => name === what);
  if (at < 0) return before;
  const passed = STAGES.slice(0, at).reduce((sum, [, part]) => sum + part, 0);
  return Math.max(before, passed + STAGES[at][1] * Math.min(1, share));
}
