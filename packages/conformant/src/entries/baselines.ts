/**
 * What people do about gaps today, to compare with: imputers of five kinds, reduced models, and one call for all of them.
 *
 * @module
 */

export {
  BASELINE_NAMES,
  type Baseline,
  type BaselineName,
  type BaselineOptions,
  fitBaseline,
} from "../baselines/baseline.ts";
export { classifyImputed } from "../baselines/classify-imputed.ts";
export { imputeRows } from "../baselines/impute-rows.ts";
export {
  type ChainedEquationsImputer,
  type ChainedEquationsOptions,
  fitChainedEquations,
} from "../baselines/imputers/fit-chained-equations.ts";
export { fitConstants, type Statistic } from "../baselines/imputers/fit-constants.ts";
export { type EmImputer, type EmOptions, fitEm } from "../baselines/imputers/fit-em.ts";
export { fitImputer, type ImputerOptions } from "../baselines/imputers/fit-imputer.ts";
export {
  fitNearestNeighbours,
  type NearestNeighboursOptions,
} from "../baselines/imputers/fit-nearest-neighbours.ts";
export type { Imputer, ImputerMethod } from "../baselines/imputers/imputer.ts";
export type { Gaussian } from "../baselines/moments/gaussian.ts";
export { type ReducedModels, type ReducedModelsOptions, reducedModels } from "../baselines/reduced-models.ts";
