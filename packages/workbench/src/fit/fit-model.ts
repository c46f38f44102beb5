import type { AnyModel, Classifier, KnownPredictor, Model, Schema, Table } from "conformant";
import { addColumns, findCompleteRows, pickRows } from "conformant/internal";
import type { ColumnOptions } from "../columns/column-options.ts";
import { summarizeColumns } from "../columns/column-summary.ts";
import { type ColumnReading, readColumns } from "../columns/read-columns.ts";
import type { ClassifierFile } from "../import/classifier-file.ts";
import { counted } from "../source/count.ts";
import type { Host } from "../source/host.ts";
import { listed, quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, SteadySource, TableSource } from "../source/table-source.ts";
import { withoutColumns, withoutLast } from "../source/without-columns.ts";
import { classificationVerdict } from "../verdict/classification-verdict.ts";
import type { ModelVerdict } from "../verdict/model-verdict.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
import { columnsWithin, fitAgainAs, type TrainAgain } from "./fit-again.ts";
import { fitDistribution, type Known } from "./fit-distribution.ts";
import { fitRegression } from "./fit-regression.ts";
import { certifyTexts, importClassifier } from "./import-classifier.ts";
import { predictOutOfFold } from "./out-of-fold.ts";
import { readLabel } from "./read-label.ts";
import { type NumberLabel, readNumberLabel, type Task, taskSentence } from "./read-number-label.ts";
import { readLabeledTable, readTrainingTable, type TrainingTable } from "./read-training-table.ts";
import { trainBoostedTrees } from "./train-boosted-trees.ts";
import { trainClassifier } from "./train-classifier.ts";
import { trainInEngine, trainsInEngine } from "./train-in-engine.ts";
import { START_ROWS, storeForPasses, trainInPasses } from "./train-in-passes.ts";
import type { FitContext, TrainingOptions } from "./training-options.ts";
import { describeTrainingRows } from "./training-rows.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** What a model is made of: a label to train on, or an existing classifier. */
export interface FitOptions {
  /** The column to train on; beside a classifier the column with the true classes, which nothing is learned from. */
  readonly label?: string | undefined;
  /** An existing classifier; without it one is trained. */
  readonly classifier?: ClassifierFile | undefined;
  readonly columns: ColumnOptions;
  /** Texts that stand for a missing value. */
  readonly missingTexts: readonly string[];
  readonly training: TrainingOptions;
  /** What to predict; undefined where the values of the label decide. */
  readonly task?: Task | undefined;
}

/** What a person wants to know after a fit. */
export interface FitReport<M extends AnyModel = AnyModel> {
  /** The name of the source. */
  readonly source: string;
  readonly reading: Omit<ColumnReading, "fields">;
  readonly model: M;
  /** Of a number: the range of the label. */
  readonly range?: Pick<NumberLabel<CellReading>, "least" | "most" | "different"> | undefined;
  /** Rows per class, where there are labels. */
  readonly classCounts?: readonly number[] | undefined;
  /** Rows without a label, which were skipped. */
  readonly unlabeled?: number | undefined;
  /** How the predictor was trained, unless it was imported. */
  readonly training?: TrainingSummary | undefined;
  /** How good the model is on rows it was not fitted on, where that was computed. */
  readonly verdict?: ModelVerdict | undefined;
  /** Why all passes over the source saw the same rows; undefined for a source of this machine. */
  readonly steady?: SteadySource | undefined;
}

export interface FitResult<M extends AnyModel = Model> {
  readonly model: M;
  readonly report: FitReport<M>;
  /** The rows whose class is known, in the model's columns and, last, the label; undefined where they are not all in memory. */
  readonly labeled: Table | undefined;
}

/** Makes a model of classes from a table, as {@link fitAnyModel} does. */
export async function fitModel<Cells extends CellReading>(
  source: TableSource<Cells>,
  options: FitOptions,
  host: Host,
): Promise<FitResult> {
  return (await fitAnyModel(source, { ...options, task: "classification" }, host)) as FitResult;
}

/**
 * Makes a model from a table, wherever its rows are: kinds of columns, training or an existing classifier, and distribution. It predicts a
 * number where the task or the values of the label say so.
 */
