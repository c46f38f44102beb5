"""Writes a classifier or regressor of scikit-learn, statsmodels or interpret as JSON for `conformant fit --classifier`. Needs NumPy.

    from conformant_export import export
    export(pipeline, X, "classifier.json")

X is a DataFrame as the model takes it, or an array with names=["age", ...]. What is not additive in its columns, and no
trees, is refused by name. `conformant python > conformant_export.py` writes this file.
"""

import ast
import json
import math
import re
import warnings

import numpy as np


class NotExportable(ValueError):
    """A step or a setting that a sum over columns, or trees, cannot express."""


def export(model, X, path, names=None, classes=None, label=None):
    """Writes the model to a file.

    names: the columns, where X has none. classes: names for the classes, in their order, where the model only counts them.
    label: the column that was learned; of a regressor also the name of its answer.
    """
    document = describe(model, X, names, classes)
    if label is not None:
        document["label"] = label
        if "output" in document:
            document["output"] = label
    text = json.dumps(document, allow_nan=False)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def describe(model, X, names=None, classes=None):
    """The model as the document that `export` writes."""
    columns = [str(name) for name in (names if names is not None else getattr(X, "columns", []))]
    if not columns:
        raise NotExportable('X has no names of columns: pass a DataFrame, or names=["age", ...]')
    if len(set(columns)) < len(columns):
        raise NotExportable("two columns of X have the same name")
    if hasattr(X, "shape") and X.shape[1] != len(columns):
        raise NotExportable(f"X has {X.shape[1]} columns, names has {len(columns)}")
    features = [Number(columns[j], _is_bit(X, j)) for j in _positions(model, columns, names is None)]
    document = _describe(model, features)
    if "output" in document:
        if classes is not None:
            raise NotExportable(f"{type(model).__name__} predicts a number, and classes names classes")
        return document
    document["classes"] = [_text(name) for name in (document["classes"] if classes is None else classes)]
    if len(set(document["classes"])) < len(document["classes"]):
        raise NotExportable("two classes have the same name")
    return document


def _positions(model, columns, by_name):
    """Where X has the columns that the model was trained on, in the order of the training."""
    own = getattr(model, "feature_names_in_", None)
    if by_name and own is not None:
        lacking = [name for name in own if name not in columns]
        if lacking:
            raise NotExportable(f"X lacks the column {lacking[0]!r}, which the model was trained on")
        return [columns.index(name) for name in own]
    n = getattr(model, "n_features_in_", len(columns))
    if n != len(columns):
        raise NotExportable(f"X has {len(columns)} columns, the model was trained on {n}")
    return range(n)


def _is_bit(X, j):
    """Whether a column is only ever 0 or 1: then any function of it is a line."""
    if not hasattr(X, "shape") or len(X) == 0:
        return False
    values = np.asarray(X.iloc[:, j] if hasattr(X, "iloc") else X[:, j])
    return values.dtype.kind in "fiub" and bool(np.isin(values[~np.isnan(values.astype(float))], (0, 1)).all())


def _describe(model, features):
    """What a model makes of features: its document."""
    name = type(model).__name__
    if name in ("Pipeline", "GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV"):
        if name != "Pipeline":
            return _describe(model.best_estimator_, features)
        for _, step in model.steps[:-1]:
            features = _transform(step, features)
        return _describe(model.steps[-1][1], features)
    if name == "TransformedTargetRegressor":
        return _transformed_target(model, features)
    for kinds in (_TREES, _SUMS):
        if name in kinds:
            document = kinds[name](model, features)
            return _require_finite(document if kinds is _TREES else _sum_of_columns(*document), name)
    if hasattr(model, "model") and hasattr(model, "params"):
        return _require_finite(_sum_of_columns(*_statsmodels(model, features)), name)
    known = "linear, Poisson, gamma and Tweedie regressors, trees, forests and boosted trees"
    if hasattr(model, "classes_"):
        known = ", ".join(own for own in [*_SUMS, *_TREES] if not own.endswith("Regressor") and own not in _REGRESSIONS)
    raise NotExportable(f"{name} is neither a sum over columns nor made of trees; what can be exported: {known}")


def _number(link="identity"):
    """What a regressor answers: a number, which is the inverse link of a sum."""
    return {"output": "prediction", "link": link}


def _transformed_target(model, features):
    """exp of what a regressor answers is a log link; other functions of an answer are no link that is known."""
    undo = getattr(model.transformer_, "inverse_func", None)
    if undo is not np.exp:
        found = getattr(undo, "__name__", None) or type(model.transformer_).__name__
        raise NotExportable(f"TransformedTargetRegressor that ends in {found}, expected inverse_func=np.exp")
    document = _describe(model.regressor_, features)
    if document["link"] != "identity":
        raise NotExportable(f"TransformedTargetRegressor of a regressor with the link {document['link']}, expected identity")
    return {**document, "link": "log"}


def _require_finite(document, name):
    """A number that is not finite cannot be written as JSON, and no answer follows from it."""
    weights = [document["intercept"], document["coef"]] if "coef" in document else [tree["value"] for tree in document["trees"]]
    pending = [weights, document.get("base", [])]
    while pending:
        own = pending.pop()
        if isinstance(own, list):
            pending += own
        elif own is not None and not math.isfinite(own):
            raise NotExportable(f"{name} has {'a coefficient' if 'coef' in document else 'a leaf'} that is {own}")
    return document


def _text(value):
    """A class or a category as texts are written: whole numbers without a fraction, truth values in small letters."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
