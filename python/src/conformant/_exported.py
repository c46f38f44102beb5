"""An existing classifier or regressor as the file that the engine imports."""

from __future__ import annotations

import json
from typing import Any, Optional

import numpy as np

from ._program import shared


def export_model(model: Any, X: Any, names: list[str], classes: Optional[Any]) -> tuple[str, bytes, list[str]]:
    """The name of a file, its contents, and options of the command that say what the file leaves open."""
    booster = _booster(model)
    labels = classes if classes is not None else getattr(model, "classes_", None)
    options = [] if labels is None else [f"--classes={_list([shared()._text(own) for own in labels])}"]
    if booster is None:
        from ._built.exporter import describe

        document = describe(model, X, names if not hasattr(X, "columns") else None, classes)
        return type(model).__name__ + ".json", json.dumps(document, allow_nan=False).encode(), []
    if hasattr(booster, "save_raw"):
        _require_names(booster.feature_names, names)
        contents = bytes(booster.save_raw("json"))
        coded = [name for name, kind in zip(names, booster.feature_types or []) if kind == "c"]
        if booster.feature_names is None:
            options.append(f"--columns={_list(names)}")
        return "xgboost.json", contents, options + _categories(X, coded)
    contents = booster.model_to_string().encode()
    _require_names(booster.feature_name(), names)
    return "lightgbm.txt", contents, options


def _booster(model: Any) -> Any:
    """The trees behind a model of XGBoost or LightGBM, None for any other."""
    package = type(model).__module__.split(".")[0]
    if package == "xgboost":
        return _best_rounds(model) if hasattr(model, "get_booster") else model
    if package == "lightgbm":
        return model.booster_ if hasattr(model, "booster_") else model
    return None


def _best_rounds(model: Any) -> Any:
    """The booster of a model of XGBoost: after early stopping the best rounds, which the model predicts with."""
    booster = model.get_booster()
    try:
        rounds = model.best_iteration + 1
    except AttributeError:  # without early stopping
        return booster
    if rounds >= booster.num_boosted_rounds():
        return booster
    best = booster[:rounds]
    best.feature_names, best.feature_types = booster.feature_names, booster.feature_types
    return best


def _require_names(own: Optional[list[str]], names: list[str]) -> None:
    if own is None:
        return
    lacking = [name for name in own if name not in names]
    if lacking and not all(name.startswith("Column_") for name in lacking):
        raise ValueError(f"X lacks the column {lacking[0]!r}, which the model was trained on")


def _categories(X: Any, coded: list[str]) -> list[str]:
    """XGBoost numbers the categories of a column in the order of its dtype."""
    items = []
    for name in coded:
        categories = getattr(X[name].dtype, "categories", None)
        if categories is None:
            raise ValueError(f"column {name!r} must have the categorical dtype that the model was trained on")
        first, *others = [shared()._text(own) for own in categories]
        items += [f"{name}={first}", *others]
    return [f"--categories={_list(items)}"] if items else []


def _list(items: list[str]) -> str:
    """A list as the command reads it."""
    return ",".join('"' + item.replace('"', '""') + '"' for item in items)


def is_fitted(model: Any) -> bool:
    """Whether a model has learned something already."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    if not hasattr(model, "get_params"):
        return True  # a Booster, or a result of statsmodels
    try:
        check_is_fitted(model.steps[-1][1] if hasattr(model, "steps") else model)
    except NotFittedError:
        return False
    return True


def fit_on_complete_rows(model: Any, X: Any, y: Any) -> Any:
    """A copy of a model that is trained on the rows without missing values."""
    import pandas
    from sklearn.base import clone

    complete = ~pandas.DataFrame(X).isna().any(axis=1).to_numpy() & ~pandas.isna(np.asarray(y, dtype=object))
    if not complete.any():
        raise ValueError("every row has a missing value: pass a fitted classifier, or none to train one that takes missing values")
    rows = X[complete] if hasattr(X, "iloc") else np.asarray(X)[complete]
    return clone(model).fit(rows, np.asarray(y)[complete])
