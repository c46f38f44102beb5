"""Writes a classifier of scikit-learn, statsmodels or interpret as JSON for `conformant fit --classifier`. Needs NumPy.

    from conformant_export import export
    export(pipeline, X, "classifier.json")

X is a DataFrame as the classifier takes it, or an array with names=["age", ...]. What is not additive in its columns, and no
trees, is refused by name. `conformant python > conformant_export.py` writes this file.
"""

import ast
import json
import re
import warnings

import numpy as np


class NotExportable(ValueError):
    """A step or a setting that a sum over columns, or trees, cannot express."""


def export(model, X, path, names=None, classes=None, label=None):
    """Writes the classifier to a file.

    names: the columns, where X has none. classes: names for the classes, in their order, where the model only counts them.
    label: the column that was learned.
    """
    document = describe(model, X, names, classes)
    if label is not None:
        document["label"] = label
    text = json.dumps(document, allow_nan=False)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def describe(model, X, names=None, classes=None):
    """The classifier as the document that `export` writes."""
    columns = [str(name) for name in (names if names is not None else getattr(X, "columns", []))]
    if not columns:
        raise NotExportable('X has no names of columns: pass a DataFrame, or names=["age", ...]')
    if len(set(columns)) < len(columns):
        raise NotExportable("two columns of X have the same name")
    if hasattr(X, "shape") and X.shape[1] != len(columns):
        raise NotExportable(f"X has {X.shape[1]} columns, names has {len(columns)}")
    features = [Number(columns[j], _is_bit(X, j)) for j in _positions(model, columns, names is None)]
    document = _describe(model, features)
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
    if name in _TREES:
        return _TREES[name](model, features)
    if name in _SUMS:
        return _sum_of_columns(*_SUMS[name](model, features))
    if hasattr(model, "model") and hasattr(model, "params"):
        return _sum_of_columns(*_statsmodels(model, features))
    raise NotExportable(f"{name} is neither a sum over columns nor made of trees; it can be exported from: {', '.join([*_SUMS, *_TREES])}")


def _text(value):
    """A class or a category as texts are written: whole numbers without a fraction, truth values in small letters."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