export async function fitAnyModel<Cells extends CellReading>(
  source: TableSource<Cells>,
  options: FitOptions,
  host: Host,
): Promise<FitResult<AnyModel>> {
  const context = { source, training: options.training, host };
  const { classifier, label } = options;
  try {
    const { reading, ...fitted } = classifier
      ? await fitImported(context, classifier, options)
      : await fitTrained(context, label ?? "", options);
    const { fields: _, ...columns } = reading;
    const { model: plain, labeled, ...report } = fitted;
    const model = withTrainingData(plain, reading);
    const steady = await source.watch?.finish();
    return { model, labeled, report: { source: source.name, reading: columns, model, ...report, steady } };
  } catch (thrown) {
    await source.watch?.afterFailure(thrown);
    throw thrown;
  }
}

/** A model that carries how its data was read and a summary of it. */
function withTrainingData<M extends AnyModel>(model: M, { stored, chosen, rows }: ColumnReading): M {
  const columns = summarizeColumns(model.schema.columns, chosen, rows);
  const reading = Object.keys(stored).length === 0 ? {} : { reading: stored };
  return { ...model, metadata: { ...model.metadata, ...reading, columns } };
}

/** A model, and what its report is made of. */
interface Fitted<Cells extends CellReading>
  extends Pick<FitReport, "model" | "classCounts" | "unlabeled" | "training" | "verdict" | "range"> {
  readonly reading: ColumnReading<Cells>;
  readonly labeled: Table | undefined;
}

/** Trains on the rows, then fits the distribution of all of them. */
async function fitTrained<Cells extends CellReading>(
  context: FitContext<Cells>,
  label: string,
  { columns, missingTexts: gaps, task }: FitOptions,
): Promise<Fitted<Cells>> {
  const { source, training, host } = context;
  const rules = { columns, gaps, bins: training.bins };
  const reading = await readColumns(source, label, rules, host.reporter);
  const numbers = await readNumberLabel(source, label, task, reading, rules);
  if (numbers) {
    if (task === undefined) host.reporter.warn(taskSentence(label, numbers));
    warnOfUnlabeled(numbers.unlabeled, host.reporter);
    return {
      reading,
      range: numbers,
      unlabeled: numbers.unlabeled,
      ...(await fitRegression(context, label, reading, numbers)),
    };
  }
  const labels = readLabel(source, reading.fields, label, reading.rows, reading.label);
  warnOfUnlabeled(labels.unlabeled, host.reporter);
  const schema = { columns: [...reading.chosen.map(({ column }) => column), labels.column] };
  const checkpoint = readCheckpoint(context);
  const train = training.model === "trees" ? trainTreesOn : trainLogisticOn;
  const known = checkpoint?.training ? resumed(checkpoint) : await train(context, reading, schema, label);
  const fitted = await fitDistribution(context, known.predictor, reading, { ...known, checkpoint });
  const verdict = training.crossValidation ? await verdictOf(context, fitted, known) : undefined;
  const trainingRows =
    known.taught && describeTrainingRows(fitted, known.taught.table, reading.rows - labels.unlabeled);
  const metadata = {
    ...fitted.metadata,
    ...(verdict && { verdict }),
    ...(trainingRows && { trainingRows }),
  };
  const model = { ...fitted, metadata };
  return {
    model,
    reading,
    classCounts: labels.counts,
    unlabeled: labels.unlabeled,
    training: known.training,
    verdict,
    labeled: known.labeled,
  };
}

/** Scores rows by models of other rows. */
async function verdictOf<Cells extends CellReading>(
  { training, host }: FitContext<Cells>,
  model: Model,
  { taught }: Learned,
): Promise<ModelVerdict | undefined> {
  if (!taught) return undefined;
  const fitAgain = fitAgainAs(model, taught.trainAgain, training, host);
  const predicted = await predictOutOfFold(taught.table, fitAgain, training.seed, host.reporter);
  return predicted && classificationVerdict({ ...predicted, classes: model.response.outputs });
}

