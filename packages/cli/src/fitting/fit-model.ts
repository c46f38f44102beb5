import type { Classifier, Model, Schema, Table } from "conformant";
import { addColumns, findCompleteRows } from "conformant/internal";
import {
  type ClassifierFile,
  certifyTexts,
  columnsUsed,
  counted,
  importClassifier,
  readColumns,
  readLabel,
  type Trained,
  type TrainingSummary,
  trainBoostedTrees,
  trainClassifier,
  withoutColumns,
  withoutLast,
} from "conformant-workbench";
import { requireBeside, requireColumn, requireNamed } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import { engineTable } from "../sources/engine-table.ts";
import { withMarks } from "../sources/schema-fields.ts";
import { checkClasses } from "./check-classes.ts";
import { type Checkpoint, checkCheckpoint, readCheckpoint } from "./checkpoint.ts";
import type { EngineReading } from "./engine-reading.ts";
import type { FitReport } from "./fit-report.ts";
import type { FitRequest } from "./fit-request.ts";
import { fitSource, type Known } from "./fit-source.ts";
import { readTrainingTable } from "./read-training-table.ts";
import { trainInEngine, trainsInEngine } from "./train-in-engine.ts";
import { START_ROWS, trainInPasses, trainsInPasses } from "./train-in-passes.ts";

export interface Fitted {
  readonly model: Model;
  readonly report: FitReport;
}

/** Trains on the rows, then learns the distribution of all of them. */
export async function fitByTraining(request: FitRequest, label: string): Promise<Fitted> {
  const { connector, columns, options, gaps, messages } = request;
  requireColumn(connector, "--label", label);
  requireNamed(connector, columns, label);
  const source = engineTable(connector);
  const reading = await readColumns(source, label, { columns, gaps, bins: options.bins }, messages);
  const labels = await readLabel(source, reading.fields, label, reading.rows, reading.label);
  const schema = { columns: [...reading.chosen.map(({ column }) => column), labels.column] };
  if (options.model === "trees") return fitTrees(request, reading, schema, labels.counts);
  const checkpoint = findCheckpoint(request);
  const known = checkpoint?.training ? resumed(checkpoint) : await train(request, reading, schema, label);
  const { classifier, training } = known;
  const fields = withMarks(connector, reading.fields, classifier.schema.columns);
  const model = await fitSource(request, classifier, { ...reading, fields }, known);
  const report = { source: connector.name, reading, classCounts: labels.counts, model };
  return { model, report: { ...report, training } };
}

/** Trains trees on the rows, then learns the distribution of all of them, which knows nothing of the classes. */
async function fitTrees(
  request: FitRequest,
  reading: EngineReading,
  schema: Schema,
  classCounts: readonly number[],
): Promise<Fitted> {
  const { options, messages } = request;
  const { table, sampled } = await readTrainingTable(request, reading, schema);
  const label = schema.columns[schema.columns.length - 1].name;
  const own = withoutColumns(table, reading.also);
  checkClasses({ table: own, sampled }, { ...options, inPasses: false }, messages);
  const { trees: trained, training } = trainBoostedTrees(own, label, options, messages);
  const trees = addColumns(trained, reading.also);
  if (sampled) warnOfSample(table, messages);
  const rows = withoutLast(table);
  const known = { ...(sampled ? { sample: rows } : { rows }), checkpoint: findCheckpoint(request) };
  const model = await fitSource(request, trees, reading, known);
  const report = { source: request.connector.name, reading, classCounts, model };
  return { model, report: { ...report, training: { ...training, sampled } } };
}

/** A classifier, and what its training leaves in memory. */
type Learned = Known & { readonly classifier: Classifier; readonly training: TrainingSummary };

async function train(
  request: FitRequest,
  reading: EngineReading,
  schema: Schema,
  label: string,
): Promise<Learned> {
  const { options, messages } = request;
  const inPasses = options.sample === undefined && trainsInPasses(request, reading, schema);
  const { table, sampled } = await readTrainingTable(
    request,
    reading,
    schema,
    inPasses ? START_ROWS : undefined,
  );
  const own = withoutColumns(table, reading.also);
  checkClasses({ table: own, sampled }, { ...options, inPasses }, messages);
  const trained = trainClassifier(table, reading.also, label, options, messages);
  // Those of the table, and marks of gaps where they tell something.
  const also = trained.classifier.schema.columns.slice(own.columns.length - 1);
  const rows = withoutLast(table);
  const mixture = trained.distribution;
  if (inPasses) {
    const classifier = await trainInPasses(request, reading, table, trained);
    return { classifier: addColumns(classifier, also), training: onSample(trained, own), mixture };
  }
  if (!sampled) return { ...trained, mixture, rows };
  if (trainsInEngine(request, schema)) {
    const classifier = await trainInEngine(request, reading, own, trained.classifier);
    const training = onSample(trained, own);
    return { classifier: addColumns(classifier, also), training, mixture, sample: rows };
  }
  warnOfSample(table, messages);
  return { ...trained, training: { ...trained.training, sampled }, mixture, sample: rows };
}

function warnOfSample({ rows }: Table, messages: Messages): void {
  const sample = counted(rows, "row");
  messages.warn(
    `trained on a sample of ${sample}, what fits in memory; the distribution is learned from all`,
  );
}

/** How the training went, as the sample tells. */
function onSample({ training }: Trained, sample: Table): TrainingSummary {
  return { ...training, accuracyRows: findCompleteRows(sample).length };
}

/** Goes on from a classifier that was trained before the fit was broken off. */
function resumed(checkpoint: Checkpoint): Learned {
  const { classifier, training } = checkpoint;
  return { classifier: classifier as Classifier, training: training as TrainingSummary, checkpoint };
}

function findCheckpoint({ options, identity }: FitRequest): Checkpoint | undefined {
  const { resume, checkpoint: path } = options;
  const checkpoint = resume && path !== undefined ? readCheckpoint(path) : undefined;
  if (checkpoint) checkCheckpoint(path ?? "", checkpoint, identity());
  return checkpoint;
}

/** Takes a classifier that was trained elsewhere and learns the distribution of the rows. */
export async function fitImported(request: FitRequest, file: ClassifierFile): Promise<Fitted> {
  const { connector, columns, options, gaps, messages } = request;
  const source = engineTable(connector);
  const own = file.on(source.columns);
  requireBeside(connector, columns, columnsUsed(source, file.path, own, columns), own.json.label);
  const brought = await importClassifier(source, file, { columns, gaps, bins: options.bins }, messages);
  const { reading } = brought;
  const classifier = addColumns(brought.classifier, reading.also);
  const model = await fitSource(request, classifier, reading, { checkpoint: findCheckpoint(request) });
  const checked = certifyTexts(model, brought.texts);
  return { model: checked, report: { source: connector.name, reading, model: checked } };
}
