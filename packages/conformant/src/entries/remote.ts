export type { Tilts } from "../conform/conform-problem.ts";
export {
  type CountOptions,
  countMarginals,
  marginalsFromCounts,
  type ValueCounts,
} from "../conform/count-marginals.ts";
export { mergeMarginals } from "../conform/merge-marginals.ts";
export type { GaussianFrame } from "../gaussian/frame.ts";
export type { GaussianMoments } from "../gaussian/moments.ts";
export { lossSums } from "../logistic-regression/loss-sums.ts";
export {
  type LossAnswer,
  type LossSums,
  type RemoteTraining,
  trainRemote,
} from "../logistic-regression/train-remote.ts";
export { LOG_IMPOSSIBLE } from "../math/softmax.ts";
export type { Chunk, Chunks, ChunksOptions } from "../mixture/conform-chunks.ts";
export { conformChunks } from "../mixture/conform-chunks.ts";
export {
  type Answer,
  conformRemote,
  type MixtureStart,
  type StartOptions,
  startMixture,
} from "../mixture/conform-remote.ts";
export type { Expectation } from "../mixture/e-step.ts";
export { classTilt } from "../model/kinds.ts";
export { slotOffsets } from "../schema/column.ts";

/**
 * Training and fitting where the rows are not here: a server, a stream or many processes hand in sums, and the steps are sent to them.
 *
 * @module
 */
