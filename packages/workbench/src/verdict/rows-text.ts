import type { ModelVerdict } from "./model-verdict.ts";

/** The rows of a verdict, in a sentence. */
export function rowsText(
  { folds, imported }: Pick<ModelVerdict, "folds" | "imported">,
  predictor: "classifier" | "regressor",
): string {
  if (imported) return `these rows, on which the ${predictor} may have been trained`;
  return folds > 0 ? "new rows" : "these rows";
}
