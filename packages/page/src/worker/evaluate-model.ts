import { predictColumns } from "conformant";
import { treesOf } from "conformant/trees";
import {
  chooseRows,
  createMethods,
  divideRows,
  evaluateMethods,
  type FitResult,
  maskCells,
  NATIVE,
  type Reporter,
  scoreAnswers,
  scoreColumns,
  splitLabel,
} from "conformant-workbench";
import type { FitChoices, StudyEvaluation } from "./study-messages.ts";

/** Shares of cells that are hidden, how often, and the share that classes and columns are judged by. */
const [RATES, REPEATS, HALF] = [[0.25, 0.5, 0.75, 0.9], 3, 0.5];
/** Rows that are judged and rows that rivals learn from at most: nearest neighbours compare each with each. */
const [MOST_JUDGED, MOST_LEARNED] = [1000, 4000];
/** Columns times rows beyond which columns are judged on fewer rows. */
const COLUMN_WORK = 100_000;

/**
 * What a fresh model is worth: cells of rows are hidden, and its answers compared with those of the usual ways. Undefined where no
 * row has an answer.
 */
export function evaluateModel(
  { model, labeled }: FitResult,
  { label = "", seed }: Pick<FitChoices, "label" | "seed">,
  messages: Pick<Reporter, "progress">,
): StudyEvaluation | undefined {
  if (!labeled) return undefined;
  const { judged, training } = divideRows(labeled, MOST_JUDGED, seed);
  const rows = splitLabel(judged);
  const rivals = ["mean" as const, "knn" as const, ...(treesOf(model) ? [NATIVE] : [])];
  const learned = chooseRows(training, MOST_LEARNED, seed);
  const methods = createMethods(model, rivals, learned, label, messages);
  const plan = { rates: RATES, repeats: REPEATS, mechanism: "mcar", blocks: [], seed } as const;
  const evaluation = evaluateMethods(model, methods, rows, plan, messages);
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const hidden = maskCells(rows.table, HALF, "mcar", [], seed);
  const { probabilities } = predictColumns(model, hidden);
  const fewer = chooseRows(judged, Math.max(50, Math.floor(COLUMN_WORK / schema.columns.length)), seed);
  messages.progress("judging columns");
  return {
    evaluation,
    hidden: HALF,
    judged: scoreAnswers(probabilities, rows.labels, classes.length),
    columns: scoreColumns(model, splitLabel(fewer)),
    classes,
  };
}
