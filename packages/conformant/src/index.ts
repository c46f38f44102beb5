export { askNext } from "./acquisition/ask-next.ts";
export { type AskPlan, type AskPlanOptions, askPlan, type PlannedQuestion } from "./acquisition/ask-plan.ts";
export {
  type AskTreeOptions,
  askTree,
  type QuestionBranch,
  type Questionnaire,
} from "./acquisition/ask-tree.ts";
export type { AskNextOptions, AskOptions, NumberQuestion, Question } from "./acquisition/question.ts";
export { type Classifier, createClassifier, type TrainingReport } from "./additive/classifier.ts";
export { type ClassifierJson, readClassifier } from "./additive/read-classifier.ts";
export {
  type TrainTreeRegressorOptions,
  type TrainTreesOptions,
  trainTreeRegressor,
  trainTrees,
} from "./boosting/train-trees.ts";
export {
  type CalibrateOptions,
  type Calibration,
  calibrate,
  type NumberCalibration,
} from "./calibration/calibrate.ts";
export { loadCalibration, loadNumberCalibration, saveCalibration } from "./calibration/calibration-file.ts";
export {
  type PredictionInterval,
  type PredictionIntervalOptions,
  type PredictionIntervals,
  predictionInterval,
  predictionIntervals,
} from "./calibration/prediction-interval.ts";
export {
  type PredictionSet,
  type PredictionSetOptions,
  type PredictionSets,
  predictionSet,
  predictionSets,
} from "./calibration/prediction-set.ts";
export { type ConformOptions, conform } from "./conform/conform.ts";
export type { ConformSettings } from "./conform/conform-problem.ts";
export type { Atoms, ColumnAtoms } from "./distribution/atoms.ts";
export type { Certificate, ChoiceOfMixture, HeldOutScore } from "./distribution/certificate.ts";
export type {
  Component,
  ComponentPartsInFile,
  Distribution,
  ModelPartsInFile,
} from "./distribution/distribution.ts";
export type { Shift } from "./distribution/shift-missing.ts";
export { shiftMissing } from "./distribution/shift-missing.ts";
export { ConformantError, type ErrorCode, type ErrorDetails } from "./errors.ts";
export type { ExplainOptions } from "./explanation/ask-about.ts";
export type { Contribution, Step } from "./explanation/contributions.ts";
export { type Explanation, explain } from "./explanation/explain.ts";
export type {
  NumberContribution,
  NumberExplanation,
  NumberStep,
} from "./explanation/explain-number.ts";
export { explainInWords } from "./explanation/in-words.ts";
export type { SufficientStatus } from "./explanation/smallest-set.ts";
export type { Gaussian, GaussianColumns } from "./gaussian/gaussian.ts";
export type { GaussianJson } from "./gaussian/gaussian-json.ts";
export type { IndicatorComparison, MissingOption } from "./incomplete-training/compare-indicators.ts";
export {
  type TrainedOnIncomplete,
  type TrainOnIncompleteOptions,
  trainOnIncomplete,
  trainWithGaps,
} from "./incomplete-training/train-on-incomplete.ts";
export {
  createRegressor,
  type LinearRegressor,
  type RegressionReport,
} from "./linear/linear-regressor.ts";
export { type RegressorJson, readRegressor } from "./linear/read-regressor.ts";
export { type TrainRegressorOptions, trainRegressor } from "./linear/train-regressor.ts";
export { type TrainOptions, train } from "./logistic-regression/train.ts";
export type { NormalMixture } from "./math/normal-mixture.ts";
export { type Random, random } from "./math/random.ts";
export type { NumericKind, NumericOption } from "./mixture/candidates.ts";
export { conformMixture, type MixtureOptions } from "./mixture/conform-mixture.ts";
export type { Answering } from "./mixture/masked-rows.ts";
export type { MixtureSettings } from "./mixture/mixture-problem.ts";
export { createModel } from "./model/kinds.ts";
export { loadAnyModel, loadModel, loadRegressionModel } from "./model/load-model.ts";
export {
  type AnyModel,
  isRegression,
  type KnownPredictor,
  type KnownRegressor,
  type Model,
  type RegressionModel,
} from "./model/model.ts";
export type { ModelJson, RegressorInFile } from "./model/model-json.ts";
export { saveModel } from "./model/save-model.ts";
export type { Estimate } from "./predictors/estimate.ts";
export type { NumberLink } from "./predictors/number-link.ts";
export type { ClassResponse, NumberResponse, Response } from "./predictors/predictor.ts";
export { functionRegressor, type RowFunction } from "./predictors/row-function.ts";
export type { Progress, Stage, StopSignal, WatchOptions } from "./progress.ts";
export { classify, regress } from "./questions/classify.ts";
export {
  type Expected,
  type ExpectedPredictionOptions,
  expectedPrediction,
  type Predictor,
} from "./questions/expected-prediction.ts";
export { type Certainty, type HowSureOptions, howSure, type NumberCertainty } from "./questions/how-sure.ts";
export {
  type DiscreteImputation,
  type Imputation,
  impute,
  type NumericImputation,
} from "./questions/impute.ts";
export {
  type NumberPrediction,
  type NumberPredictions,
  type Prediction,
  type Predictions,
  predict,
  predictColumns,
  predictRow,
} from "./questions/predict.ts";
export type { QueryOptions } from "./questions/row-input.ts";
export { type SampleOptions, sample } from "./questions/sample.ts";
export {
  type DecidingTilt,
  type NumberSensitivity,
  type NumberTilt,
  type Sensitivity,
  type SensitivityOptions,
  sensitivity,
  sensitivityInWords,
} from "./questions/sensitivity.ts";
export { logEvidence, type Surprise, type SurpriseOptions, surprise } from "./questions/surprise.ts";
export type { ClassTilt } from "./schema/class-tilt.ts";
export type {
  BinaryColumn,
  BinnedColumn,
  CategoricalColumn,
  Column,
  ColumnKind,
  NumericColumn,
  Schema,
} from "./schema/column.ts";
export type {
  AnyRow,
  ColumnSource,
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
export type { AlsoOption, AlsoOptions } from "./schema/infer-schema.ts";
export { type InferOptions, inferSchema } from "./schema/infer-schema.ts";
export type { ColumnMarginal, DiscreteMarginal, Marginals, NumericMarginal } from "./schema/marginals.ts";
export {
  type NumberShapley,
  type Shapley,
  type ShapleyOptions,
  type ShapleyValue,
  shapley,
} from "./shapley/shapley.ts";
export { readTrees } from "./trees/read-trees.ts";
export type { RegressionTreesJson, TreeJson, TreesJson } from "./trees/tree-builder.ts";
export type { TreeClassifier, TreeEnsemble, TreeRegressor } from "./trees/tree-ensemble.ts";
export type { TreesInFile } from "./trees/trees-in-file.ts";
