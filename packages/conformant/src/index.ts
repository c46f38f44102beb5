export { addColumns } from "./answers/add-columns.ts";
export { askNext } from "./answers/ask-next.ts";
export { type AskTreeOptions, askTree } from "./answers/asking/ask-tree.ts";
export { conform } from "./answers/conform.ts";
export { conformChunks } from "./answers/conform-chunks.ts";
export { conformMixture } from "./answers/conform-mixture.ts";
export { explain } from "./answers/explain.ts";
export { howSure } from "./answers/how-sure.ts";
export { predict, predictColumns } from "./answers/predict.ts";
export { type CalibrateOptions, type Calibration, calibrate } from "./answers/sets/calibration.ts";
export { loadCalibration, saveCalibration } from "./answers/sets/calibration-file.ts";
export {
  type PredictionSet,
  type PredictionSetOptions,
  type PredictionSets,
  predictionSet,
  predictionSets,
} from "./answers/sets/prediction-set.ts";
export { type Shapley, type ShapleyOptions, type ShapleyValue, shapley } from "./answers/shapley/shapley.ts";
export {
  type DecidingTilt,
  type Sensitivity,
  type SensitivityOptions,
  sensitivity,
} from "./answers/shifts/sensitivity.ts";
export { sensitivityInWords } from "./answers/shifts/sensitivity-in-words.ts";
export { shiftMissing } from "./answers/shifts/shift-missing.ts";
export type { Shift } from "./answers/shifts/tilts.ts";
export { type Classifier, createClassifier, type TrainingReport } from "./classifier/classifier.ts";
export { classify } from "./classifier/classify.ts";
export { classifyRows } from "./classifier/classify-rows.ts";
export { type ClassifierJson, readClassifier } from "./classifier/read-classifier.ts";
export { type TrainOptions, train } from "./classifier/training/train.ts";
export type { Answering } from "./conform/choosing/answering.ts";
export type { MixtureOptions } from "./conform/choosing/mixture-options.ts";
export { type MixtureShape, mixtureShape } from "./conform/choosing/mixture-shape.ts";
export type { NumericKind, NumericOption } from "./conform/choosing/numeric-blocks.ts";
export type { MixtureSettings } from "./conform/mixture/mixture-settings.ts";
export type { ConformOptions } from "./conform/naive/conform.ts";
export type { ConformSettings } from "./conform/naive/settings.ts";
export type { Chunk, Chunks, ChunksOptions } from "./conform/remote/conform-chunks.ts";
export { ConformantError, type ErrorCode, type ErrorDetails } from "./errors.ts";
export type { Block } from "./gaussian/block.ts";
export type { GaussianFactor } from "./gaussian/gaussian-factor.ts";
export { type TrainTreesOptions, trainTrees } from "./growing/train-trees.ts";
export { completeTable } from "./learning/complete-table.ts";
export type { GapsJudgement, GapsOption } from "./learning/judge-gaps.ts";
export {
  type TrainedWithGaps,
  type TrainWithGapsOptions,
  trainWithGaps,
} from "./learning/train-with-gaps.ts";
export { type CountOptions, countMarginals } from "./marginals/count-marginals.ts";
export type { ColumnMarginal, DiscreteMarginal, Marginals, NumericMarginal } from "./marginals/marginals.ts";
export { type Random, random } from "./math/random.ts";
export type { Atoms, ColumnAtoms } from "./model/atoms.ts";
export type { Certificate, ChoiceOfMixture, HeldOutScore } from "./model/certificate.ts";
export type { GaussianJson } from "./model/gaussian-json.ts";
export { loadModel } from "./model/load-model.ts";
export type { Component, Model } from "./model/model.ts";
export { MODEL_VERSION, type ModelJson } from "./model/model-json.ts";
export { saveModel } from "./model/save-model.ts";
export type { TreesInFile } from "./model/trees-in-file.ts";
export type { AskNextOptions, AskOptions, Question } from "./queries/asking/ask-next.ts";
export {
  type AskPlan,
  type AskPlanOptions,
  askPlan,
  type PlannedQuestion,
} from "./queries/asking/ask-plan.ts";
export { branchInWords, type QuestionBranch, type Questionnaire } from "./queries/asking/questionnaire.ts";
export type { Certainty } from "./queries/certainty/how-sure.ts";
export type { HowSureOptions } from "./queries/certainty/how-sure-options.ts";
export { type Surprise, type SurpriseOptions, surprise } from "./queries/certainty/surprise.ts";
export { mixtureBetween, type NormalMixture } from "./queries/completion/normals/normal-mixture.ts";
export type { Contribution, Step } from "./queries/explanation/contributions.ts";
export { type DecisionSummary, decisionInWords } from "./queries/explanation/decision-in-words.ts";
export type { Explanation } from "./queries/explanation/explain.ts";
export { explainInWords } from "./queries/explanation/explain-in-words.ts";
export type { ExplainOptions } from "./queries/explanation/explain-options.ts";
export { type KeepsDecisionOptions, keepsDecision } from "./queries/explanation/keeps-decision.ts";
export type { SufficientStatus } from "./queries/explanation/search/sufficient-set.ts";
export { topByWeight } from "./queries/explanation/top-by-weight.ts";
export {
  type DiscreteImputation,
  type Imputation,
  impute,
  type NumericImputation,
} from "./queries/filling/impute.ts";
export { type SampleOptions, sample } from "./queries/filling/sample.ts";
export { usualRange } from "./queries/filling/usual-range.ts";
export {
  type Expected,
  type ExpectedPredictionOptions,
  expectedPrediction,
  type Predictor,
} from "./queries/prediction/expected-prediction.ts";
export { logEvidence, logJoint } from "./queries/prediction/log-evidence.ts";
export type { Predictions } from "./queries/prediction/predict.ts";
export { type Decision, decide, TIE } from "./queries/terms/decision.ts";
export type { Estimate } from "./queries/terms/estimate.ts";
export type { QueryOptions } from "./queries/terms/query-input.ts";
export type { AlsoOption, AlsoOptions } from "./schema/also-columns.ts";
export {
  type BinaryColumn,
  type BinnedColumn,
  type CategoricalColumn,
  type Column,
  type ColumnKind,
  type NumericColumn,
  type Schema,
  valueCount,
  valueLabels,
} from "./schema/column.ts";
export type {
  Columns,
  Data,
  DictionaryColumn,
  EncodedColumn,
  Row,
  Table,
  UnseenValues,
  Value,
} from "./schema/data.ts";
export { type EncodeOptions, encode } from "./schema/encode.ts";
export { type InferOptions, inferSchema } from "./schema/infer-schema.ts";
export { findCompleteRows } from "./schema/rows/complete-rows.ts";
export { pickRows } from "./schema/rows/pick-rows.ts";
export { readTrees } from "./trees/read-trees.ts";
export type { TreeClassifier } from "./trees/tree-classifier.ts";
export type { TreeJson, TreesJson } from "./trees/trees-json.ts";
export type { Progress, Stage, StopSignal, WatchOptions } from "./watch.ts";
