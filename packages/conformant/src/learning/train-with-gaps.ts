import type { Classifier } from "../classifier/classifier.ts";
import { type TrainOptions, train } from "../classifier/train.ts";
import { conformMixture } from "../conform/conform-mixture.ts";
import type { MixtureOptions } from "../conform/mixture-options.ts";
import { type MixtureShape, mixtureShape } from "../conform/mixture-shape.ts";
import { requireInteger } from "../errors.ts";
import { countMarginals } from "../marginals/count-marginals.ts";
import { type Random, random } from "../math/random.ts";
import type { Model } from "../model/model.ts";
import { predictColumns } from "../queries/predict.ts";
import type { Schema } from "../schema/column.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { inferSchema } from "../schema/infer-schema.ts";
import { type Labels, readLabels } from "../schema/labels.ts";
import { checkWeights } from "../schema/weights.ts";
import { type CompletedRows, completeRows, type DrawRow, drawFromModel, pick } from "./complete-rows.ts";

/** Options of {@link trainWithGaps}. */
export interface TrainWithGapsOptions
  extends TrainOptions,
    Pick<MixtureOptions, "components" | "numeric" | "bins" | "most"> {
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
  /** Mean log loss on held-out rows, as they are, after each round of the trial that set the number of rounds. */
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
  const { label, seed = 0 } = options;
  const rounds = requireInteger("options.rounds", options.rounds ?? 4, 1);
  const labels = readLabels(data, label);
  const schema = inferSchema(data, { ...options, exclude: [...(options.exclude ?? []), label] });
  const table = encode(schema, data);
  const weights = checkWeights(options.weights, table.rows) ?? new Float64Array(table.rows).fill(1);
  const task: Task = {
    table,
    labels,
    weights,
    options,
    seed,
    draws: requireInteger("options.draws", options.draws ?? 3, 1),
  };
  const labelled = Int32Array.from(labels.codes.keys()).filter((r) => labels.codes[r] >= 0 && weights[r] > 0);
  const [train, held] = split(labelled, labels.codes, random(seed));
  const heldOutLoss: number[] = [];
  // Size and kind are chosen once: from round to round only the classifier changes, and little.
  let shape: MixtureShape = { components: options.components ?? "auto", numeric: options.numeric ?? "auto" };
  let choice: ChoiceOfSize;
  for (const model of alternate(task, train, shape)) {
    shape = mixtureShape(model);
    choice ??= model.certificate.mixture?.heldOut;
    heldOutLoss.push(logLoss(task, model, held));
    const last = heldOutLoss.length - 1;
    if (heldOutLoss.length >= rounds || (last > 0 && heldOutLoss[last] >= heldOutLoss[last - 1])) break;
  }
  const best = heldOutLoss.indexOf(Math.min(...heldOutLoss));
  let round = 0;
  for (const model of alternate(task, labelled, shape))
    if (round++ === best)
      return { classifier: model.classifier, model: withChoice(model, choice), heldOutLoss };
  throw new Error("unreachable: the rounds do not end by themselves");
}

interface Task {
  readonly table: Table;
  readonly labels: Labels;
  readonly weights: Float64Array;
  readonly options: TrainWithGapsOptions;
  readonly draws: number;
  readonly seed: number;
}

type ChoiceOfSize = NonNullable<Model["certificate"]["mixture"]>["heldOut"];

/** The certificate says how the size was chosen, though that was in the trial. */
function withChoice(model: Model, heldOut: ChoiceOfSize): Model {
  const { certificate } = model;
  if (!heldOut || !certificate.mixture) return model;
  return { ...model, certificate: { ...certificate, mixture: { ...certificate.mixture, heldOut } } };
}

/** Completes, trains and fits a mixture, again and again; yields the model after each round. */
function* alternate(task: Task, rows: Int32Array, asked: MixtureShape): Generator<Model, never> {
  const { table, labels, weights, options, draws, seed } = task;
  const generator = random(seed + 1);
  let draw = drawFromClass(task, rows, generator);
  let shape = asked;
  for (;;) {
    const completed = completeRows(table, rows, weights, draws, draw);
    const classifier = trainOn(completed, task);
    const own = new Float64Array(table.rows);
    for (const r of rows) own[r] = weights[r];
    const model = conformMixture(classifier, table, {
      ...mixtureOptions(options),
      ...shape,
      weights: own,
      seed,
    });
    shape = mixtureShape(model);
    yield model;
    draw = drawFromModel(model, table, labels.codes, generator);
  }
}

function mixtureOptions({ bins, most }: TrainWithGapsOptions): MixtureOptions {
  return { ...(bins !== undefined && { bins }), ...(most !== undefined && { most }) };
}

function trainOn(
  { table, weights, source, rowsCompleted }: CompletedRows,
  { labels, options }: Task,
): Classifier {
  const { label } = options;
  const schema: Schema = {
    columns: [...table.schema.columns, { name: label, kind: "categorical", values: labels.classes }],
  };
  const codes = Int32Array.from(source, (r) => labels.codes[r]);
  const labelled: Table = { schema, rows: table.rows, columns: [...table.columns, codes], unseen: [] };
  const { columns: _, exclude: __, types: ___, ...rest } = options;
  const classifier = train(labelled, { ...rest, weights });
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
      const marginal = perClass[labels.codes[row]].columns[i];
      const missing = marginal.kind === "numeric" ? Number.isNaN(x) : x < 0;
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
