/**
 * From the texts of a table to a model and its evaluation: what the command and the page have in common. Free of engines, of
 * Node and of the DOM; what is asked of a table goes through `TableSource`.
 *
 * @module
 */

export { type DrawContributionsOptions, drawContributions } from "./charts/draw-contributions.ts";
export { drawLineChart } from "./charts/draw-line-chart.ts";
export { drawQuestionnaire } from "./charts/draw-questionnaire.ts";
export type { ChartLine, ChartPoint, LineChart } from "./charts/line-chart.ts";
export { type Attributes, element, escapeText, linePath, picture, text } from "./charts/svg.ts";
export { mergeSpellings } from "./columns/categories.ts";
export type { ColumnCounts, Counted, NumberCounts, TextCounts, TextScreen } from "./columns/column-counts.ts";
export { NumberTally, TextTally } from "./columns/column-counts.ts";
export type { ColumnDecision } from "./columns/column-decision.ts";
export { type ColumnNote, type NoteKind, noteText } from "./columns/column-notes.ts";
export {
  type AskedKind,
  type ColumnOptions,
  missingTexts,
  type StoredReading,
} from "./columns/column-options.ts";
export type { NamedNote } from "./columns/column-relations.ts";
export { type ColumnSummary, histogramOf, summarizeColumns } from "./columns/column-summary.ts";
export {
  decideNumberStyle,
  evidencePatterns,
  type NumberEvidence,
  numberEvidence,
  usesCommas,
} from "./columns/number-evidence.ts";
export { findNumberStyles } from "./columns/number-styles.ts";
export { type ColumnSurvey, surveyColumns } from "./columns/read-columns.ts";
export {
  type ColumnReview,
  type ReviewedKind,
  reviewTable,
  type TableReview,
} from "./columns/review-table.ts";
export { CLASS_SHARES, createMethods, NATIVE } from "./evaluate/create-methods.ts";
export { chooseRows, type DividedRows, divideRows } from "./evaluate/divide-rows.ts";
export {
  type Evaluation,
  type EvaluationPlan,
  evaluateMethods,
  type MethodResult,
} from "./evaluate/evaluate-methods.ts";
export {
  evaluateNumbers,
  NUMBER_METRICS,
  type NumberEvaluation,
  type NumberMetric,
  readLabeledNumbers,
} from "./evaluate/evaluate-numbers.ts";
export { type EvaluateOptions, type EvaluationResult, evaluateRows } from "./evaluate/evaluate-rows.ts";
export { evaluateSets, type SetsEvaluation } from "./evaluate/evaluate-sets.ts";
export { type Mechanism, maskCells, maskNames } from "./evaluate/mask-cells.ts";
export type { Method } from "./evaluate/method.ts";
export type { Metric, Scores } from "./evaluate/metrics.ts";
export { type LabeledRowsOptions, readLabeledRows } from "./evaluate/read-labeled-rows.ts";
export {
  type CalibrationBin,
  type ColumnEffect,
  type ScoredAnswers,
  scoreAnswers,
  scoreColumns,
} from "./evaluate/score-answers.ts";
export { type TestRows, withoutTrainingRows } from "./evaluate/without-training-rows.ts";
export { type ExportFormat, exportFormats } from "./export/export-formats.ts";
export type { PageFiles } from "./export/link-programs.ts";
export { collectPage, ICON, INDEX, type PageParts, PLACES, packPage } from "./export/pack-page.ts";
export { checkTexts } from "./fit/check-texts.ts";
export { type FitOptions, type FitReport, type FitResult, fitAnyModel, fitModel } from "./fit/fit-model.ts";
export { columnsUsed, matchClassifier } from "./fit/import-classifier.ts";
export type { Task } from "./fit/read-number-label.ts";
export { emptyColumn } from "./fit/read-training-table.ts";
export { type TrainingOptions, USUAL_TRAINING } from "./fit/training-options.ts";
export { recognizeRows } from "./fit/training-rows.ts";
export type { ClassifierFile } from "./import/classifier-file.ts";
export { type ImportedClassifier, isTrees } from "./import/imported-classifier.ts";
export { type CsvFormat, type CsvOptions, detectCsv } from "./memory/csv-format.ts";
export { CsvReader } from "./memory/csv-reader.ts";
export { type CsvMarks, type CsvRecord, readRecords } from "./memory/csv-records.ts";
export { memorySource } from "./memory/memory-source.ts";
export { isWholeHead, readCsvTable } from "./memory/read-csv-table.ts";
export { readJsonTable } from "./memory/read-json-table.ts";
export { type GrowingOptions, requireRoom, TableBuilder } from "./memory/table-builder.ts";
export { cellText, GrowingColumn, type TextColumn, type TextTable } from "./memory/text-table.ts";
export { usePortableMath } from "./portable-math.ts";
export {
  type AddedColumns,
  type AddedRequest,
  type AddedValue,
  addedColumns,
  addedText,
  type SetRequest,
} from "./predict/added-columns.ts";
export { type ColumnAbsence, compareWithTraining, type Drift } from "./predict/compare-with-training.ts";
export { type CellOptions, cellsOfSchema, findColumns, requireFields } from "./predict/find-columns.ts";
export { FORMULA_PATTERNS, guardFormula } from "./predict/guard-formula.ts";
export { GAP, INVALID, UNSEEN } from "./source/cell-codes.ts";
export { cleanText } from "./source/clean-text.ts";
export { count, counted } from "./source/count.ts";
export { duration, percent, residual, roundPercent, short } from "./source/format-number.ts";
export type { CheckpointStore, Host, RowStore } from "./source/host.ts";
export { type LabeledRows, splitLabel } from "./source/labeled-rows.ts";
export { LARGEST, neededValue } from "./source/needed-value.ts";
export {
  type IndicatorColumn,
  isIndicatorColumn,
  positionName,
  positionOf,
  sourceColumnOf,
  withSequences,
} from "./source/positions.ts";
export { listed, quoted, showable } from "./source/quoted.ts";
export type { Remedies } from "./source/remedies.ts";
export type { Reporter } from "./source/reporter.ts";
export { SeededChoice } from "./source/seeded-choice.ts";
export { shuffled } from "./source/shuffled.ts";
export { TableError, type TableErrorCode, type TableErrorDetails } from "./source/table-error.ts";
export type {
  CellField,
  CellReading,
  CellRules,
  CodedRows,
  LabeledCells,
  RowSums,
  SoughtCell,
  SourceWatch,
  SteadySource,
  Storage,
  TableColumn,
  TableSource,
} from "./source/table-source.ts";
export { watchWork } from "./source/watch-work.ts";
export { withoutColumns, withoutLast } from "./source/without-columns.ts";
export { writeList } from "./source/write-list.ts";
export { BINS, type Reliability } from "./verdict/reliability.ts";
