/** How good the model is on rows it was not fitted on: out-of-fold predictions of all labeled rows, each with its own missing values. */
export type ModelVerdict = ClassificationVerdict | RegressionVerdict;

export interface ClassificationVerdict {
  readonly task: "classification";
  readonly rows: number;
  readonly folds: number;
  /** Whether the classifier was imported and may have been trained on the rows; only the distribution was then fitted to others. */
  readonly imported?: true | undefined;
  /** Columns that give the label away and were used. */
  readonly leaks?: readonly string[] | undefined;
  readonly accuracy: number;
  readonly accuracyStandardError: number;
  readonly logLoss: number;
  readonly logLossStandardError: number;
  /** Of always answering the most common class. */
  readonly baselineAccuracy: number;
  /** Of answering the class shares for every row. */
  readonly baselineLogLoss: number;
  readonly brier: number;
  /** Whether the log loss is better than that of the class shares by more than chance explains. */
  readonly better: boolean;
  /** Rows of each class (first index) that are predicted to be each class (second index), in the order of the model's classes. */
  readonly confusion: readonly (readonly number[])[];
  /** Predictions grouped by the probability of the predicted class. */
  readonly calibration: readonly {
    readonly from: number;
    readonly to: number;
    readonly rows: number;
    readonly confidence: number;
    readonly accuracy: number;
  }[];
  /** For two classes: the second class against the first, at threshold 0.5. */
  readonly twoClasses?: {
    readonly positive: string;
    readonly auc: number;
    readonly aucStandardError: number;
    readonly threshold: number;
    readonly recall: number;
    readonly precision: number | null;
  };
  /** All of it in one or two sentences. */
  readonly sentence: string;
}

export interface RegressionVerdict {
  readonly task: "regression";
  readonly rows: number;
  readonly folds: number;
  /** Whether the regressor was imported, as for classes. */
  readonly imported?: true | undefined;
  /** Columns that give the label away and were used. */
  readonly leaks?: readonly string[] | undefined;
  readonly rmse: number;
  readonly rmseStandardError: number;
  readonly mae: number;
  readonly r2: number;
  /** Of always answering the mean. */
  readonly baselineRmse: number;
  readonly better: boolean;
  readonly sentence: string;
}
