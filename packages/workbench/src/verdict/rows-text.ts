import { listed } from "../source/quoted.ts";
import type { ModelVerdict } from "./model-verdict.ts";

/** Columns that are named in a sentence. */
const NAMED = 3;

/** The columns without which a good score may be far worse, in a sentence. */
export function leaksText({ leaks = [], better }: Pick<ModelVerdict, "leaks" | "better">): string {
  if (leaks.length === 0 || !better) return "";
  return `, with ${listed(leaks, NAMED)}, which ${leaks.length === 1 ? "gives" : "give"} the label away`;
}

/** The rows of a verdict, in a sentence. */
export function rowsText(
  { folds, imported }: Pick<ModelVerdict, "folds" | "imported">,
  predictor: "classifier" | "regressor",
): string {
  if (imported) return `these rows, on which the ${predictor} may have been trained`;
  return folds > 0 ? "new rows" : "these rows";
}
