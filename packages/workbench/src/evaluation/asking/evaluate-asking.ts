import { decide, predictColumns } from "conformant";
import { isGapIn, maskRows } from "./masked-rows.ts";
import {
  fixedOrder,
  type Order,
  type OrderRequest,
  ourOrder,
  questionsOf,
  randomOrder,
  weightsOrder,
} from "./orders.ts";

/** What an order comes to after 0, 1, …, n questions. */
export interface AskingCurve {
  readonly order: string;
  readonly accuracy: readonly number[];
  readonly logLoss: readonly number[];
  /** What the questions so far have cost, on average. */
  readonly cost: readonly number[];
  /** Questions, and their cost, until 95 % of the accuracy with everything known is reached. */
  readonly enough: { readonly questions: number; readonly cost: number };
  /** Questions until a row's prediction is that with everything known and stays so, on average. */
  readonly settled: number;
}

/** Whether asking pays: orders of questions, judged on the same rows. */
export interface AskingEvaluation {
  readonly rows: number;
  /** How many can be asked. */
  readonly questions: number;
  readonly curves: readonly AskingCurve[];
}

/** The share of the full accuracy that is enough. */
export const ENOUGH = 0.95;

/** Asks rows whose answers are known for them, in several orders, and judges the predictions after each question. */
export function evaluateAsking(request: OrderRequest, labels: ArrayLike<number>): AskingEvaluation {
  const orders = [
    ourOrder(request),
    ...(request.model.trees ? [] : [weightsOrder(request)]), // trees have no weights
    fixedOrder(request),
    randomOrder(request),
  ].filter((order) => order !== undefined);
  const curves = orders.map((order) => curveOf(request, order, labels));
  return { rows: request.judged.rows, questions: questionsOf(request).length, curves };
}

function curveOf(request: OrderRequest, order: Order, labels: ArrayLike<number>): AskingCurve {
  const { model, judged, costs } = request;
  const all = questionsOf(request);
  const [n, Q] = [judged.columns.length, all.length];
  const K = model.classifier.classes.length;
  const priceOf = all.map(({ name }) => (Object.hasOwn(costs, name) ? costs[name] : 1));
  /** When each question is put to a row, and each column is told; what nobody can answer never is. */
  const asked = new Int32Array(judged.rows * Q).fill(Q);
  const told = new Int32Array(judged.rows * n).fill(Q);
  for (let r = 0; r < judged.rows; r++)
    for (let t = 0, turn = 0; t < Q; t++) {
      const question = order.questions[r * Q + t];
      const known = all[question].columns.filter((c) => !isGapIn(judged.columns[c], r));
      if (known.length === 0) continue;
      for (const c of known) told[r * n + c] = turn;
      asked[r * Q + question] = turn++;
    }
  const [accuracy, logLoss, cost]: number[][] = [[], [], []];
  const decisions: number[][] = [];
  for (let questions = 0; questions <= Q; questions++) {
    const { probabilities } = predictColumns(
      model,
      maskRows(judged, (r, c) => told[r * n + c] < questions),
    );
    const decided = Array.from(
      { length: judged.rows },
      (_, r) => decide(probabilities.subarray(r * K, (r + 1) * K)).class,
    );
    let [right, loss, paid] = [0, 0, 0];
    for (let r = 0; r < judged.rows; r++) {
      if (decided[r] === labels[r]) right++;
      loss -= Math.log(probabilities[r * K + labels[r]]);
      for (let q = 0; q < Q; q++) if (asked[r * Q + q] < questions) paid += priceOf[q];
    }
    accuracy.push(right / judged.rows);
    logLoss.push(loss / judged.rows);
    cost.push(paid / judged.rows);
    decisions.push(decided);
  }
  const questions = accuracy.findIndex((share) => share >= ENOUGH * accuracy[Q]);
  return {
    order: order.name,
    accuracy,
    logLoss,
    cost,
    enough: { questions, cost: cost[questions] },
    settled: settledAfter(decisions),
  };
}

/** After how many questions rows have their last decision, on average. */
function settledAfter(decisions: readonly (readonly number[])[]): number {
  const rows = decisions[0].length;
  let sum = 0;
  for (let r = 0; r < rows; r++) {
    let questions = decisions.length - 1;
    while (questions > 0 && decisions[questions - 1][r] === decisions[questions][r]) questions--;
    sum += questions;
  }
  return sum / rows;
}
