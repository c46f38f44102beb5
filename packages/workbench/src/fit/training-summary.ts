import type { IndicatorComparison } from "conformant";
import type { ModelChoice } from "./choose-model.ts";
import type { ScoredPenalty } from "./choose-penalty.ts";

/** How a training went, besides what the classifier itself says. */
export interface TrainingSummary {
  /** Rows that trees were trained on, which know nothing of it themselves. */
  readonly rows?: number;
  /** All penalties that were compared. */
  readonly penalties: readonly ScoredPenalty[];
  /** How logistic regression and trees compare, or why they were not compared, where it was to be chosen. */
  readonly choice?: ModelChoice;
  /** Where the question came up: whether held-out rows are predicted better where missing values are evidence. */
  readonly gaps?: IndicatorComparison;
  /** Whether only a sample of the rows was trained on. */
  readonly sampled: boolean;
}
