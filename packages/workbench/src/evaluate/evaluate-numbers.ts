import { predictColumns, type RegressionModel, type Table, type WatchOptions } from "conformant";
import { indexOfLargest, isLinear, numberOf, pickRows, Watch } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { answerOfTrees, answerRows } from "conformant/trees";
import { type BaselineName, fitImputer } from "../baselines/baseline.ts";
import { eachFilledRow, type Imputer } from "../baselines/imputer.ts";
import { requireRows } from "../columns/read-columns.ts";
import { readLabeledTable } from "../fit/read-training-table.ts";
import { cellsOfSchema, findColumns } from "../predict/find-columns.ts";
import { UNSEEN } from "../source/cell-codes.ts";
import { counted } from "../source/count.ts";
import { splitLabel } from "../source/labeled-rows.ts";
import { listed, quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { watchWork } from "../source/watch-work.ts";
import type { RegressionVerdict } from "../verdict/model-verdict.ts";
import { numberScores, regressionVerdict } from "../verdict/regression-verdict.ts";
import { boundedTraining, NATIVE } from "./create-methods.ts";
import { chooseRows, divideRows } from "./divide-rows.ts";
import { type EvaluationPlan, rowsFor } from "./evaluate-methods.ts";
import type { EvaluateOptions } from "./evaluate-rows.ts";
import { type Mechanism, maskCells, maskSeed } from "./mask-cells.ts";
import type { Method } from "./method.ts";
import { mean, standardError } from "./metrics.ts";
import type { LabeledRowsOptions } from "./read-labeled-rows.ts";

/** What is measured of predicted numbers, by the names in results; `rmseToFull` is against the answer to the full row. */
export const NUMBER_METRICS = ["rmse", "mae", "r2", "rmseToFull"] as const;
export type NumberMetric = (typeof NUMBER_METRICS)[number];
export type NumberScores = Readonly<Record<NumberMetric, number>>;

export interface NumberEvaluation {
  readonly rates: readonly number[];
  readonly mechanism: Mechanism;
  readonly rows: number;
  readonly trainingRows: number;
  /** Of the model on the rows as they are. */
  readonly verdict: RegressionVerdict;
  readonly methods: readonly {
    readonly name: string;
    /** Rows that were scored: fewer than those of the evaluation where a method is slow. */
    readonly rows: number;
    /** On the rows as they are. */
    readonly unmasked: NumberScores;
    readonly mean: Readonly<Record<NumberMetric, readonly number[]>>;
    readonly standardError: Readonly<Record<NumberMetric, readonly number[]>>;
  }[];
}

/** Reads rows with their number in the model's codes: its columns and, last, the label. */
export async function readLabeledNumbers<Cells extends CellReading>(
  model: RegressionModel,
  source: TableSource<Cells>,
  { modelName, label, seed, ...options }: LabeledRowsOptions,
  reporter: Reporter,
): Promise<Table> {
  const { sources, missing } = findColumns(source, model, modelName);
  if (missing.length > 0)
    reporter.warn(`${quoted(source.name)} lacks ${listed(missing)}: missing in every row`);
  await source.prepare([...new Set([...sources, label])]);
  const schema = { columns: [...model.schema.columns, { name: label, kind: "numeric" as const }] };
  const fields = await cellsOfSchema(source, schema.columns, { ...options, warn: reporter.warn });
  const { rows, columns } = await source.count(fields, [label], 1);
  requireRows(source, rows);
  const found = columns.get(label);
  const where = `${quoted(source.name)}, label ${quoted(label)}`;
  if (found?.kind !== "number" || found.others.size > 0) {
    const [text] = found?.kind === "number" ? found.others.keys() : (found?.counts.keys() ?? []);
    const got = text === undefined ? "a date or a nested value" : quoted(text);
    throw new TableError("unsupported-type", `${where}: expected numbers, got ${got}`);
  }
  if (found.known === 0)
    throw new TableError("missing-label", `${where}: no row has a label, expected numbers`);
  if (found.known < rows) reporter.warn(`${counted(rows - found.known, "row")} without a label skipped`);
  const { table } = await readLabeledTable(source, { fields, rows }, schema, { seed }, reporter);
  for (const cells of table.columns)
    if (!(cells instanceof Float64Array))
      for (let r = 0; r < cells.length; r++) if (cells[r] === UNSEEN) cells[r] = -1;
  return table;
}

/**
 * Scores a model that predicts a number, and baselines, on rows as more values are masked.
 *
 * @param all the model's columns and, last, the label
 * @param training other rows for the baselines to learn from; without them, a random half of the rows
 */
export function evaluateNumbers(
  model: RegressionModel,
  all: Table,
  training: Table | undefined,
  { plan, against, mostRows }: Pick<EvaluateOptions, "plan" | "against" | "mostRows">,
  reporter: Reporter,
): NumberEvaluation {
  const divided = training
    ? { judged: chooseRows(all, mostRows, plan.seed), training }
    : divideRows(all, mostRows, plan.seed);
  const { table, labels } = splitLabel(divided.judged);
  const inputs = splitLabel(divided.training).table;
  const methods = methodsOf(model, against, inputs, reporter);
  const full = predictColumns(model, table).values;
  const chosen = methods.map((method) => rowsFor(method, table.rows, plan));
  const scoreOf = (m: number, rows: Table, watch?: WatchOptions): NumberScores => {
    const [method, own] = [methods[m], chosen[m]];
    if (!own) return scoresOf(method.predict(rows, watch), labels, full);
    const pick = (values: ArrayLike<number>): Float64Array => Float64Array.from(own, (r) => values[r]);
    return scoresOf(method.predict(pickRows(rows, own), watch), pick(labels), pick(full));
  };
  const runs = methods.map(() => plan.rates.map((): NumberScores[] => []));
  const parts = plan.rates.length * plan.repeats * methods.length;
  eachMask(table, plan, (masked, i, repeat) => {
    methods.forEach((_, m) => {
      const part = (i * plan.repeats + repeat) * methods.length + m;
      runs[m][i].push(scoreOf(m, masked, watchWork(reporter, part, parts, "evaluating")));
    });
  });
  return {
    rates: plan.rates,
    mechanism: plan.mechanism,
    rows: table.rows,
    trainingRows: divided.training.rows,
    verdict: regressionVerdict({
      answers: full,
      labels: Float64Array.from({ length: table.rows }, (_, r) => labels[r]),
      folds: 0,
      label: quoted(model.response.outputs[0]),
    }),
    methods: methods.map(({ name }, m) => ({
      name,
      rows: chosen[m]?.length ?? table.rows,
      unmasked: scoreOf(m, table),
      mean: perMetric(runs[m], mean),
      standardError: perMetric(runs[m], standardError),
    })),
  };
}

function eachMask(
  table: Table,
  plan: EvaluationPlan,
  visit: (masked: Table, rate: number, repeat: number) => void,
): void {
  plan.rates.forEach((rate, i) => {
    for (let repeat = 0; repeat < plan.repeats; repeat++)
      visit(maskCells(table, rate, plan.mechanism, plan.blocks, maskSeed(plan.seed, i, repeat)), i, repeat);
  });
}

function scoresOf(answers: Float64Array, labels: ArrayLike<number>, full: Float64Array): NumberScores {
  const { rmse, mae, r2 } = numberScores(answers, labels);
  return { rmse, mae, r2, rmseToFull: numberScores(answers, full).rmse };
}

function perMetric(
  runs: readonly (readonly NumberScores[])[],
  summary: (values: readonly number[]) => number,
): Record<NumberMetric, number[]> {
  return Object.fromEntries(
    NUMBER_METRICS.map((metric) => [
      metric,
      runs.map((repeats) => summary(repeats.map((scores) => scores[metric]))),
    ]),
  ) as Record<NumberMetric, number[]>;
}

/** Our model, and the regressor on imputed rows. */
function methodsOf(
  model: RegressionModel,
  against: readonly (BaselineName | typeof NATIVE)[],
  training: Table,
  reporter: Reporter,
): Method[] {
  const { predictor } = model;
  const ours: Method = {
    name: "ours",
    predict: (table, watch) => predictColumns(model, table, watch).values,
  };
  return [
    ours,
    ...against.map((name, at): Method => {
      if (name === NATIVE) {
        if (predictor.kind !== "regression-trees")
          throw new TableError("unsupported-type", `--against ${NATIVE} is for models of trees`);
        return { name, predict: (table) => answerRows(predictor, table) };
      }
      if (name === "naive_bayes" || name === "reduced")
        throw new TableError("unsupported-type", `--against ${name} is for models of classes`);
      const watch = watchWork(reporter, at, against.length, `fitting ${name}`);
      const { rows, ...bounded } = boundedTraining(name, training);
      const imputer = fitImputer(name, model.schema, rows, watch);
      return {
        name,
        ...bounded,
        predict: (table, own) => answersToImputed(model, imputer, table, new Watch(own ?? {}, "imputing")),
      };
    }),
  ];
}

/** The regressor's own answers to imputed rows; of a category the trees take the value with the largest share. */
function answersToImputed(
  { predictor, schema }: RegressionModel,
  imputer: Imputer,
  table: Table,
  watch: Watch,
): Float64Array {
  const offsets = slotOffsets(schema);
  const whole = schema.columns.map(isLinear);
  const out = new Float64Array(table.rows);
  const x = new Float64Array(schema.columns.length);
  eachFilledRow(imputer, table, watch, (slots, r) => {
    if (predictor.kind === "linear") {
      let sum = predictor.intercept;
      for (let slot = 0; slot < slots.length; slot++) sum += predictor.weights[slot] * slots[slot];
      out[r] = numberOf(predictor.link, sum);
      return;
    }
    if (predictor.kind !== "regression-trees") return;
    for (let i = 0; i < x.length; i++) {
      const own = slots.subarray(offsets[i], offsets[i + 1]);
      x[i] = whole[i] ? own[0] : indexOfLargest(own);
    }
    out[r] = answerOfTrees(predictor, x)[0];
  });
  return out;
}
