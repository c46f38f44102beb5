import { addColumns, type Classifier } from "../additive/classifier.ts";
import { countMarginals } from "../conform/count-marginals.ts";
import type { ChoiceOfMixture } from "../distribution/certificate.ts";
import { type TrainOptions, train } from "../logistic-regression/train.ts";
import { drawIndex, type Random, random } from "../math/random.ts";
import {
  fitChosen,
  type MixtureOptions,
  type MixtureShape,
  mixtureModel,
  mixtureShape,
} from "../mixture/conform-mixture.ts";
import { type EarlierFit, earlierFit } from "../mixture/fit-mixture.ts";
import { createModel, expectationOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { answerTable } from "../predictors/expectation.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import type { Column, Schema } from "../schema/column.ts";
import { isMissingCell, type Table } from "../schema/data.ts";
import { dealGroups, holdOut } from "../schema/hold-out.ts";
import type { AlsoOptions } from "../schema/infer-schema.ts";
import type { Labels } from "../schema/labels.ts";
import { observedWeight } from "../schema/marginals.ts";
import { pickRows } from "../schema/rows.ts";
import { type CompletedRows, completeRows, type DrawRow, drawFromModel } from "./complete-rows.ts";

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
  readonly maxRounds: number;
  readonly seed: number;
  /** Whether models are only compared with others by their predictions. */
  readonly rough: boolean;
  /** Called with a model that may be given back, should time run out. */
  readonly keep: (model: Model<Classifier>) => void;
}

/** What a round hands on to the mixture. */
export type MixtureOptionsOfRounds = Pick<
  MixtureOptions,
  "bins" | "pseudocount" | "most" | "timeLimit" | "threads"
>;

/** What a round came to, and the fit of its mixture. */
export interface Round {
  readonly model: Model<Classifier>;
  readonly fit: EarlierFit;
}

/** A classifier that is only compared with others may stop here: the steps after it change no comparison. */
const ROUGH_TOLERANCE = 1e-4;

/** What training the classifier is of a round, roughly. */
const TRAINING_SHARE = 0.4;

/**
 * Completes, trains and fits a mixture, again and again; yields what each round came to.
 *
 * @param rows those of the labelled rows to learn from
 * @param parts the options of each round
 * @param last the round to compute exactly; those before it only complete rows. Default: none
 * @param start a fit to go on from in the first round
 */
export function* alternate(
  task: LearningTask,
  rows: Int32Array,
  asked: MixtureShape,
  parts: (round: number) => WatchOptions,
  last = Number.POSITIVE_INFINITY,
  start?: EarlierFit,
): Generator<Round, never> {
  const { table, also, labels, weights, draws, seed } = task;
  const learned = table.columns.length - also.length;
  const generator = random(seed + 1);
  let draw = drawFromClass(task, rows, generator);
  let shape = asked;
  let before = start;
  for (let round = 0; ; round++) {
    const watch = new Watch(parts(round), "completing");
    const own = { ...task, rough: task.rough || round < last };
    const completed = completeRows({ table, rows, weights, learned }, draws, draw);
    const classifier = trainOn(completed, own, watch.part(0, TRAINING_SHARE));
    // From round to round only the classifier changes, and little: the mixture goes on from the one before.
    const done = fitRound(own, rows, classifier, shape, watch.part(TRAINING_SHARE, 1), before);
    const { model, fit } = done;
    before = fit;
    shape = mixtureShape(model);
    yield done;
    draw = drawFromModel(model, table, labels.codes, generator);
  }
}

/**
 * Fits the mixture of a classifier to rows.
 *
 * @param before the fit to go on from: to the same rows or others of the table, perhaps without its indicators
 */
