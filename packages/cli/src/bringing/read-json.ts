import type { ClassifierJson } from "conformant";
import { type BroughtClassifier, type ReadingContext, refuseFile } from "./brought-classifier.ts";

/** A classifier as this project writes it: classes, features, intercept, coef, and perhaps mean and scale. */
export function readJson(text: string, { path }: ReadingContext): BroughtClassifier {
  const json = parse(text, path);
  if (json?.format === "conformant-model")
    throw refuseFile(
      path,
      "this is a fitted model, expected a classifier",
      "conformant export MODEL --to json writes the classifier of a model",
    );
  for (const name of ["classes", "features"] as const) {
    const list: unknown = json?.[name];
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string" && item !== ""))
      throw refuseFile(path, `expected ${JSON.stringify(name)}, a list of names that are non-empty texts`);
  }
  if (json.label !== undefined && typeof json.label !== "string")
    throw refuseFile(path, 'expected "label", the name of a column');
  const { classes, features, intercept, coef, mean, scale, label } = json;
  return {
    json: {
      classes,
      features,
      intercept,
      coef,
      ...(mean && { mean }),
      ...(scale && { scale }),
      ...(label && { label }),
    },
    notes: [],
  };
}

function parse(text: string, path: string): ClassifierJson & { readonly format?: unknown } {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuseFile(path, `not JSON: ${(cause as Error).message}`, undefined, cause);
  }
}