/** A predictor, and what its training leaves in memory. */
type Learned = Known & {
  readonly predictor: KnownPredictor;
  readonly training: TrainingSummary;
  /** The rows in memory that were trained on, all or a sample, and how to train on a part of them. */
  readonly taught?: { readonly table: Table; readonly trainAgain: TrainAgain } | undefined;
  /** All rows with their label, where they are in memory. */
  readonly labeled?: Table | undefined;
};

/** Resumes with a classifier that was trained before the fit was interrupted. */
function resumed({ classifier, training }: Checkpoint): Learned {
  return { predictor: classifier as Classifier, training: training as TrainingSummary };
}

/** Trains trees on the rows in memory. */
async function trainTreesOn<Cells extends CellReading>(
  { source, training: options, host }: FitContext<Cells>,
  reading: ColumnReading<Cells>,
  schema: Schema,
  label: string,
): Promise<Learned> {
  const { table, sampled } = await readLabeledTable(source, reading, schema, options, host.reporter);
  const own = withoutColumns(table, reading.also);
  checkClasses({ table: own, sampled }, options, host.reporter);
  const { trees, training, trainAgain } = trainBoostedTrees(own, label, options, host.reporter);
  if (sampled) warnOfSample(table, host.reporter);
  const rows = withoutLast(table);
  return {
    predictor: addColumns(trees, reading.also),
    training: { ...training, sampled },
    taught: {
      table,
      trainAgain: (part, watch) => {
        const { predictor } = trainAgain(withoutColumns(part, reading.also), watch);
        return { predictor: addColumns(predictor, columnsWithin(reading.also, part)) };
      },
    },
    ...(sampled ? { sample: rows } : { rows, labeled: table }),
  };
}

/** Trains a logistic regression: on all rows in memory, or on a sample first and then on all rows in passes or in the engine. */
async function trainLogisticOn<Cells extends CellReading>(
  context: FitContext<Cells>,
  reading: ColumnReading<Cells>,
  schema: Schema,
  label: string,
): Promise<Learned> {
  const { source, training: options, host } = context;
  const createStore = storeForPasses(context, reading, schema);
  const atMost = createStore && START_ROWS;
  const read = await readLabeledTable(source, reading, schema, options, host.reporter, atMost);
  const { table, sampled } = read;
  const own = withoutColumns(table, reading.also);
  checkClasses({ table: own, sampled }, options, host.reporter, createStore !== undefined);
  const { also } = reading;
  const inEngine = sampled && source.remote && source.sums !== undefined && trainsInEngine(schema);
  const isElsewhere = createStore !== undefined || inEngine;
  if (isElsewhere && options.gaps === "informative")
    host.reporter.warn("--missing informative requires all rows in memory; using --missing random");
  const how = isElsewhere ? { ...options, gaps: "random" as const } : options;
  const trained = trainClassifier(table, also, label, how, host);
  const rows = withoutLast(table);
  const taught = { table, trainAgain: trained.trainAgain };
  const mixture = trained.distribution;
  if (createStore) {
    const classifier = await trainInPasses(createStore, context, reading, table, trained);
    return { predictor: addColumns(classifier, also), training: trained.training, mixture, taught };
  }
  const { classifier: predictor, training } = trained;
  if (!sampled) return { predictor, training, mixture, taught, rows, labeled: table };
  if (inEngine && source.sums) {
    const classifier = await trainInEngine(source.sums, context, reading, own, predictor);
    return {
      predictor: addColumns(classifier, also),
      training,
      mixture,
      taught,
      sample: rows,
    };
  }
  warnOfSample(table, host.reporter);
  return { predictor, training: { ...training, sampled }, mixture, taught, sample: rows };
}

function warnOfUnlabeled(rows: number, reporter: Reporter): void {
  if (rows > 0) reporter.warn(`${counted(rows, "row")} without a label skipped`);
}

function warnOfSample({ rows }: Table, reporter: Reporter): void {
  const sample = counted(rows, "row");
  reporter.warn(
    `trained on a sample of ${sample}, what fits in memory; the distribution is learned from all`,
  );
}

/**
 * Throws where the rows to train on are all of one class, though the label has others; names the classes that have none of them.
 *
 * @param table the columns that are learned from and, last, the label
 * @param inPasses whether the other rows follow in passes
 */