export function fitRound(
  { table, weights, options, seed, rough }: LearningTask,
  rows: Int32Array,
  classifier: Classifier,
  shape: MixtureShape,
  watch: WatchOptions,
  before: EarlierFit | undefined,
): Round {
  const own = new Float64Array(table.rows);
  for (const r of rows) own[r] = weights[r];
  const data = {
    table: { ...table, schema: classifier.schema },
    rows: Int32Array.from({ length: table.rows }, (_, r) => r),
    weights: own,
  };
  const fitted = fitChosen(
    classifier,
    data,
    { ...mixtureOptions(options), ...shape, ...watch, seed, rough },
    before && { ...before, rows: { ...data, table: before.rows.table } },
  );
  return { model: createModel(classifier, mixtureModel(fitted)), fit: earlierFit(fitted, data) };
}

function mixtureOptions(options: MixtureOptionsOfRounds): MixtureOptions {
  const { bins, pseudocount, most, timeLimit, threads } = options;
  return { bins, pseudocount, most, timeLimit, threads };
}

/** Trains on completed rows. */
export function trainOn(
  { table, weights, source, rowsCompleted }: CompletedRows,
  { labels, also, options, rough }: LearningTask,
  watch: WatchOptions,
): Classifier {
  const { label } = options;
  const schema: Schema = {
    columns: [...table.schema.columns, { name: label, kind: "categorical", values: labels.classes }],
  };
  const codes = Int32Array.from(source, (r) => labels.codes[r]);
  const labelled: Table = { schema, rows: table.rows, columns: [...table.columns, codes], unseen: [] };
  const { l2, maxIterations } = options;
  const tolerance = rough ? Math.max(options.tolerance ?? 0, ROUGH_TOLERANCE) : options.tolerance;
  const exclude = also.map(({ name }) => name);
  const how = { label, l2, tolerance, maxIterations, ...watch, weights, exclude };
  const classifier = addColumns(train(labelled, how), also);
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
      const missing = isMissingCell(cells, row);
      const code = missing ? drawIndex(generator, marginal.counts.length, (v) => marginal.counts[v]) : -1;
      out[i] = code < 0 ? x : marginal.kind === "numeric" ? marginal.values[code] : code;
    });
  };
}

/** A trial holds out one row in so many; there are as many trials that hold out others. */
export const HELD_OUT_EVERY = 5;

/** The rows that were held out, and what a model of the others says of them. */
export interface HeldOut {
  readonly held: Int32Array;
  /** Held-out rows × K, as they are. */
  readonly probabilities: Float64Array;
}

/** What a trial came to; the probabilities are those after the best round. */
export interface RoundsTrial extends HeldOut {
  /** Mean log loss on held-out rows, as they are, after each round. */
  readonly heldOutLoss: readonly number[];
  /** Size and kind are chosen once: from round to round only the classifier changes, and little. */
  readonly shape: MixtureShape;
  readonly choice: ChoiceOfMixture | undefined;
  /** The last fit of the mixture. */
  readonly fit?: EarlierFit;
}

/**
 * Rounds on a part of the rows, scored on the others, until their loss no longer falls. Without rows to test on there are none.
 *
 * @param fold which of the parts is held out, from 0 to {@link HELD_OUT_EVERY} − 1
 * @param parts the options of each round
 */
export function tryRounds(
  task: LearningTask,
  asked: MixtureShape,
  fold: number,
  parts: (round: number) => WatchOptions,
): RoundsTrial {
  const [train, held] = holdOutFold(task, fold);
  const heldOutLoss: number[] = [];
  let [shape, choice]: [MixtureShape, ChoiceOfMixture | undefined] = [asked, undefined];
  let probabilities: Float64Array = new Float64Array(0);
  let last: EarlierFit | undefined;
  if (held.length === 0) return { heldOutLoss, held, probabilities, shape, choice };
  for (const { model, fit } of alternate(task, train, shape, parts)) {
    task.keep(model);
    last = fit;
    shape = mixtureShape(model);
    choice ??= model.certificate.choice;
    const own = answerTable(expectationOf(model), pickRows(task.table, held));
    const loss = meanLoss(task, { held, probabilities: own });
    const falls = heldOutLoss.length === 0 || loss < heldOutLoss[heldOutLoss.length - 1];
    heldOutLoss.push(loss);
    if (falls) probabilities = own;
    if (heldOutLoss.length >= task.maxRounds || !falls) break;
  }
  return { heldOutLoss, held, probabilities, shape, choice, ...(last && { fit: last }) };
}

