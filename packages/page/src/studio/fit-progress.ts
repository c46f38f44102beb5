import type { FitProgress } from "../worker/study-messages.ts";

/** A stage of the work: the names that it goes by, and its usual share of the time. */
type Stage = readonly [names: readonly string[], share: number];

/** The stages of a fit, in order. */
const FIT_STAGES: readonly Stage[] = [
  [["counting values"], 0.03],
  [["reading rows"], 0.05],
  [["choosing the penalty", "trying trees", "comparing models"], 0.12],
  [["training"], 0.1],
  [["choosing the size of the mixture"], 0.3],
  [["fitting the mixture"], 0.05],
  [["training on incomplete rows"], 0.1],
  [["scoring new rows"], 0.25],
];

/** The stages of an evaluation, in order. */
const EVALUATION_STAGES: readonly Stage[] = [
  [["predicting"], 0.05],
  [["fitting mean", "fitting knn"], 0.05],
  [["evaluating"], 0.8],
  [["scoring columns"], 0.1],
];

/** How far a piece of work has come, from 0 to 1, and where its present stage ends. */
export interface Share {
  readonly reached: number;
  readonly stageEnd: number;
}

/** Nothing is done yet. */
export const NO_SHARE: Share = { reached: 0, stageEnd: FIT_STAGES[0][1] };

/** How far a fit or its evaluation has come; it never falls. */
export function overallShare(
  { what, share = 0 }: FitProgress,
  isEvaluating: boolean,
  { reached, stageEnd }: Share,
): Share {
  const stages = isEvaluating ? EVALUATION_STAGES : FIT_STAGES;
  const at = stages.findIndex(([names]) => names.includes(what));
  if (at < 0) return { reached, stageEnd };
  const passed = stages.slice(0, at).reduce((sum, [, part]) => sum + part, 0);
  const own = stages[at][1];
  return {
    reached: Math.max(reached, passed + own * Math.min(1, share)),
    stageEnd: Math.max(stageEnd, passed + own),
  };
}

/** Seconds in which a stage that reports nothing comes closer to its end by a factor of e. */
const PATIENCE = 30;

/** What a progress bar shows: it moves on while a stage reports nothing, ever slower, and does not reach the end of the stage. */
export function shownShare({ reached, stageEnd }: Share, secondsSince: number): number {
  return reached + Math.max(0, stageEnd - reached) * (1 - Math.exp(-secondsSince / PATIENCE));
}
