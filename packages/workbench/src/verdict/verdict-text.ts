import { counted } from "../source/count.ts";
import { roundPercent, short } from "../source/format-number.ts";
import type { ClassificationVerdict, ModelVerdict } from "./model-verdict.ts";
import { calibrationSentence } from "./verdict-sentence.ts";

/** A confusion table is printed up to so many classes. */
const MOST_CLASSES = 12;

/** A verdict as texts: facts by name, and a table of true against predicted classes for three or more classes or rows of an evaluation. */
export interface VerdictTexts {
  readonly sentence: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
  readonly confusion?: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** What people call a class, and the unit of the number that is predicted. */
export interface VerdictWords {
  readonly className?: (name: string) => string;
  readonly unit?: string | undefined;
}

/**
 * Describes a verdict.
 *
 * @param classes in the order of the model
 */
export function describeVerdict(
  verdict: ModelVerdict,
  classes: readonly string[],
  { className = String, unit }: VerdictWords = {},
): VerdictTexts {
  const { sentence, rows, folds, imported } = verdict;
  const what = imported ? "distribution" : "model";
  const how = folds > 0 ? `, each by a ${what} fitted to other rows (${counted(folds, "fold")})` : "";
  const scored = ["scored", `${counted(rows, "row")}${how}; ± is one standard error`] as const;
  if (verdict.task === "regression") {
    const inUnit = (text: string): string => (unit === undefined ? text : `${text} ${unit}`);
    const { rmse, rmseStandardError, mae, r2, baselineRmse } = verdict;
    const errors = [
      "error",
      `root mean squared ${inUnit(`${short(rmse)} ± ${short(rmseStandardError, 2)}`)}, of the mean ${inUnit(short(baselineRmse))}; mean absolute ${inUnit(short(mae))}; R² ${short(r2)}`,
    ] as const;
    return { sentence, facts: [scored, errors] };
  }
  const { twoClasses, logLoss, logLossStandardError, baselineLogLoss, brier } = verdict;
  const facts = [
    scored,
    [
      "log loss",
      `${short(logLoss)} ± ${short(logLossStandardError, 2)}, class shares ${short(baselineLogLoss)}; Brier score ${short(brier)}`,
    ],
    ...(twoClasses ? [["AUC", twoClassText(twoClasses, className)] as const] : []),
    ["calibration", calibrationSentence(verdict)],
  ] as const;
  const isTable = classes.length > 2 || folds === 0;
  return { sentence, facts, ...(isTable && { confusion: confusionTable(verdict, classes) }) };
}

/** A share as prose has it, without the space of a table. */
function inProse(share: number): string {
  return roundPercent(share).replace(" ", "");
}

/** How well the second class is told from the first, and how its predictions turn out. */
function twoClassText(
  {
    positive,
    auc,
    aucStandardError,
    threshold,
    recall,
    precision,
  }: NonNullable<ClassificationVerdict["twoClasses"]>,
  className: (name: string) => string,
): string {
  const found = `recall ${inProse(recall)}, precision ${precision === null ? "undefined: it is never predicted" : inProse(precision)}`;
  return `${short(auc)} ± ${short(aucStandardError, 2)}; ${className(positive)} from a probability of ${threshold}: ${found}`;
}

/** True classes against predicted ones, with the recall of each class. */
function confusionTable(
  { confusion }: ClassificationVerdict,
  classes: readonly string[],
): NonNullable<VerdictTexts["confusion"]> {
  const shown = classes.slice(0, MOST_CLASSES);
  const left = classes.length - shown.length;
  return {
    header: [
      "true class",
      ...shown.map((name) => `→ ${name}`),
      ...(left > 0 ? [`→ ${left} more`] : []),
      "recall",
    ],
    rows: shown.map((name, k) => {
      const all = confusion[k].reduce((sum, n) => sum + n, 0);
      const others = confusion[k].slice(MOST_CLASSES).reduce((sum, n) => sum + n, 0);
      return [
        name,
        ...confusion[k].slice(0, MOST_CLASSES).map(String),
        ...(left > 0 ? [String(others)] : []),
        all > 0 ? roundPercent(confusion[k][k] / all) : "",
      ];
    }),
  };
}