/**
 * What is said of held-out rows after so many rounds, one or more, on the others. The mixture goes on from that of the trial, whose labels
 * have no part in how it describes the rows.
 */
export function answersAfter(
  rounds: number,
  task: LearningTask,
  { shape, fit }: Pick<RoundsTrial, "shape" | "fit">,
  fold: number,
  parts: (round: number) => WatchOptions,
): HeldOut {
  const [train, held] = holdOutFold(task, fold);
  let left = held.length === 0 ? 0 : rounds;
  if (left > 0)
    for (const { model } of alternate(task, train, shape, parts, Number.POSITIVE_INFINITY, fit))
      if (--left === 0)
        return { held, probabilities: answerTable(expectationOf(model), pickRows(task.table, held)) };
  return { held: new Int32Array(0), probabilities: new Float64Array(0) };
}

/** After how many rounds the loss was least; one where nothing was held out. */
export function bestRounds({ heldOutLoss }: RoundsTrial): number {
  return 1 + heldOutLoss.reduce((least, loss, round) => (loss < heldOutLoss[least] ? round : least), 0);
}

/** The options of each of so many rounds that together are a part of the work. */
export function inRounds(
  watch: Watch,
  from: number,
  to: number,
  rounds: number,
): (round: number) => WatchOptions {
  const at = (round: number): number => from + ((to - from) * round) / rounds;
  return (round) => watch.part(at(round), at(round + 1));
}

/** −log P(label) of a held-out row. */
export function lossAt({ labels }: LearningTask, { held, probabilities }: HeldOut, at: number): number {
  const p = probabilities[at * labels.classes.length + labels.codes[held[at]]];
  return -Math.log(Math.max(p, Number.MIN_VALUE));
}

function meanLoss(task: LearningTask, answered: HeldOut): number {
  let [loss, total] = [0, 0];
  answered.held.forEach((r, at) => {
    loss += task.weights[r] * lossAt(task, answered, at);
    total += task.weights[r];
  });
  return loss / total;
}

/** The rows in two parts, at random within each class: those to learn from, which know every column, and those to test on. */
function holdOutFold(
  { table, labels: { codes, classes }, labelled: rows, seed }: LearningTask,
  fold: number,
): [train: Int32Array, held: Int32Array] {
  const generator = random(seed);
  const drawn = Float64Array.from(rows, () => generator.uniform());
  const order = Array.from(rows.keys()).sort(
    (a, b) => codes[rows[a]] - codes[rows[b]] || drawn[a] - drawn[b],
  );
  const dealt =
    table.groups &&
    dealGroups(
      table.groups,
      order.map((j) => rows[j]),
      HELD_OUT_EVERY,
      codes,
    );
  if (dealt) {
    const parts = holdOut(rows, (j) => dealt.part[rows[j]] === fold, table);
    const isOneClass = parts[0].every((r) => codes[r] === codes[parts[0][0]]);
    return isOneClass ? [rows, new Int32Array(0)] : parts;
  }
  const held = new Uint8Array(rows.length);
  const sizes = new Float64Array(classes.length);
  for (const r of rows) sizes[codes[r]]++;
  // Every fifth row of each class in that order, if it has as many, so that no class is left without rows to learn from.
  let place = 0;
  order.forEach((j, at) => {
    const own = codes[rows[j]];
    place = at > 0 && codes[rows[order[at - 1]]] === own ? place + 1 : 0;
    if (sizes[own] >= HELD_OUT_EVERY && place % HELD_OUT_EVERY === HELD_OUT_EVERY - 1 - fold) held[j] = 1;
  });
  return holdOut(rows, (j) => held[j] === 1, table);
}
