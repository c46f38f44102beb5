import type { AskPlan, Question } from "conformant";
import { percent, short } from "conformant-workbench";
import { textTable } from "../terminal/text-table.ts";
import { estimateText } from "./standing.ts";

/** Rows of the table of questions; the JSON has all of them. */
const MOST = 24;

/** The missing columns, best first, with costs where they were given, and the gain of two questions where it exceeds that of one. */
export function rankingText(questions: readonly Question[], withCosts: boolean): string {
  if (questions.length === 0) return "Everything is known: there is nothing to ask.";
  const shown = questions.slice(0, MOST);
  const together = shown.some(({ ahead }) => ahead);
  const header = [
    "ask",
    "information",
    "changes the decision",
    ...(withCosts ? ["cost", "per cost"] : []),
    ...(together ? ["both", "with"] : []),
  ];
  const rows = shown.map(({ column, informationGain, changesDecision, cost, gainPerCost, ahead }) => [
    column,
    informationGain.toFixed(3),
    percent(changesDecision),
    ...(withCosts ? [short(cost), gainPerCost.toFixed(3)] : []),
    ...(together ? [ahead ? ahead.informationGain.toFixed(3) : "", ahead ? ahead.column : ""] : []),
  ]);
  const table = textTable(header, rows, (c) => c > 0 && !(together && c === header.length - 1));
  return questions.length > MOST
    ? `${table}\n… and ${questions.length - MOST} more; --json shows all`
    : table;
}

/** The questions in order, and whether they make the decision safe. */
export function planText({ sameDecision, questions, reached }: AskPlan, threshold: number): string {
  const goal = `the same decision with probability ${threshold}`;
  if (questions.length === 0)
    return reached
      ? `No question is needed for ${goal}: it is ${estimateText(sameDecision)} now.`
      : "Everything is known: there is nothing to ask.";
  const table = textTable(
    ["ask in this order", "information", "total cost", "same decision"],
    questions.map((question) => [
      question.column,
      question.informationGain.toFixed(3),
      short(question.totalCost),
      estimateText(question.sameDecision),
    ]),
    (c) => c > 0,
  );
  return `${table}\n${reached ? `After these it is ${goal} or more.` : `Even then ${goal} is not reached.`}`;
}
