import type { AnyModel, Classifier, IndicatorComparison, Model, Schema, Table } from "conformant";
import { addColumns, findCompleteRows } from "conformant/internal";
import type { ColumnOptions } from "../columns/column-options.ts";
import { summarizeColumns } from "../columns/column-summary.ts";
import { type ColumnReading, leaksOf, readColumns } from "../columns/read-columns.ts";
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
import { type Candidate, fitLearned, type Learned } from "./candidate.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
import {
  compareModels,
  compareTried,
  type ModelChoice,
  mayBeBetter,
  tryTrees,
  whyTreesUntried,
} from "./choose-model.ts";
import { describeTrainingRows } from "./describe-training-rows.ts";
import { fitImported } from "./fit-imported.ts";
import { fitRegression } from "./fit-regression.ts";
import { fitTrees } from "./fit-trees.ts";
import { readLabel } from "./read-label.ts";
import { type NumberLabel, readNumberLabel, type Task, taskSentence } from "./read-number-label.ts";
import { readLabeledTable, type TrainingTable } from "./read-training-table.ts";
import { TimeLimit } from "./time-limit.ts";
import { trainClassifier } from "./train-classifier.ts";
import { trainInEngine, trainsInEngine } from "./train-in-engine.ts";
import { START_ROWS, storeForPasses, trainInPasses } from "./train-in-passes.ts";
import type { FitContext, TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** What a model is made of: a label to train on, or an existing classifier. */
export interface FitOptions {
  /** The column to train on; beside a classifier the column with the true classes, from which only the effect of missing values is learned. */
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

/** Rows that parts of a fit used, where they are not all of them. */
export interface Samples {
  /** To which the mixture was fitted. */
  readonly mixtureRows: number;
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
  /** Rows that parts of the fit used, where they are not all of them. */
  readonly samples?: Samples | undefined;
  /** Beside an existing classifier: whether missing values are evidence, where labels could tell. */
  readonly missing?: IndicatorComparison | undefined;
  /** How good the model is on rows it was not fitted on, where that was computed. */
  readonly verdict?: ModelVerdict | undefined;
  /** Why there is no verdict, unless none was asked for. */
  readonly unscored?: string | undefined;
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
  const limit = new TimeLimit(options.training.timeLimit);
  const context = { source, training: options.training, host, limit };
  const { classifier, label } = options;
  try {
    const { reading, ...fitted } = classifier
      ? await fitImported(context, classifier, { ...options, gaps: options.missingTexts })
      : await fitTrained(context, label ?? "", options);
    const { fields: _, ...columns } = reading;
    const { model: plain, labeled, ...report } = fitted;
    const model = withTrainingData(plain, reading);
    const steady = await source.watch?.finish();
    limit.warn(host.reporter);
    const noTime = !report.verdict && options.training.crossValidation && limit.isOver;
    const unscored = noTime ? "the time limit was reached" : report.unscored;
    return {
      model,
      labeled,
      report: { source: source.name, reading: columns, model, ...report, unscored, steady },
    };
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
  extends Pick<
    FitReport,
    | "model"
    | "classCounts"
    | "unlabeled"
    | "training"
    | "missing"
    | "verdict"
    | "unscored"
    | "range"
    | "samples"
  > {
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
    if (task === undefined) host.reporter.warn(taskSentence(label, numbers, source.remedies));
    warnOfUnlabeled(numbers.unlabeled, host.reporter);
    const fitted = await fitRegression(context, label, reading, numbers);
    const rows = reading.rows - numbers.unlabeled;
    return {
      reading,
      range: numbers,
      unlabeled: numbers.unlabeled,
      ...fitted,
      samples: samplesOf(fitted.model, fitted.training, rows),
    };
  }
  const labels = readLabel(source, reading.fields, label, reading.rows, reading.label);
  warnOfUnlabeled(labels.unlabeled, host.reporter);
  const schema = { columns: [...reading.chosen.map(({ column }) => column), labels.column] };
  const checkpoint = readCheckpoint(context);
  const fitAsked = checkpoint?.training ? fitResumed : FITS[training.model];
  const asked = { context, reading, schema, label, checkpoint };
  const { known, model: fitted, outOfFold } = await fitAsked(asked);
  const verdict =
    outOfFold &&
    classificationVerdict({ ...outOfFold, classes: fitted.response.outputs, leaks: leaksOf(reading) });
  const trainingRows =
    known.taught &&
    describeTrainingRows(fitted, known.labeled ?? known.taught.table, reading.rows - labels.unlabeled);
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
    samples: samplesOf(fitted, known.training, reading.rows - labels.unlabeled),
    labeled: known.labeled,
  };
}

function samplesOf(
  { rows: mixtureRows }: Pick<AnyModel, "rows">,
  { sampled }: TrainingSummary,
  rows: number,
): Samples | undefined {
  return sampled || mixtureRows >= rows ? undefined : { mixtureRows };
}

/** A fit to labeled rows. */
interface AskedFit<Cells extends CellReading> {
  readonly context: FitContext<Cells>;
  readonly reading: ColumnReading<Cells>;
  /** The columns to train on and, last, the label. */
  readonly schema: Schema;
  readonly label: string;
  readonly checkpoint: Checkpoint | undefined;
}

/** The fit of each model that can be asked for. */
const FITS = { auto: fitBetter, logistic: fitLogistic, trees: fitBoostedTrees } as const;

async function fitLogistic<Cells extends CellReading>(
  asked: AskedFit<Cells>,
  read?: TrainingTable,
): Promise<Candidate> {
  const { context, reading, checkpoint } = asked;
  return fitLearned(context, reading, await trainLogisticOn(asked, read), checkpoint);
}

async function fitBoostedTrees<Cells extends CellReading>(
  { context, reading, schema, label }: AskedFit<Cells>,
  earlier?: TrainingTable,
): Promise<Candidate> {
  const { source, training, host } = context;
  const read = earlier ?? (await readLabeledTable(source, reading, schema, training, host.reporter));
  checkClasses({ ...read, table: withoutColumns(read.table, reading.also) }, training, host.reporter);
  const fitted = await fitTrees(context, reading, label, read);
  if (read.sampled) warnOfSample(read.table, host.reporter);
  return { ...fitted, model: await fitted.fitDistribution() };
}

/**
 * Fits a logistic regression, or boosted trees where these predict rows better that neither was trained on. A first trial of trees on a part
 * of the rows spares one of the two fits where the other is clearly better.
 */
async function fitBetter<Cells extends CellReading>(asked: AskedFit<Cells>): Promise<Candidate> {
  const { context, reading, schema, label } = asked;
  const { source, training, host, limit } = context;
  const isElsewhere = storeForPasses(context, reading, schema) !== undefined;
  const read = isElsewhere
    ? undefined
    : await readLabeledTable(source, reading, schema, training, host.reporter);
  if (!read || read.sampled) {
    const untried = "they need all rows in memory";
    return withChoice(await fitLogistic(asked, read), { chosen: "logistic", untried });
  }
  const own = withoutColumns(read.table, reading.also);
  const untried = whyTreesUntried(own, training);
  if (untried) return withChoice(await fitLogistic(asked, read), { chosen: "logistic", untried });
  const tried = await limit.attempt(TRYING_TREES, () =>
    tryTrees(own, { ...training, label }, host.reporter, limit),
  );
  if (!tried) return withChoice(await fitLogistic(asked, read), { chosen: "logistic", untried: NO_TIME });
  if (tried.isClear) return withChoice(await fitBoostedTrees(asked, read), tried.first);
  const logistic = await fitLogistic(asked, read);
  const { model, outOfFold } = logistic;
  if (!outOfFold)
    return limit.isOver ? withChoice(logistic, { chosen: "logistic", untried: NO_TIME }) : logistic;
  const first = compareTried(outOfFold, tried);
  if (!mayBeBetter(first, tried)) return withChoice(logistic, { ...first, chosen: "logistic" });
  const { iterations } = tried;
  const trees = await limit.attempt(TRYING_TREES, () =>
    fitTrees(context, reading, label, read, { like: model, iterations }),
  );
  if (!trees?.outOfFold) return withChoice(logistic, { chosen: "logistic", untried: NO_TIME });
  const comparison = compareModels(outOfFold, trees.outOfFold, training.seed);
  return comparison.chosen === "logistic"
    ? withChoice(logistic, comparison)
    : withChoice({ ...trees, model: await trees.fitDistribution() }, comparison);
}

/** What the time limit may cut short, and the reason in a report. */
const [TRYING_TREES, NO_TIME] = ["the comparison with boosted trees", "the time limit was reached"];

/** The candidate that was chosen, with the reason. */
function withChoice(candidate: Candidate, choice: ModelChoice): Candidate {
  const { known } = candidate;
  return { ...candidate, known: { ...known, training: { ...known.training, choice } } };
}

/** Resumes with a classifier that was trained before the fit was interrupted. */
async function fitResumed<Cells extends CellReading>(asked: AskedFit<Cells>): Promise<Candidate> {
  const { context, reading, checkpoint } = asked;
  const { classifier, training } = checkpoint as Checkpoint;
  const predictor = classifier as Classifier;
  // The verdict is of models that are trained as the one on the sample was.
  const again = context.training.crossValidation
    ? await trainLogisticOn(asked, undefined, predictor)
    : undefined;
  const known = { ...again, predictor, training: training as TrainingSummary };
  return fitLearned(context, reading, known, checkpoint);
}

/**
 * Trains a logistic regression: on all rows in memory, or on a sample first and then on all rows in passes or in the engine.
 *
 * @param done the classifier of all rows, where it was trained before
 */
async function trainLogisticOn<Cells extends CellReading>(
  { context, reading, schema, label }: AskedFit<Cells>,
  earlier: TrainingTable | undefined,
  done?: Classifier,
): Promise<Learned> {
  const { source, training: options, host, limit } = context;
  const createStore = storeForPasses(context, reading, schema);
  const atMost = createStore && START_ROWS;
  const read = earlier ?? (await readLabeledTable(source, reading, schema, options, host.reporter, atMost));
  const { table, sampled } = read;
  const own = withoutColumns(table, reading.also);
  checkClasses({ table: own, sampled }, options, host.reporter, createStore !== undefined);
  const { also } = reading;
  const inEngine = sampled && source.remote && source.sums !== undefined && trainsInEngine(schema);
  const isElsewhere = createStore !== undefined || inEngine;
  if (isElsewhere && options.gaps === "informative")
    host.reporter.warn("--missing informative requires all rows in memory; using --missing random");
  const how = isElsewhere ? { ...options, gaps: "random" as const } : options;
  const trained = trainClassifier(table, also, label, how, host, limit);
  const rows = withoutLast(table);
  const taught = { table, trainAgain: trained.trainAgain };
  const mixture = trained.distribution;
  if (createStore) {
    const predictor =
      done ?? addColumns(await trainInPasses(createStore, context, reading, table, trained), also);
    return { predictor, training: trained.training, mixture, taught };
  }
  const { classifier: predictor, training } = trained;
  if (!sampled) return { predictor, training, mixture, taught, rows, labeled: table };
  if (inEngine && source.sums) {
    const inAll =
      done ?? addColumns(await trainInEngine(source.sums, context, reading, own, predictor), also);
    return { predictor: inAll, training, mixture, taught, sample: rows };
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
