import type { MixtureShape } from "../conform/choosing/mixture-shape.ts";
import { mixtureShape } from "../conform/choosing/mixture-shape.ts";
import { random } from "../math/random.ts";
import type { ChoiceOfMixture } from "../model/certificate.ts";
import type { Model } from "../model/model.ts";
import { predictColumns } from "../queries/prediction/predict.ts";
import { keepEveryColumn } from "../schema/keep-every-column.ts";
import { pickRows } from "../schema/rows/pick-rows.ts";
import type { Watch, WatchOptions } from "../watch.ts";
import { alternate, type LearningTask } from "./alternate.ts";

/** A trial holds out one row in so many; there are as many trials that hold out others. */
export const HELD_OUT_EVERY = 5;

/** The rows that were held out, and what each of them lost. */
export interface HeldOutLosses {
  readonly held: Int32Array;
  readonly losses: Float64Array;
}

/** What a trial came to; the losses of single rows are those after the best round. */
export interface RoundsTrial extends HeldOutLosses {
  /** Mean log loss on held-out rows, as they are, after each round. */
  readonly heldOutLoss: readonly number[];
  /** Size and kind are chosen once: from round to round only the classifier changes, and little. */
  readonly shape: MixtureShape;
  readonly choice: ChoiceOfMixture | undefined;
}

/**
 * Rounds on a part of the rows, judged by the others, until their loss no longer falls. Without rows to judge by there are none.
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
  const [train, held] = holdOut(task, fold);
  const heldOutLoss: number[] = [];
  let [shape, choice]: [MixtureShape, ChoiceOfMixture | undefined] = [asked, undefined];
  let losses: Float64Array = new Float64Array(0);
  if (held.length === 0) return { heldOutLoss, held, losses, shape, choice };
  for (const model of alternate(task, train, shape, parts)) {
    shape = mixtureShape(model);
    choice ??= model.certificate.choice;
    const own = rowLosses(task, model, held);
    const loss = meanLoss(task, own, held);
    const falls = heldOutLoss.length === 0 || loss < heldOutLoss[heldOutLoss.length - 1];
    heldOutLoss.push(loss);
    if (falls) losses = own;
    if (heldOutLoss.length >= task.rounds || !falls) break;
  }
  return { heldOutLoss, held, losses, shape, choice };
}

/** What held-out rows lose after so many rounds, one or more, on the others. */
export function lossesAfter(
  rounds: number,
  task: LearningTask,
  shape: MixtureShape,
  fold: number,
  parts: (round: number) => WatchOptions,
): HeldOutLosses {
  const [train, held] = holdOut(task, fold);
  let left = held.length === 0 ? 0 : rounds;
  if (left > 0)
    for (const model of alternate(task, train, shape, parts))
      if (--left === 0) return { held, losses: rowLosses(task, model, held) };
  return { held, losses: new Float64Array(0) };
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

/** −log P(label) of each of some rows, as they are. */
function rowLosses({ table, labels }: LearningTask, model: Model, rows: Int32Array): Float64Array {
  const { probabilities } = predictColumns(model, pickRows(table, rows));
  const K = labels.classes.length;
  return Float64Array.from(
    rows,
    (r, at) => -Math.log(Math.max(probabilities[at * K + labels.codes[r]], Number.MIN_VALUE)),
  );
}

function meanLoss({ weights }: LearningTask, losses: Float64Array, rows: Int32Array): number {
  let [loss, total] = [0, 0];
  rows.forEach((r, at) => {
    loss += weights[r] * losses[at];
    total += weights[r];
  });
  return loss / total;
}

/** The rows in two parts, at random within each class: those to learn from, which know every column, and those to judge by. */
function holdOut(
  { table, labels: { codes }, labelled: rows, seed }: LearningTask,
  fold: number,
): [train: Int32Array, held: Int32Array] {
  const generator = random(seed);
  const drawn = Float64Array.from(rows, () => generator.uniform());
  const order = Array.from(rows.keys()).sort(
    (a, b) => codes[rows[a]] - codes[rows[b]] || drawn[a] - drawn[b],
  );
  const held = new Uint8Array(rows.length);
  // Every fifth row of each class in that order, so that no class is left without rows to learn from.
  let place = 0;
  order.forEach((j, at) => {
    place = at > 0 && codes[rows[order[at - 1]]] === codes[rows[j]] ? place + 1 : 0;
    if (place % HELD_OUT_EVERY === HELD_OUT_EVERY - 1 - fold) held[j] = 1;
  });
  return keepEveryColumn(
    table,
    rows.filter((_, j) => held[j] === 0),
    rows.filter((_, j) => held[j] === 1),
  );
}
