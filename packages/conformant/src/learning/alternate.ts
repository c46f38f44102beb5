import { addColumns } from "../classifier/add-columns.ts";
import type { Classifier } from "../classifier/classifier.ts";
import { type TrainOptions, train } from "../classifier/training/train.ts";
import { mixtureModel } from "../conform/choosing/conform-mixture.ts";
import { fitChosen } from "../conform/choosing/fit-chosen.ts";
import type { MixtureOptions } from "../conform/choosing/mixture-options.ts";
import { type MixtureShape, mixtureShape } from "../conform/choosing/mixture-shape.ts";
import { countMarginals } from "../marginals/count-marginals.ts";
import { observedWeight } from "../marginals/marginals.ts";
import { type Random, random } from "../math/random.ts";
import type { Model } from "../model/model.ts";
import type { AlsoOptions } from "../schema/also-columns.ts";
import type { Column, Schema } from "../schema/column.ts";
import { isGapCell, type Table } from "../schema/data.ts";
import type { Labels } from "../schema/labels.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import { type CompletedRows, completeRows, type DrawRow, drawFromModel, pick } from "./complete-rows.ts";

/** What is learned from, and how. */
export interface LearningTask {
  /** The columns to train on and, behind them, those that only help to complete rows. */
  readonly table: Table;
  readonly also: readonly Column[];
  readonly labels: Labels;
  /** Per row of the table. */
  readonly weights: Float64Array;
  /** The rows that have a label and a weight. */
  readonly labelled: Int32Array;
  /** How the classifier is trained and the mixture fitted. */
  readonly options: TrainOptions & AlsoOptions & MixtureOptionsOfRounds;
  /** How often a row with gaps is completed in a round, and how many rounds there are at most. */
  readonly draws: number;
  readonly rounds: number;
  readonly seed: number;
  /** Whether the mixture learns from the labels of rows with gaps, too: what goes with a gap shows in nothing else. */
  readonly byClass: boolean;
}

/** What a round hands on to the mixture. */
export type MixtureOptionsOfRounds = Pick<
  MixtureOptions,
  "bins" | "pseudocount" | "most" | "timeLimit" | "judging" | "threads"
>;

/** What training the classifier is of a round, roughly. */
const TRAINING_SHARE = 0.4;

/**
 * Completes, trains and fits a mixture, again and again; yields the model after each round.
 *
 * @param rows those of the labelled rows to learn from
 * @param parts the options of each round
 */
export function* alternate(
  task: LearningTask,
  rows: Int32Array,
  asked: MixtureShape,
  parts: (round: number) => WatchOptions,
): Generator<Model, never> {
  const { table, also, labels, weights, options, draws, seed } = task;
  const learned = table.columns.length - also.length;
  const generator = random(seed + 1);
  let draw = drawFromClass(task, rows, generator);
  let shape = asked;
  for (let round = 0; ; round++) {
    const watch = new Watch(parts(round), "completing");
    const completed = completeRows({ table, rows, weights, learned }, draws, draw);
    const classifier = trainOn(completed, task, watch.part(0, TRAINING_SHARE));
    const own = new Float64Array(table.rows);
    for (const r of rows) own[r] = weights[r];
    const data = {
      table: { ...table, schema: classifier.schema },
      rows: Int32Array.from({ length: table.rows }, (_, r) => r),
      weights: own,
      ...(task.byClass && { classes: labels.codes }),
    };
    const how = { ...mixtureOptions(options), ...shape, ...watch.part(TRAINING_SHARE, 1), seed };
    const model = mixtureModel(fitChosen(classifier, data, how));
    shape = mixtureShape(model);
    yield model;
    draw = drawFromModel(model, table, labels.codes, generator);
  }
}

function mixtureOptions(options: MixtureOptionsOfRounds): MixtureOptions {
  const { bins, pseudocount, most, timeLimit, judging, threads } = options;
  return {
    judging,
    threads,
    ...(bins !== undefined && { bins }),
    ...(pseudocount !== undefined && { pseudocount }),
    ...(most !== undefined && { most }),
    ...(timeLimit !== undefined && { timeLimit }),
  };
}

function trainOn(
  { table, weights, source, rowsCompleted }: CompletedRows,
  { labels, also, options }: LearningTask,
  watch: WatchOptions,
): Classifier {
  const { label } = options;
  const schema: Schema = {
    columns: [...table.schema.columns, { name: label, kind: "categorical", values: labels.classes }],
  };
  const codes = Int32Array.from(source, (r) => labels.codes[r]);
  const labelled: Table = { schema, rows: table.rows, columns: [...table.columns, codes], unseen: [] };
  const { columns: _, also: __, types: ___, ...rest } = options;
  const exclude = also.map(({ name }) => name);
  const classifier = addColumns(train(labelled, { ...rest, ...watch, weights, exclude }), also);
  const rows = new Set(source).size;
  const training = classifier.training && { ...classifier.training, rows, rowsCompleted };
  return { ...classifier, ...(training && { training }) };
}

/** Draws a missing cell from the column's values among the rows of the same class. */
function drawFromClass(
  { table, labels, weights }: LearningTask,
  rows: Int32Array,
  generator: Random,
): DrawRow {
  const used = new Float64Array(table.rows);
  for (const r of rows) used[r] = weights[r];
  const overall = countMarginals(table.schema, table, { weights: used });
  const perClass = labels.classes.map((_, k) =>
    countMarginals(table.schema, table, {
      weights: used.map((w, r) => (labels.codes[r] === k ? w : 0)),
      like: overall,
    }),
  );
  return (row, out) => {
    table.columns.forEach((cells, i) => {
      const x = cells[row];
      const own = perClass[labels.codes[row]].columns[i];
      // A class that has no value of the column borrows those of all.
      const marginal = observedWeight(own) > 0 ? own : overall.columns[i];
      const missing = isGapCell(cells, row);
      const code = missing ? pick(marginal.counts.length, (v) => marginal.counts[v], generator) : -1;
      out[i] = code < 0 ? x : marginal.kind === "numeric" ? marginal.values[code] : code;
    });
  };
}
