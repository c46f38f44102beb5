import { addColumns } from "../classifier/add-columns.ts";
import type { Classifier } from "../classifier/classifier.ts";
import { type TrainOptions, train } from "../classifier/training/train.ts";
import { conformMixture } from "../conform/choosing/conform-mixture.ts";
import type { MixtureOptions } from "../conform/choosing/mixture-options.ts";
import { type MixtureShape, mixtureShape } from "../conform/choosing/mixture-shape.ts";
import { ConformantError, requireInteger, requireOptions, show } from "../errors.ts";
import { countMarginals } from "../marginals/count-marginals.ts";
import { observedWeight } from "../marginals/marginals.ts";
import { type Random, random } from "../math/random.ts";
import type { ChoiceOfMixture } from "../model/certificate.ts";
import type { Model } from "../model/model.ts";
import { predictColumns } from "../queries/prediction/predict.ts";
import { type AlsoOptions, alsoColumns } from "../schema/also-columns.ts";
import type { Column, Schema } from "../schema/column.ts";
import { type Data, isGapCell, type Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { inferSchema } from "../schema/infer-schema.ts";
import { keepEveryColumn } from "../schema/keep-every-column.ts";
import { type Labels, readLabels } from "../schema/labels.ts";
import { checkWeights } from "../schema/weights.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import { type CompletedRows, completeRows, type DrawRow, drawFromModel, pick } from "./complete-rows.ts";

/** Options of {@link trainWithGaps}. */
export interface TrainWithGapsOptions
  extends TrainOptions,
    AlsoOptions,
    Pick<
      MixtureOptions,
      "components" | "numeric" | "bins" | "pseudocount" | "most" | "timeLimit" | "judging"
    > {
  /** How often a row with gaps is completed. Default 3. */
  readonly draws?: number;
  /** Rounds at most. Default 4. */
  readonly rounds?: number;
  /** Seed of all that is random. Default 0. */
  readonly seed?: number;
}

/** A classifier trained on rows with gaps, and the distribution that completed them. */
export interface TrainedWithGaps {
  readonly classifier: Classifier;
  /** A model of the features that conforms with the classifier. */
  readonly model: Model;
  /**
   * Mean log loss on held-out rows, as they are, after each round of the trial that set the number of rounds. Empty where no
   * class has the five rows of which one is held out: there is one round then.
   */
  readonly heldOutLoss: readonly number[];
}

/** The trial holds out one row in so many. */
const HELD_OUT_EVERY = 5;

/**
 * Trains a logistic regression on all labelled rows, those with gaps too. Gaps are filled by draws given the known columns
 * and the label, first from the column's values among rows of the same class, then from a mixture that conforms with the
 * classifier so far; every draw is a row with its share of the weight. A trial that holds out a fifth of the rows says after
 * how many rounds the loss no longer falls.
 */
export function trainWithGaps(data: Data, options: TrainWithGapsOptions): TrainedWithGaps {
  requireOptions(options);
  const { label } = options;
  const watch = new Watch(options, "completing");
  const seed = requireInteger("options.seed", options.seed ?? 0, 0);
  const rounds = requireInteger("options.rounds", options.rounds ?? 4, 1);
  const labels = readLabels(data, label);
  const exclude = [...(options.exclude ?? []), label];
  const schema = withoutAlso(inferSchema(data, { ...options, exclude }), options);
  const also = alsoColumns(data, options, schema, exclude);
  const table = encode({ columns: [...schema.columns, ...also] }, data);
  const weights = checkWeights(options.weights, table.rows) ?? new Float64Array(table.rows).fill(1);
  const task: Task = {
    table,
    also,
    labels,
    weights,
    options,
    seed,
    draws: requireInteger("options.draws", options.draws ?? 3, 1),
  };
  const labelled = Int32Array.from(labels.codes.keys()).filter((r) => labels.codes[r] >= 0 && weights[r] > 0);
  checkColumns(task, labelled);
  const asked: MixtureShape = {
    components: options.components ?? "auto",
    numeric: options.numeric ?? "auto",
  };
  const trial = tryRounds(task, labelled, asked, rounds, watch);
  const { shape, choice, heldOutLoss } = trial;
  const best = heldOutLoss.reduce((least, loss, round) => (loss < heldOutLoss[least] ? round : least), 0);
  const parts = inRounds(watch, heldOutLoss.length > 0 ? TRIAL_SHARE : 0, 1, best + 1);
  let round = 0;
  for (const model of alternate(task, labelled, shape, parts))
    if (round++ === best)
      return { classifier: model.classifier, model: withChoice(model, choice), heldOutLoss };
  throw new Error("unreachable: the rounds do not end by themselves");
}

/** Where no columns were asked for by name: all but those that are to have no weight. */
function withoutAlso(schema: Schema, { columns, also }: TrainWithGapsOptions): Schema {
  if (columns !== undefined || !Array.isArray(also)) return schema;
  return { columns: schema.columns.filter(({ name }) => !also.includes(name)) };
}

/** What the trial is of the whole work, roughly. */
const TRIAL_SHARE = 0.5;

interface Trial {
  readonly heldOutLoss: readonly number[];
  /** Size and kind are chosen once: from round to round only the classifier changes, and little. */
  readonly shape: MixtureShape;
  readonly choice: ChoiceOfMixture | undefined;
}

/** Rounds on a part of the rows, judged by the others, until their loss no longer falls. Without rows to judge by there are none. */
function tryRounds(
  task: Task,
  labelled: Int32Array,
  asked: MixtureShape,
  rounds: number,
  watch: Watch,
): Trial {
  const { labels, seed, table } = task;
  const [train, held] = keepEveryColumn(table, ...split(labelled, labels.codes, random(seed)));
  const heldOutLoss: number[] = [];
  let [shape, choice]: [MixtureShape, ChoiceOfMixture | undefined] = [asked, undefined];
  if (held.length === 0) return { heldOutLoss, shape, choice };
  for (const model of alternate(task, train, shape, inRounds(watch, 0, TRIAL_SHARE, rounds))) {
    shape = mixtureShape(model);
    choice ??= model.certificate.choice;
    const loss = logLoss(task, model, held);
    const falls = heldOutLoss.length === 0 || loss < heldOutLoss[heldOutLoss.length - 1];
    heldOutLoss.push(loss);
    if (heldOutLoss.length >= rounds || !falls) break;
  }
  return { heldOutLoss, shape, choice };
}

/** The options of each of so many rounds that together are a part of the work. */
function inRounds(watch: Watch, from: number, to: number, rounds: number): (round: number) => WatchOptions {
  const at = (round: number): number => from + ((to - from) * round) / rounds;
  return (round) => watch.part(at(round), at(round + 1));
}

/** Throws where a column has no value in the rows that are learned from. */
function checkColumns({ table, labels }: Task, rows: Int32Array): void {
  if (rows.length === 0) {
    const message = `trainWithGaps needs rows with a label and a positive weight, got none of ${table.rows}`;
    throw new ConformantError("empty-data", message);
  }
  const [first] = rows;
  if (rows.every((r) => labels.codes[r] === labels.codes[first])) {
    const message = `the label must have two or more classes among the rows of positive weight, got only ${show(labels.classes[labels.codes[first]])}`;
    throw new ConformantError("single-class", message, { argument: "options.weights" });
  }
  table.columns.forEach((cells, i) => {
    if (rows.some((r) => !isGapCell(cells, r))) return;
    const { name } = table.schema.columns[i];
    const message = `column ${show(name)} has no value in any row with a label, so nothing is known about its distribution`;
    throw new ConformantError("empty-column", message, {
      column: name,
      hint: "leave the column out with { exclude }",
    });
  });
}

interface Task {
  /** The columns to train on and, behind them, those that only help to complete rows. */
  readonly table: Table;
  readonly also: readonly Column[];
  readonly labels: Labels;
  readonly weights: Float64Array;
  readonly options: TrainWithGapsOptions;
  readonly draws: number;
  readonly seed: number;
}

/** The certificate says how the size was chosen, though that was in the trial. */
function withChoice(model: Model, choice: ChoiceOfMixture | undefined): Model {
  return choice ? { ...model, certificate: { ...model.certificate, choice } } : model;
}

/** What training the classifier is of a round, roughly. */
const TRAINING_SHARE = 0.4;

/** Completes, trains and fits a mixture, again and again; yields the model after each round. */
function* alternate(
  task: Task,
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
    const completed = completeRows(table, learned, rows, weights, draws, draw);
    const classifier = trainOn(completed, task, watch.part(0, TRAINING_SHARE));
    const own = new Float64Array(table.rows);
    for (const r of rows) own[r] = weights[r];
    const model = conformMixture(classifier, table, {
      ...mixtureOptions(options),
      ...shape,
      ...watch.part(TRAINING_SHARE, 1),
      weights: own,
      seed,
    });
    shape = mixtureShape(model);
    yield model;
    draw = drawFromModel(model, table, labels.codes, generator);
  }
}

