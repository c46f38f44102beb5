import {
  type AskingCurve,
  type AskingEvaluation,
  type Effort,
  ENOUGH,
  roundPercent,
  short,
} from "conformant-workbench";
import { textTable } from "../terminal/text-table.ts";

/** Numbers of questions that are shown: the first few, then ever fewer, and all. */
function shownQuestions(all: number): number[] {
  const steps = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
  return [...steps.filter((step) => step < all), all];
}

/** A table of the accuracy and one of the log loss: a line per number of questions, a column per order. */
export function askingText(
  { curves, questions }: Pick<AskingEvaluation, "curves" | "questions">,
  withCosts: boolean,
): string {
  const orders = curves.map(({ order }) => order);
  const tableOf = (pick: (curve: (typeof curves)[number]) => readonly number[]): string =>
    textTable(
      ["questions", ...orders],
      shownQuestions(questions).map((t) => [String(t), ...curves.map((curve) => pick(curve)[t].toFixed(4))]),
      () => true,
    );
  return [
    `Accuracy (higher is better)\n${tableOf(({ accuracy }) => accuracy)}`,
    `Log loss (lower is better)\n${tableOf(({ logLoss }) => logLoss)}`,
    enoughSentence({ curves }, withCosts),
  ].join("\n\n");
}

/** How many questions each order needs. */
export function enoughSentence({ curves }: Pick<AskingEvaluation, "curves">, withCosts: boolean): string {
  const rounded = (x: number): string => short(Number(x.toFixed(2)));
  const each = (of: (curve: AskingCurve) => string): string =>
    curves.map((curve) => `${curve.order} ${of(curve)}`).join(", ");
  const effort = ({ questions, cost }: Effort): string =>
    withCosts ? `${rounded(questions)} (cost ${short(cost)})` : rounded(questions);
  return [
    `Questions until ${roundPercent(ENOUGH)} of the accuracy with everything known: ${each(({ enough }) => effort(enough))}.`,
    `Questions until a row has its last prediction, on average: ${each(({ settled }) => rounded(settled))}.`,
  ].join("\n");
}

/** The curves as programs read them. */
export function askingJson({ rows, questions, curves }: AskingEvaluation): object {
  return {
    rows,
    questions,
    orders: Object.fromEntries(
      curves.map(({ order, accuracy, logLoss, cost, enough, settled }) => [
        order.replace(" ", "_"),
        { accuracy, log_loss: logLoss, cost, enough, settled },
      ]),
    ),
  };
}
