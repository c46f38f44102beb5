/// <reference path="../program-texts.d.ts" />
import { type AnyModel, isRegression } from "conformant";
import { TIE } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { modelData, predictorInWords } from "./model-data.ts";
import { text as classifier } from "./python-classifier.py";
import { text as estimator } from "./python-estimator.py";
import { text as gaussian } from "./python-gaussian.py";
import { pythonJson } from "./python-json.ts";
import { text as linear } from "./python-linear.py";
import { text as predictNumbers } from "./python-number.py";
import { text as predictClasses } from "./python-predict.py";
import { text as regressor } from "./python-regressor.py";
import { text as rows } from "./python-rows.py";
import { text as scores } from "./python-scores.py";
import { text as treesPart } from "./python-trees.py";

/** A model as one Python file that needs only NumPy: predictions, and an estimator for scikit-learn. */
export function exportPython(model: AnyModel): string {
  const [trees, isNumber] = [treesOf(model), isRegression(model)];
  const parts = [
    rows,
    ...(isNumber && !trees ? [linear] : []),
    scores,
    ...(model.gaussianColumns ? [gaussian] : []),
    ...(trees ? [treesPart] : []),
    isNumber ? predictNumbers : predictClasses,
    estimator,
    isNumber ? regressor : classifier,
  ];
  return `"""Expected predictions of ${predictorInWords(model)} on rows with gaps, written by conformant. Needs NumPy and nothing else.
${isNumber ? NUMBERS : CLASSES}"""

import decimal
import json
import re
import sys
import warnings

import numpy as np

MODEL = json.loads(
    ${pythonJson(modelData(model))}
)
${isNumber ? "" : `TIE = ${TIE}  # probabilities that differ by no more are tied\n`}

${parts.map((part) => part.trim()).join("\n\n\n")}
`;
}

const CLASSES = `
    from this_file import predict_proba, predict, predict_frame, CLASSES, COLUMNS
    predict_proba(rows)     # rows x classes; rows: a DataFrame, a list of dicts or a 2-D array; NaN, None, NA are gaps
    predict_frame(frame)    # the same as a DataFrame with the index of the frame

    from this_file import ConformantClassifier      # a fitted estimator, where scikit-learn is installed
`;

const NUMBERS = `
    from this_file import predict, predict_frame, OUTPUT, COLUMNS
    predict(rows)           # one number per row; rows: a DataFrame, a list of dicts or a 2-D array; NaN, None, NA are gaps
    predict_frame(frame)    # the same as a DataFrame with the index of the frame

    from this_file import ConformantRegressor       # a fitted estimator, where scikit-learn is installed
`;
