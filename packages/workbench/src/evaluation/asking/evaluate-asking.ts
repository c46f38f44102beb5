import { decide, predictColumns } from "conformant";
import { isGapIn, maskRows } from "./masked-rows.ts";
import { fixedOrder, type Order, type OrderRequest, ourOrder, randomOrder, weightsOrder } from "./orders.ts";

/** What an order comes to after 0, 1, …, n questions. */
export interface AskingCurve {
  readonly order: string;
  readonly accuracy: readonly number[];
  readonly logLoss: readonly number[];
  /** What the questions so far have cost, on average. */
  readonly cost: readonly number[];
  /** Questions, and their cost, until 95 % of the accuracy with everything known is reached. */
  readonly enough: { readonly questions: number; readonly cost: number };
}

/** Whether asking pays: orders of questions, judged on the same rows. */
export interface AskingEvaluation {
  readonly rows: number;
  readonly columns: number;
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
  return { rows: request.judged.rows, columns: request.judged.columns.length, curves };
}

function curveOf(
  { model, judged, costs }: OrderRequest,
  order: Order,
  labels: ArrayLike<number>,
): AskingCurve {
  const n = judged.columns.length;
  const K = model.classifier.classes.length;
  const priceOf = judged.schema.columns.map(({ name }) => (Object.hasOwn(costs, name) ? costs[name] : 1));
  /** When each column of a row is asked for; gaps never are. */
  const turn = new Int32Array(judged.rows * n).fill(n);
  for (let r = 0; r < judged.rows; r++)
    for (let t = 0, asked = 0; t < n; t++) {
      const column = order.columns[r * n + t];
      if (!isGapIn(judged.columns[column], r)) turn[r * n + column] = asked++;
    }
  const [accuracy, logLoss, cost]: number[][] = [[], [], []];
  for (let questions = 0; questions <= n; questions++) {
    const { probabilities } = predictColumns(
      model,
      maskRows(judged, (r, c) => turn[r * n + c] < questions),
    );
    let [right, loss, paid] = [0, 0, 0];
    for (let r = 0; r < judged.rows; r++) {
      if (decide(probabilities.subarray(r * K, (r + 1) * K)).class === labels[r]) right++;
      loss -= Math.log(probabilities[r * K + labels[r]]);
      for (let c = 0; c < n; c++) if (turn[r * n + c] < questions) paid += priceOf[c];
    }
    accuracy.push(right / judged.rows);
    logLoss.push(loss / judged.rows);
    cost.push(paid / judged.rows);
  }
  const questions = accuracy.findIndex((share) => share >= ENOUGH * accuracy[n]);
  return { order: order.name, accuracy, logLoss, cost, enough: { questions, cost: cost[questions] } };
}
