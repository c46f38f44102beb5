/**
 * Training and fitting where the rows are not here: a server, a stream or many processes hand in sums, and the steps are sent to them.
 *
 * @module
 */

export { judgeTrial } from "../answers/judge-trial.ts";
export { lossSums } from "../classifier/training/loss-sums.ts";
export {
  type LossAnswer,
  type LossSums,
  type RemoteTraining,
  trainRemote,
} from "../classifier/training/train-remote.ts";
export type { BlockFrame } from "../conform/block/block-frame.ts";
export type { Judgement, JudgeTask, JudgeTrials, Trial, Trials } from "../conform/choosing/judge.ts";
export type { EmResult } from "../conform/mixture/em/em.ts";
export type { Expectation } from "../conform/mixture/em/expectation.ts";
export type { FittedRows } from "../conform/mixture/fit-rows.ts";
export type { MixtureProblem } from "../conform/mixture/mixture-problem.ts";
export {
  type Answer,
  conformRemote,
  type MixtureStart,
  type StartOptions,
  startMixture,
} from "../conform/remote/conform-remote.ts";
export type { BlockMoments } from "../gaussian/moments.ts";
export { marginalsFromCounts, type ValueCounts } from "../marginals/marginals-from-counts.ts";
export { mergeMarginals } from "../marginals/merge-marginals.ts";
export { LOG_IMPOSSIBLE } from "../math/exponential/log-impossible.ts";
export { slotOffsets } from "../schema/column.ts";
export type { WeightedRows } from "../schema/rows/weighted-rows.ts";
