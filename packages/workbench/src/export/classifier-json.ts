import type { ClassifierJson, Model, Schema } from "conformant";
import { valueLabels } from "conformant/internal";
import { slotOffsets } from "conformant/remote";

/** The features of each column in the names of classifiers: the column, or `column=value` for each value. */
export function featuresOf({ schema }: { readonly schema: Schema }): string[][] {
  return schema.columns.map((column) =>
    column.kind === "numeric" || column.kind === "binary"
      ? [column.name]
      : valueLabels(column).map((value) => `${column.name}=${value}`),
  );
}

/** The additive classifier of a model in the format of --classifier: for two classes one row, the log-odds of the second. */
export function classifierJson(model: Model): ClassifierJson {
  const { schema } = model;
  const { intercept, weights } = model.tilt;
  const { outputs: classes } = model.response;
  const { label } = model.predictor;
  const K = classes.length;
  const slots = slotOffsets(schema)[schema.columns.length];
  const rows = classes.map((_, k) => Array.from({ length: slots }, (_, slot) => weights[slot * K + k]));
  const two = K === 2;
  return {
    classes,
    features: featuresOf(model).flat(),
    intercept: two ? [intercept[1] - intercept[0]] : [...intercept],
    coef: two ? [rows[1].map((weight, slot) => weight - rows[0][slot])] : rows,
    ...(label && { label }),
  };
}
