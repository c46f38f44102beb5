import { type AnyModel, encode, isRegression, type Model, predictColumns, type Table } from "conformant";
import { treesOf } from "conformant/trees";
import {
  chooseRows,
  createMethods,
  divideRows,
  evaluateMethods,
  evaluateNumbers,
  type FitResult,
  maskCells,
  NATIVE,
  type Reporter,
  scoreAnswers,
  scoreColumns,
  splitLabel,
} from "conformant-workbench";
import type { ClassEvaluation, FitChoices, StudyEvaluation } from "./study-messages.ts";

/** Shares of masked cells, repeats of each, and the share used for the confusion matrix and the columns. */
const [RATES, REPEATS, HALF] = [[0.25, 0.5, 0.75, 0.9], 3, 0.5];
/** Maximum numbers of test rows and of training rows for baselines; nearest neighbors compare all pairs. */
const [MOST_SCORED, MOST_LEARNED] = [1000, 4000];
/** Columns × rows beyond which the importance of columns is computed on fewer rows. */
const COLUMN_WORK = 100_000;

/** Scores a fitted model and the usual baselines on masked rows. Undefined if there are no labels. */
export function evaluateModel(
  { model, labeled }: FitResult<AnyModel>,
  choices: Pick<FitChoices, "label" | "seed">,
  messages: Reporter,
): StudyEvaluation | undefined {
  if (!isRegression(model)) return evaluateClasses({ model, labeled }, choices, messages);
  if (!labeled) return undefined;
  const against = ["mean" as const, "knn" as const, ...(treesOf(model) ? [NATIVE] : [])];
  const plan = { rates: RATES, repeats: REPEATS, mechanism: "mcar", blocks: [], seed: choices.seed } as const;
  const { judged, training } = divideRows(labeled, MOST_SCORED, choices.seed);
  const learned = chooseRows(training, MOST_LEARNED, choices.seed);
  const options = { plan, against, mostRows: MOST_SCORED };
  return { numbers: evaluateNumbers(model, judged, learned, options, messages) };
}

function evaluateClasses(
  { model, labeled }: { readonly model: Model; readonly labeled: Table | undefined },
  { label = "", seed }: Pick<FitChoices, "label" | "seed">,
  messages: Reporter,
): ClassEvaluation | undefined {
  if (!labeled) return undefined;
  // Whether a value is missing in the data is settled before cells are masked: masked ones are missing at random.
  const columns = [...model.schema.columns, labeled.schema.columns[labeled.columns.length - 1]];
  const { judged: scored, training } = divideRows(encode({ columns }, labeled), MOST_SCORED, seed);
  const rows = splitLabel(scored);
  const baselines = ["mean" as const, "knn" as const, ...(treesOf(model) ? [NATIVE] : [])];
  const learned = chooseRows(training, MOST_LEARNED, seed);
  const methods = createMethods(model, baselines, learned, label, messages);
  const plan = { rates: RATES, repeats: REPEATS, mechanism: "mcar", blocks: [], seed } as const;
  const evaluation = evaluateMethods(model, methods, rows, plan, messages);
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const masked = maskCells(rows.table, HALF, "mcar", [], seed);
  const { probabilities } = predictColumns(model, masked);
  const fewer = chooseRows(scored, Math.max(50, Math.floor(COLUMN_WORK / schema.columns.length)), seed);
  messages.progress("scoring columns");
  return {
    evaluation,
    masked: HALF,
    scored: scoreAnswers(probabilities, rows.labels, classes.length),
    columns: scoreColumns(model, splitLabel(fewer)),
    classes,
  };
}