function checkClasses(
  { table, sampled }: TrainingTable,
  { trainOn }: TrainingOptions,
  reporter: Reporter,
  inPasses = false,
): void {
  const label = table.schema.columns[table.columns.length - 1];
  if (label.kind !== "categorical") return;
  const codes = table.columns[table.columns.length - 1];
  const rows = trainOn === "complete" ? findCompleteRows(table) : codes.keys();
  const taught = new Set(Array.from(rows, (r) => codes[r]));
  const lost = label.values.filter((_, code) => !taught.has(code));
  if (lost.length === 0 || taught.size === 0) return;
  const where = `label ${quoted(label.name)}`;
  if (taught.size === 1) {
    const [only] = label.values.filter((_, code) => taught.has(code));
    const these = sampled ? `the sample of ${counted(table.rows, "row")}` : "the complete rows";
    const hint = sampled
      ? "--sample ROWS reads more of them"
      : "the other classes have missing values in every row; omit --train-on complete";
    const message = `${where}: expected two or more classes among ${these}, got only ${quoted(only)}`;
    throw new TableError("single-class", message, { hint });
  }
  if (inPasses) return;
  const why = sampled ? "the sample has none of them" : "all of them have missing values";
  reporter.warn(
    `${where}: no row of ${listed(lost, 6)} is trained on, ${why}; what has no row gets next to no probability`,
  );
}

/** Takes an existing classifier or regressor and fits the distribution of the rows. */
async function fitImported<Cells extends CellReading>(
  context: FitContext<Cells>,
  file: ClassifierFile,
  { columns, missingTexts: gaps, label }: FitOptions,
): Promise<Fitted<Cells>> {
  const { source, training, host } = context;
  const rules = { columns, gaps, bins: training.bins };
  const imported = await importClassifier(source, file, rules, host.reporter);
  const { reading } = imported;
  const predictor = addColumns(imported.classifier, reading.also);
  const isClassifier = "classes" in predictor;
  // The rows are needed here only where their class is wanted beside them.
  const read =
    label === undefined || !isClassifier
      ? undefined
      : await readTrainingTable(source, reading, predictor.schema, training, host.reporter);
  const rows = read?.sampled ? undefined : read?.table;
  const known = { rows, sample: rows ? undefined : read?.table, checkpoint: readCheckpoint(context) };
  // What fits a distribution asks the library for the kind of predictor, whatever its answer is.
  const own = (
    isClassifier || label === undefined ? predictor : { ...predictor, output: label, label }
  ) as KnownPredictor;
  const model = (await fitDistribution(context, own, reading, known)) as AnyModel;
  const labeled =
    rows && label !== undefined && isClassifier
      ? await labelRows(context, rows, { label, classes: predictor.classes, gaps })
      : undefined;
  return { model: certifyTexts(model, imported.texts), reading, labeled };
}

/** Classes that are named in a message. */
const EXAMPLES = 4;

/** The rows whose class is known and one of the classifier's, with the label behind the other columns. */
async function labelRows<Cells extends CellReading>(
  { source, training, host: { reporter } }: FitContext<Cells>,
  table: Table,
  { label, classes, gaps }: { label: string; classes: readonly string[]; gaps: readonly string[] },
): Promise<Table | undefined> {
  const column = { name: label, kind: "categorical", values: classes } as const;
  const fields = source.cells([label], { gaps, categories: new Map([[label, classes]]), texts: [label] });
  const reading = { fields, rows: table.rows };
  const schema = { columns: [column] };
  const read = await readTrainingTable(source, reading, schema, { seed: training.seed }, reporter);
  const [labels] = read.table.columns;
  const known = Int32Array.from(labels.keys()).filter((r) => labels[r] >= 0);
  if (known.length === 0) {
    reporter.warn(
      `${quoted(source.name)}, column ${quoted(label)}: none of its values is a class of the classifier, which has ${listed(classes, EXAMPLES)}`,
    );
    return undefined;
  }
  const columns = [...table.columns, labels];
  return pickRows({ ...table, schema: { columns: [...table.schema.columns, column] }, columns }, known);
}
