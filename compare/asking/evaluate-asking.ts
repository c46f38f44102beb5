import { predictColumns } from "conformant";
import { decide } from "conformant/internal";
import { treesOf } from "conformant/trees";
import {
  fixedOrder,
  isMissingIn,
  maskRows,
  type Order,
  type OrderRequest,
  ourOrder,
  questionsOf,
  randomOrder,
  weightsOrder,
} from "./orders.ts";

/** Questions and what they cost, on average. */
export interface Effort {
  readonly questions: number;
  readonly cost: number;
}

/** What an order comes to after 0, 1, …, n questions. */
export interface AskingCurve {
  readonly order: string;
  readonly accuracy: readonly number[];
  readonly logLoss: readonly number[];
  /** What the questions so far have cost, on average. */
  readonly cost: readonly number[];
  /** Questions, and their cost, until 95 % of the accuracy with everything known is reached. */
  readonly enough: Effort;
  /** Questions until a row's prediction is that with everything known and stays so, on average. */
  readonly settled: number;
}

/** Whether asking pays: orders of questions, tested on the same rows. */
export interface AskingEvaluation {
  readonly rows: number;
  /** How many can be asked. */
  readonly questions: number;
  readonly curves: readonly AskingCurve[];
}

/** Asks rows whose answers are known for them, in several orders, and evaluates the predictions after each question. */
export function evaluateAsking(request: OrderRequest, labels: ArrayLike<number>): AskingEvaluation {
  const orders = [
    ourOrder(request),
    ...(treesOf(request.model) ? [] : [weightsOrder(request)]), // trees have no weights
    fixedOrder(request),
    randomOrder(request),
  ].filter((order) => order !== undefined);
  const curves = orders.map((order) => curveOf(request, order, labels));
  return { rows: request.tested.rows, questions: questionsOf(request).length, curves };
}

/** What has become of rows after 0, 1, …, Q questions: by number of questions, an entry per row. */
interface AskedRows {
  readonly decisions: readonly Float64Array[];
  /** 1 where the decision is the true class, else 0; and the log loss. */
  readonly right: readonly Float64Array[];
  readonly loss: readonly Float64Array[];
  /** Questions that were answered, and what they cost. */
  readonly answered: readonly Float64Array[];
  readonly paid: readonly Float64Array[];
}

function curveOf(request: OrderRequest, order: Order, labels: ArrayLike<number>): AskingCurve {
  const rows = askRows(request, order, labels);
  const [accuracy, cost, answered] = [rows.right, rows.paid, rows.answered].map((own) => own.map(mean));
  return {
    order: order.name,
    accuracy,
    logLoss: rows.loss.map(mean),
    cost,
    enough: enoughEffort(
      accuracy,
      answered.map((questions, q) => ({ questions, cost: cost[q] })),
    ),
    settled: settledAfter(rows.decisions),
  };
}

function askRows(request: OrderRequest, order: Order, labels: ArrayLike<number>): AskedRows {
  const { model, tested, costs } = request;
  const all = questionsOf(request);
  const [n, Q] = [tested.columns.length, all.length];
  const K = model.response.outputs.length;
  const priceOf = all.map(({ name }) => (Object.hasOwn(costs, name) ? costs[name] : 1));
  const perQuestion = (): Float64Array[] =>
    Array.from({ length: Q + 1 }, () => new Float64Array(tested.rows));
  const [decisions, right, loss, answered, paid] = Array.from({ length: 5 }, perQuestion);
  /** When each column of a row is told; what nobody can answer never is. */
  const told = new Int32Array(tested.rows * n).fill(Q);
  for (let r = 0; r < tested.rows; r++) {
    let turn = 0;
    for (let t = 0; t < Q; t++) {
      const question = order.questions[r * Q + t];
      const known = all[question].columns.filter((c) => !isMissingIn(tested.columns[c], r));
      if (known.length === 0) continue;
      for (const c of known) told[r * n + c] = turn;
      turn++;
      answered[turn][r] = turn;
      paid[turn][r] = paid[turn - 1][r] + priceOf[question];
    }
    for (let t = turn + 1; t <= Q; t++) [answered[t][r], paid[t][r]] = [turn, paid[turn][r]];
  }
  for (let t = 0; t <= Q; t++) {
    const { probabilities } = predictColumns(
      model,
      maskRows(tested, (r, c) => told[r * n + c] < t),
    );
    for (let r = 0; r < tested.rows; r++) {
      const own = probabilities.subarray(r * K, (r + 1) * K);
      const decision = decide(own).class;
      decisions[t][r] = decision;
      right[t][r] = Number(decision === labels[r]);
      loss[t][r] = -Math.log(own[labels[r]]);
    }
  }
  return { decisions, right, loss, answered, paid };
}

/** After how many questions rows have their last decision, on average. */
function settledAfter(decisions: readonly Float64Array[]): number {
  const after = Array.from(decisions[0].keys(), (r) => {
    let questions = decisions.length - 1;
    while (questions > 0 && decisions[questions - 1][r] === decisions[questions][r]) questions--;
    return questions;
  });
  return mean(after);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < values.length; j++) sum += values[j];
  return sum / values.length;
}

/** The share of the full accuracy that is enough. */
const ENOUGH = 0.95;

/** Accuracies are equal up to the rounding of their sums. */
const ROUNDING = 1e-9;

/**
 * The effort until {@link ENOUGH} of the accuracy with everything known, on the line between two numbers of questions: where the next one is
 * asked of a share of the rows, chosen by lot, so large that the accuracy is just met on average.
 *
 * @param accuracy after 0, 1, …, Q questions
 * @param efforts that they took, in the same order
 */
export function enoughEffort(accuracy: readonly number[], efforts: readonly Effort[]): Effort {
  const goal = ENOUGH * accuracy[accuracy.length - 1];
  const at = accuracy.findIndex((share) => share >= goal - ROUNDING);
  if (at === 0) return efforts[0];
  const share = Math.min(1, (goal - accuracy[at - 1]) / (accuracy[at] - accuracy[at - 1]));
  const [before, after] = [efforts[at - 1], efforts[at]];
  return {
    questions: before.questions + share * (after.questions - before.questions),
    cost: before.cost + share * (after.cost - before.cost),
  };
}
