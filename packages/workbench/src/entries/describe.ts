/**
 * A model described, as data and as tables of texts.
 *
 * @module
 */

export { choiceSentence, choiceTable, numbersOf } from "../describe/choice-table.ts";
export {
  type ColumnDescription,
  describeModel,
  describeRegression,
  type ModelDescription,
  type RegressionDescription,
} from "../describe/describe-model.ts";
export { type FitSummary, fitReportJson, summarizeFit } from "../describe/fit-report.ts";
export { missingEffectTable, signed } from "../describe/missing-effect-table.ts";
export {
  type ClassificationVerdict,
  type ColumnSummary,
  type ModelMetadata,
  type ModelVerdict,
  metadataOf,
  type RegressionVerdict,
  type StoredReading,
  type TrainingRows,
} from "../describe/model-metadata.ts";
export { regressionSentence } from "../verdict/verdict-sentence.ts";
export { describeVerdict, type VerdictTexts } from "../verdict/verdict-text.ts";
