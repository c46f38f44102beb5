import type { Model } from "conformant";
import { requireColumn } from "../columns/column-options.ts";
import { counted } from "../terminal/numbers.ts";
import { bringClassifier } from "./bring-classifier.ts";
import { fitDistribution } from "./fit-distribution.ts";
import type { FitReport } from "./fit-report.ts";
import type { FitRequest } from "./fit-request.ts";
import { readColumns } from "./read-columns.ts";
import { readLabel } from "./read-label.ts";
import { readTrainingTable } from "./read-training-table.ts";
import { withoutLast } from "./rows-of-table.ts";
import { trainClassifier } from "./train-classifier.ts";

export interface Fitted {
  readonly model: Model;
  readonly report: FitReport;
}

/** Trains on the rows, then learns the distribution of all of them. */
export async function fitByTraining(request: FitRequest, label: string): Promise<Fitted> {
  const { connector, columns, options, gaps, messages } = request;
  requireColumn(connector, "--label", label);
  const reading = await readColumns(connector, columns, label, gaps, options.bins, messages);
  const labels = await readLabel(connector, reading.fields, label, reading.rows, reading.label);
  const schema = { columns: [...reading.chosen.map(({ column }) => column), labels.column] };
  const { table, sampled } = await readTrainingTable(request, reading, schema);
  if (sampled) {
    const sample = counted(table.rows, "row");
    messages.warn(
      `trained on a sample of ${sample}, what fits in memory; the distribution is learned from all`,
    );
  }
  const { classifier, distribution, training } = trainClassifier(table, label, options, messages);
  const rows = sampled ? undefined : withoutLast(table);
  const { model, choice } = await fitDistribution(request, classifier, reading, rows, distribution);
  const report = { source: connector.name, reading, classCounts: labels.counts, model, choice };
  return { model, report: { ...report, training: { ...training, sampled } } };
}

/** Takes a classifier that was trained elsewhere and learns the distribution of the rows. */
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
  const { model, choice } = await fitDistribution(request, classifier, reading);
  return { model, report: { source: connector.name, reading, model, choice } };
}
