import { readFileSync } from "node:fs";
import { type Model, TIE } from "conformant";
import { modelData } from "../model-data.ts";
import { pythonJson } from "./python-json.ts";

/** The parts of an exported file, which stand beside this one; the same for every model that needs them. */
function source(part: string): string {
  return readFileSync(new URL(`./${part}.py`, import.meta.url), "utf8").trim();
}

/** A model as one file of Python that needs NumPy and nothing else: what answers, and an estimator for scikit-learn. */
export function exportPython(model: Model): string {
  const { trees, block } = model;
  const parts = [
    "rows",
    "predicting",
    ...(block ? ["gaussian"] : []),
    ...(trees ? ["trees"] : []),
    "estimator",
  ];
  return `"""Expected predictions of ${trees ? "trees" : "a logistic regression"} on rows with gaps, written by conformant. Needs NumPy and nothing else.

    from this_file import predict_proba, predict, predict_frame, CLASSES, COLUMNS
    predict_proba(rows)     # rows x classes; rows: a DataFrame, a list of dicts or a 2-D array; NaN, None, NA are gaps
    predict_frame(frame)    # the same as a DataFrame with the index of the frame

    from this_file import ConformantClassifier      # a fitted estimator, where scikit-learn is installed
"""

import decimal
import json
import re
import sys
import warnings

import numpy as np

MODEL = json.loads(
    ${pythonJson(modelData(model))}
)
TIE = ${TIE}  # probabilities that differ by no more are tied


${parts.map(source).join("\n\n\n")}
`;
}
