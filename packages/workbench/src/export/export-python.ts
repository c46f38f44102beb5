/// <reference path="../program-texts.d.ts" />
import type { Model } from "conformant";
import { TIE } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { modelData } from "./model-data.ts";
import { text as estimator } from "./python-estimator.py";
import { text as gaussian } from "./python-gaussian.py";
import { pythonJson } from "./python-json.ts";
import { text as predicting } from "./python-predict.py";
import { text as rows } from "./python-rows.py";
import { text as treesPart } from "./python-trees.py";

/** A model as one Python file that needs only NumPy: predictions, and an estimator for scikit-learn. */
export function exportPython(model: Model): string {
  const { gaussianColumns } = model;
  const trees = treesOf(model);
  const parts = [
    rows,
    predicting,
    ...(gaussianColumns ? [gaussian] : []),
    ...(trees ? [treesPart] : []),
    estimator,
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


${parts.map((part) => part.trim()).join("\n\n\n")}
`;
}
