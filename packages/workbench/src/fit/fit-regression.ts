import {
  conform,
  conformMixture,
  createRegressor,
  type KnownPredictor,
  type KnownRegressor,
  type LinearRegressor,
  predictColumns,
  type RegressionModel,
  random,
  type Schema,
  type Table,
  type TreeRegressor,
  trainRegressor,
  trainTreeRegressor,
  type WatchOptions,
} from "conformant";
import {
  addColumns,
  classifyRows,
  completeRows,
  drawFromModel,
  findCompleteRows,
  mixtureShape,
  pickRows,
  slotCount,
} from "conformant/internal";
import { type ColumnReading, leaksOf } from "../columns/read-columns.ts";
import { counted } from "../source/count.ts";
import { short } from "../source/format-number.ts";
import { splitLabel } from "../source/labeled-rows.ts";
import { quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { sampleRows } from "../source/sample-rows.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading } from "../source/table-source.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutColumns, withoutLast } from "../source/without-columns.ts";
import type { RegressionVerdict } from "../verdict/model-verdict.ts";
import { regressionVerdict } from "../verdict/regression-verdict.ts";
import { meanWithError } from "../verdict/standard-error.ts";
import { hasOneClass } from "./choose-penalty.ts";
import { columnsWithin, shapeWithin } from "./fit-again.ts";
import { fitDistribution } from "./fit-distribution.ts";
import { dealFolds, predictOutOfFold, rowsForTrees } from "./out-of-fold.ts";
import type { NumberLabel } from "./read-number-label.ts";
import { readLabeledTable } from "./read-training-table.ts";
import { rowsToDescribe, type SampleBounds } from "./sample-bounds.ts";
import type { FitContext, TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** A model that predicts a number, and what its report is made of. */
export interface FittedRegression {
  readonly model: RegressionModel;
  readonly training: TrainingSummary;
  readonly verdict: RegressionVerdict | undefined;
  readonly labeled: Table | undefined;
}

/** Trains a regressor on the rows, then fits the distribution of all of them. */
export async function fitRegression<Cells extends CellReading>(
  context: FitContext<Cells>,
  label: string,
  reading: ColumnReading<Cells>,
  numbers: NumberLabel<Cells>,
): Promise<FittedRegression> {
  const { source, host } = context;
  const { also } = reading;
  const schema: Schema = {
    columns: [...reading.chosen.map(({ column }) => column), { name: label, kind: "numeric" }],
  };
  const own = { ...reading, fields: numbers.fields };
  const { table, sampled } = await readLabeledTable(source, own, schema, context.training, host.reporter);
  const training = {
    ...context.training,
    model: chooseModel(withoutColumns(table, also), label, context.training, host.reporter),
  };
  if (training.gaps === "informative")
    host.reporter.warn("--missing informative is for classes; using --missing random");
  const train = (rows: Table, watch: WatchOptions): KnownRegressor =>
    addColumns(
      trainOn(withoutColumns(rows, columnsWithin(also, rows)), label, training, watch),
      columnsWithin(also, rows),
    );
  const taught = training.model === "trees" ? rowsForTrees(table, training) : table;
  const regressor = train(taught, watchWork(host.reporter));
  const trainAgain: typeof train = (rows, watch) =>
    taught !== table && rows.columns.length === table.columns.length ? regressor : train(rows, watch);
  if (sampled)
    host.reporter.warn(
      `trained on a sample of ${counted(table.rows, "row")}, what fits in memory; the distribution is learned from all`,
    );
  const rows = withoutLast(table);
  // What fits a distribution asks the library for the kind of predictor, whatever its answer is.
  const model = (await fitDistribution(
    context,
    regressor as unknown as KnownPredictor,
    { ...reading, fields: numbers.fields },
    sampled ? { sample: rows } : { rows },
  )) as unknown as RegressionModel;
  const verdict = training.crossValidation
    ? await verdictOf(context, model, table, trainAgain, leaksOf(reading))
    : undefined;
  return {
    model: verdict ? { ...model, metadata: { ...model.metadata, verdict } } : model,
    training: { rows: trainedRows(regressor, taught), penalties: [], sampled },
    verdict,
    labeled: sampled ? undefined : table,
  };
}

/** Complete rows that a linear regressor needs at least. */
const FEWEST = 10;

/** Complete rows on which a linear regression and trees are compared: at least and at most. Each fold is held out once. */
const [FEWEST_COMPARED, MOST_COMPARED, FOLDS] = [50, 5000, 5];

/**
 * The model that is asked for. With `auto`, trees where a linear regression has too few complete rows, or where their squared error on
 * held-out complete rows is lower by more than a standard error.
 */
function chooseModel(
  table: Table,
  label: string,
  { model, seed, bounds }: TrainingOptions,
  reporter: Reporter,
): TrainingOptions["model"] {
  if (model !== "auto") return model;
  const complete = findCompleteRows(table);
  if (complete.length < Math.min(FEWEST, table.rows)) return "trees";
  if (complete.length < FEWEST_COMPARED) return "logistic";
  const rows = sampleRows(pickRows(table, complete), MOST_COMPARED, seed);
  const draws = random(seed);
  const fold = rows.groups
    ? dealFolds(rows, { seed, bounds }).fold
    : Array.from({ length: rows.rows }, () => Math.floor(draws.uniform() * FOLDS));
  const errors = { linear: new Float64Array(rows.rows), trees: new Float64Array(rows.rows) };
  for (let f = 0; f < FOLDS; f++) {
    const watch = watchWork(reporter, f, FOLDS, "comparing models");
    const [held, others] = [true, false].map((isHeld) =>
      Int32Array.from(fold.keys()).filter((r) => (fold[r] === f) === isHeld),
    );
    const part = pickRows(rows, others);
    if (held.length === 0 || hasOneClass(part)) return "logistic"; // too little differs
    const linear = trainRegressor(part, { label, ...watch });
    const trees = trainTreeRegressor(part, { label, seed, ...watch });
    const test = pickRows(rows, held);
    const truth = test.columns[test.columns.length - 1];
    const inputs = withoutLast(test);
    for (const [name, regressor] of [
      ["linear", linear],
      ["trees", trees],
    ] as const)
      classifyRows(regressor, inputs).forEach((answer, r) => {
        errors[name][held[r]] = (answer - truth[r]) ** 2;
      });
  }
  const { mean, standardError } = meanWithError(errors.linear.map((error, r) => error - errors.trees[r]));
  const chosen = mean > standardError ? "trees" : "logistic";
  const [linear, trees] = [errors.linear, errors.trees].map((own) =>
    short(Math.sqrt(meanWithError(own).mean)),
  );
  if (chosen === "trees")
    reporter.warn(
      `boosted trees: their error on ${counted(rows.rows, "held-out row")} is lower, ${trees} instead of ${linear} (RMSE)`,
    );
  return chosen;
}

function trainOn(
  table: Table,
  label: string,
  { model, l2, seed, trainOn: which, bounds }: TrainingOptions,
  watch: WatchOptions,
): LinearRegressor | TreeRegressor {
  const how = { label, ...(l2 !== "auto" && { l2 }), ...watch };
  const complete = findCompleteRows(table);
  if (model === "trees") {
    const rows = which === "complete" ? pickRows(table, complete) : table;
    return trainTreeRegressor(rows, { ...how, seed });
  }
  if (which === "complete" && complete.length < Math.min(FEWEST, table.rows))
    throw new TableError(
      "empty-data",
      `--train-on complete needs rows without missing values, and ${complete.length} of ${counted(table.rows, "row")} have none missing`,
      { hint: "--train-on all imputes missing values; --exclude drops a column" },
    );
  if (which === "complete" || complete.length === table.rows) return trainRegressor(table, how);
  const completed = completeJointly(table, label, seed, bounds);
  const regressor = trainRegressor(completed.table, { ...how, weights: completed.weights });
  const training = regressor.training && {
    ...regressor.training,
    rows: table.rows,
    rowsCompleted: completed.rowsCompleted,
  };
  return { ...regressor, ...(training && { training }) };
}

/** Components of the mixture that completes rows, and draws of each row with missing values. */
const [JOINT_COMPONENTS, DRAWS] = [4, 5];

/**
 * Repeats every row with missing values DRAWS times, each with a share of the weight and the missing columns drawn from a mixture of all
 * columns and the label together.
 */
function completeJointly(
  table: Table,
  label: string,
  seed: number,
  bounds: SampleBounds,
): ReturnType<typeof completeRows> {
  const { schema } = table;
  const nothing = createRegressor({
    schema,
    output: label,
    link: "identity",
    intercept: 0,
    weights: new Float64Array(schema.columns.reduce((sum, column) => sum + slotCount(column), 0)),
  });
  const joint = conformMixture(
    nothing,
    sampleRows(table, rowsToDescribe(table, bounds) ?? table.rows, seed),
    { components: JOINT_COMPONENTS, numeric: "gaussian", seed },
  );
  const draw = drawFromModel(joint, table, new Int32Array(table.rows).fill(-1), random(seed), true);
  return completeRows(
    {
      table,
      rows: Int32Array.from({ length: table.rows }, (_, r) => r),
      weights: new Float64Array(table.rows).fill(1),
      learned: table.columns.length,
    },
    DRAWS,
    draw,
  );
}

function trainedRows(regressor: KnownRegressor, table: Table): number {
  return regressor.kind === "linear" ? (regressor.training?.rows ?? table.rows) : table.rows;
}

/** Scores rows by models of other rows. */
async function verdictOf<Cells extends CellReading>(
  { training, host, limit }: FitContext<Cells>,
  model: RegressionModel,
  table: Table,
  train: (rows: Table, watch: WatchOptions) => KnownRegressor,
  leaks: readonly string[],
): Promise<RegressionVerdict | undefined> {
  const { pseudocount, bins, seed } = training;
  const how = { pseudocount, bins, seed };
  const isMixture = model.certificate.mixture !== undefined;
  const described = (rows: Table): Table =>
    sampleRows(rows, rowsToDescribe(rows, training.bounds) ?? rows.rows, seed);
  const scored = (): ReturnType<typeof predictOutOfFold> =>
    predictOutOfFold(
      table,
      (rows, watch) => {
        const { table: inputs } = splitLabel(rows);
        const regressor = train(rows, watch);
        const shape = shapeWithin(mixtureShape(model), regressor.schema);
        const again = isMixture
          ? conformMixture(regressor, described(inputs), { ...how, ...shape, threads: host.threads })
          : conform(regressor, inputs, how);
        return (asked) => predictColumns(again, asked, { threads: host.threads }).values;
      },
      training,
      host.reporter,
      limit,
    );
  const predicted = await limit.attempt("the verdict, which is missing", scored);
  return predicted && regressionVerdict({ ...predicted, leaks, label: quoted(model.response.outputs[0]) });
}
