import { type Classifier, conform, type Model, type Table, train } from "conformant";
import type { Messages } from "../arguments/command.ts";
import { type ColumnOptions, requireColumn } from "../columns/column-options.ts";
import type { Connector } from "../sources/connector.ts";
import { counted } from "../terminal/numbers.ts";
import { bringClassifier } from "./bring-classifier.ts";
import { crossValidate, PENALTIES } from "./cross-validate.ts";
import type { FitOptions } from "./fit-options.ts";
import { type FitReport, trainingAccuracy } from "./fit-report.ts";
import { type ColumnReading, marginalsOf, readColumns } from "./read-columns.ts";
import { readLabel } from "./read-label.ts";
import { readTrainingTable } from "./read-training-table.ts";

/** What a fit starts from. */
export interface FitRequest {
  readonly connector: Connector;
  readonly columns: ColumnOptions;
  readonly options: FitOptions;
  readonly gaps: readonly string[];
  readonly messages: Messages;
}

export interface Fitted {
  readonly model: Model;
  readonly report: FitReport;
}

/** Trains on the rows, then learns the distribution from the counts of all of them. */
export async function fitByTraining(request: FitRequest, label: string): Promise<Fitted> {
  const { connector, columns, options, gaps, messages } = request;
  requireColumn(connector, "--label", label);
  const reading = await readColumns(connector, columns, label, gaps, options.bins, messages);
  const labels = await readLabel(connector, reading.fields, label, reading.rows, reading.label);
  const schema = { columns: [...reading.chosen.map(({ column }) => column), labels.column] };
  const rows = await readTrainingTable(
    connector,
    reading.fields,
    schema,
    reading.rows,
    options.seed,
    messages,
  );
  if (rows.sampled) {
    const sample = counted(rows.table.rows, "row");
    messages.warn(
      `trained on a sample of ${sample}, what fits in memory; the distribution is learned from all`,
    );
  }
  const { classifier, training } = trainClassifier(rows.table, label, options, messages);
  const model = fitDistribution(classifier, reading, options);
  const report = { source: connector.name, reading, classCounts: labels.counts, model };
  return { model, report: { ...report, training: { ...training, sampled: rows.sampled } } };
}

/** Takes a classifier that was trained elsewhere and learns the distribution from the counts. */
export async function fitBrought(request: FitRequest, file: string): Promise<Fitted> {
  const { connector, columns, options, gaps, messages } = request;
  const { classifier, reading } = await bringClassifier(
    connector,
    file,
    columns,
    gaps,
    options.bins,
    messages,
  );
  const model = fitDistribution(classifier, reading, options);
  return { model, report: { source: connector.name, reading, model } };
}

/** Trains with the given penalty, or with the one that does best on rows not trained on. */
function trainClassifier(
  table: Table,
  label: string,
  { l2, seed }: FitOptions,
  messages: Messages,
): { classifier: Classifier; training: Omit<NonNullable<FitReport["training"]>, "sampled"> } {
  const penalties = crossValidate(table, l2 === "auto" ? PENALTIES : [l2], seed, messages) ?? [];
  const validation =
    penalties.length > 0 ? penalties.reduce((a, b) => (b.logLoss < a.logLoss ? b : a)) : undefined;
  messages.progress("training");
  const classifier = train(table, { label, l2: validation?.l2 ?? (l2 === "auto" ? 1 : l2) });
  return { classifier, training: { accuracy: trainingAccuracy(classifier, table), validation, penalties } };
}

/** Learns the distribution from the counts per column. Mixtures, which need the rows, will find their place here. */
function fitDistribution(
  classifier: Classifier,
  reading: ColumnReading,
  { pseudocount, seed }: FitOptions,
): Model {
  return conform(classifier, marginalsOf(reading, classifier.schema), { pseudocount, seed });
}