function mixtureOptions(options: TrainWithGapsOptions): MixtureOptions {
  const { bins, pseudocount, most, timeLimit, judging } = options;
  return {
    judging,
    ...(bins !== undefined && { bins }),
    ...(pseudocount !== undefined && { pseudocount }),
    ...(most !== undefined && { most }),
    ...(timeLimit !== undefined && { timeLimit }),
  };
}

function trainOn(
  { table, weights, source, rowsCompleted }: CompletedRows,
  { labels, also, options }: Task,
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
function drawFromClass({ table, labels, weights }: Task, rows: Int32Array, generator: Random): DrawRow {
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

function logLoss({ table, labels, weights }: Task, model: Model, rows: Int32Array): number {
  const { probabilities } = predictColumns(model, table);
  const K = labels.classes.length;
  let [loss, total] = [0, 0];
  for (const r of rows) {
    loss -= weights[r] * Math.log(Math.max(probabilities[r * K + labels.codes[r]], Number.MIN_VALUE));
    total += weights[r];
  }
  return loss / total;
}

/** The rows in two parts, at random within each class: those to learn from and those to judge by. */
function split(rows: Int32Array, codes: Int32Array, generator: Random): [Int32Array, Int32Array] {
  const drawn = Float64Array.from(rows, () => generator.uniform());
  const order = Array.from(rows.keys()).sort(
    (a, b) => codes[rows[a]] - codes[rows[b]] || drawn[a] - drawn[b],
  );
  const held = new Uint8Array(rows.length);
  // Every fifth row of each class in that order, so that no class is left without rows to learn from.
  let place = 0;
  order.forEach((j, at) => {
    place = at > 0 && codes[rows[order[at - 1]]] === codes[rows[j]] ? place + 1 : 0;
    if (place % HELD_OUT_EVERY === HELD_OUT_EVERY - 1) held[j] = 1;
  });
  return [rows.filter((_, j) => held[j] === 0), rows.filter((_, j) => held[j] === 1)];
}
