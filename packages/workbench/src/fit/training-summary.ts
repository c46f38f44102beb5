import type { IndicatorComparison } from "conformant";
import type { ScoredPenalty } from "./choose-penalty.ts";

/** How a training went, besides what the classifier itself says. */
export interface TrainingSummary {
  /** Rows that trees were trained on, which know nothing of it themselves. */
  readonly rows?: number;
  /** All penalties that were compared. */
  readonly penalties: readonly ScoredPenalty[];
  /** Where the question came up: whether held-out rows are predicted better with weights for missing values. */
  readonly gaps?: IndicatorComparison;
  /** Whether only a sample of the rows was trained on. */
  readonly sampled: boolean;
}
