/**
 * From the texts of a table to a model and what it is worth: what the command and the page have in common. Free of engines, of
 * Node and of the DOM; what is asked of a table goes through `TableSource`.
 *
 * @module
 */

export { type BroughtClassifier, isTrees } from "./bringing/brought-classifier.ts";
export type { ClassifierFile } from "./bringing/classifier-file.ts";
export { type DrawContributionsOptions, drawContributions } from "./charts/draw-contributions.ts";
export { drawLineChart } from "./charts/draw-line-chart.ts";
export { type DrawPanelsOptions, drawPanels, type ExplainedImage } from "./charts/draw-panels.ts";
export { drawQuestionnaire } from "./charts/draw-questionnaire.ts";
export type { ChartLine, ChartPoint, LineChart } from "./charts/line-chart.ts";
export { type Attributes, element, escapeText, linePath } from "./charts/svg.ts";
export type { AskedKind, ColumnOptions } from "./columns/column-options.ts";
export { type GapColumn, isGapColumn } from "./columns/gap-column.ts";
export { mergeSpellings } from "./columns/merge-spellings.ts";
export type { Verdict } from "./columns/verdict.ts";
export type { ColumnCounts, Counted, NumberCounts, TextCounts } from "./counting/column-counts.ts";
export {
  decideNumberStyle,
  evidencePatterns,
  type NumberEvidence,
  numberEvidence,
  usesCommas,
} from "./counting/number-evidence.ts";
export { findNumberStyles } from "./counting/number-styles.ts";
export { NumberTally } from "./counting/number-tally.ts";
export type { TextScreen } from "./counting/text-screen.ts";
export { TextTally } from "./counting/text-tally.ts";
export { TableError, type TableErrorCode, type TableErrorDetails } from "./errors.ts";
export { type Effort, ENOUGH } from "./evaluation/asking/effort.ts";
export {
  type AskingCurve,
  type AskingEvaluation,
  evaluateAsking,
} from "./evaluation/asking/evaluate-asking.ts";
export type { OrderRequest } from "./evaluation/asking/orders.ts";
export { chooseRows, type DividedRows, divideRows } from "./evaluation/divide-rows.ts";
export {
  type Evaluation,
  type EvaluationPlan,
  evaluateMethods,
  type MethodResult,
} from "./evaluation/evaluate-methods.ts";
export { evaluateSets, type SetsEvaluation } from "./evaluation/evaluate-sets.ts";
export { hideCells, type Mechanism } from "./evaluation/hide-cells.ts";
export {
  type CalibrationBin,
  type ColumnWorth,
  type JudgedAnswers,
  judgeAnswers,
  judgeColumns,
} from "./evaluation/judge-answers.ts";
export type { Method } from "./evaluation/method.ts";
export { createMethods, NATIVE } from "./evaluation/methods.ts";
export { METRICS, type Metric, type Scores } from "./evaluation/metrics.ts";
export { BINS, type Reliability } from "./evaluation/reliability.ts";
export { type ExportFormat, exportFormats } from "./exporting/export-formats.ts";
export { type CsvFormat, type CsvOptions, detectCsv } from "./files/csv-format.ts";
export { CsvReader } from "./files/csv-reader.ts";
export { type CsvMarks, type CsvRecord, readRecords } from "./files/csv-records.ts";
export {
  type Brought,
  bringClassifier,
  certifyTexts,
  columnsUsed,
  matchClassifier,
} from "./fitting/bring-classifier.ts";
export { checkTexts, type TextCheck } from "./fitting/check-texts.ts";
export { type BroughtRequest, fitBrought } from "./fitting/fit-brought.ts";
export {
  type DistributionRequest,
  fitDistribution,
  fitMixtureOfRows,
  mixtureSettings,
} from "./fitting/fit-distribution.ts";
export { type FittedTable, fitTable, type TableRequest } from "./fitting/fit-table.ts";
export {
  type ColumnReading,
  type ColumnSurvey,
  readColumns,
  requireRows,
  surveyColumns,
} from "./fitting/read-columns.ts";
export { readLabel } from "./fitting/read-label.ts";
export { FORMULA_PATTERNS, guardFormula } from "./formats/guard-formula.ts";
export { memorySource } from "./memory/memory-source.ts";
export { isWholeHead, readCsvTable } from "./memory/read-csv-table.ts";
export { readJsonTable } from "./memory/read-json-table.ts";
export { type GrowingOptions, requireRoom, TableBuilder } from "./memory/table-builder.ts";
export { cellText, GrowingColumn, type TextColumn, type TextTable } from "./memory/text-table.ts";
export type { PageFiles } from "./packing/link-programs.ts";
export { collectPage, ICON, INDEX, type PageParts, PLACES, packPage } from "./packing/pack-page.ts";
export { usePortableMath } from "./portable-math.ts";
export type { Reporter } from "./reporter.ts";
export { type LabelledRows, splitLabel } from "./rows/labelled-rows.ts";
export { SeededChoice } from "./rows/seeded-choice.ts";
export { shuffled } from "./rows/shuffled.ts";
export { withoutColumns, withoutLast } from "./rows/without-columns.ts";
export { GAP, INVALID, UNSEEN } from "./source/cell-codes.ts";
export { cleanText } from "./source/clean-text.ts";
export { LARGEST, neededValue } from "./source/needed-value.ts";
export { positionName, positionOf, sourceColumnOf, withSequences } from "./source/positions.ts";
export type { Remedies } from "./source/remedies.ts";
export type {
  CellField,
  CellReading,
  CellRules,
  CodedRows,
  SoughtCell,
  Storage,
  TableColumn,
  TableSource,
} from "./source/table-source.ts";
export {
  type Answers,
  type Candidate,
  type CrossValidation,
  crossValidate,
} from "./training/cross-validate.ts";
export { emptyColumn } from "./training/empty-column.ts";
export { type TrainedTrees, trainBoostedTrees } from "./training/train-boosted-trees.ts";
export { type Trained, trainClassifier } from "./training/train-classifier.ts";
export { trainingAccuracy } from "./training/training-accuracy.ts";
export { type TrainingOptions, USUAL_TRAINING } from "./training/training-options.ts";
export type { TrainingSummary } from "./training/training-summary.ts";
export { watchWork } from "./watch-work.ts";
export { count, counted } from "./words/count.ts";
export { listed, quoted, showable } from "./words/quoted.ts";
export { writeList } from "./words/write-list.ts";
