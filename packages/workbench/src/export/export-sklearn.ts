import type { Model } from "conformant";
import { TableError } from "../source/table-error.ts";
import { classifierJson } from "./classifier-json.ts";
import { fillValues, hasFillValues } from "./fill-values.ts";
import { requireAtoms } from "./require-atoms.ts";

/**
 * The values that scikit-learn's SimpleImputer(strategy="constant") has to put into gaps so that the untouched classifier
 * answers as the model does: as JSON, and the Python that uses it.
 */
export function exportSklearn(model: Model, file: string): { json: string; python: string } {
  const {
    response: { outputs: classes },
  } = model;
  requireAtoms(model, "constants for scikit-learn");
  if (!hasFillValues(model)) {
    const [K, M] = [classes.length, model.components.length];
    throw new TableError(
      "not-exportable",
      `constants can stand for gaps only with two classes and one component, the model has ${K} classes and ${M} component${M === 1 ? "" : "s"}`,
      {
        hint: K === 2 ? "fit with --components 1, or export --to onnx" : "export --to onnx carries all of it",
      },
    );
  }
  const { features } = classifierJson(model);
  const fill = fillValues(model);
  const document = { classes, features, fill: features.map((feature) => fill.get(feature)) };
  return { json: `${JSON.stringify(document, null, 1)}\n`, python: snippet(file) };
}

function snippet(file: string): string {
  return `"""Fills gaps so that a plain LogisticRegression answers with its expected prediction.

X has one column per feature, in the order of "features": numbers as they are before any scaling, 0/1 for
"column=value". A gap is NaN; where a categorical column is missing, all of its bits are NaN.

    model = make_pipeline(gap_filler(), classifier)      # the classifier stays as it was trained
    model.predict_proba(X)
"""

import json

from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer

FILE = ${pythonText(file)}


def gap_filler(path=FILE):
    with open(path, encoding="utf-8") as source:
        fill = json.load(source)["fill"]
    imputers = [
        (str(j), SimpleImputer(strategy="constant", fill_value=value, keep_empty_features=True), [j])
        for j, value in enumerate(fill)
    ]
    return ColumnTransformer(imputers).fit([[value for value in fill]])
`;
}

/** A text as Python writes it; JSON's escapes are Python's too. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}
