from __future__ import annotations

import functools
import json
import os
import pathlib
import tempfile
import warnings
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d
from threadpoolctl import ThreadpoolController

from ._engine import ModelSession, ask
from ._exported import export_classifier, fit_on_complete_rows, is_fitted
from ._model_file import program_data, read_model
from ._program import load_program, shared
from ._results import Evaluation, Explanation, Questions, Verdict
from ._table import Frame, encode, has_categories

_NOT_SAVED = ("_training", "_sets_model")  # a saved model holds no training rows


class ExpectedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Expected predictions of a classifier for rows with missing values.

    A missing value is averaged over its distribution given the known ones, so that no imputer is needed before it.

        ExpectedClassifier().fit(X, y)     # trains a classifier
        ExpectedClassifier(xgb).fit(X)     # or takes a fitted one, which complete rows are predicted by

    Parameters
    ----------
    classifier : a fitted classifier of XGBoost, LightGBM, scikit-learn or statsmodels; one that is not fitted is trained on the complete
        rows of X and y. None trains a classifier of the kind `model` on all rows.
    model, missing, l2 : the options of `conformant fit` (docs/options.md) for the training; None for the command's default.
    components, numeric, train_on, bins, pseudocount, cross_validation, random_state (--seed) :
        the other options of `conformant fit`.
    types : the kinds of columns that are not to be detected, as in {"zip": "categorical"}.
    missing_values : texts that stand for a missing value, besides NaN, None, NA and the empty text.
    one_hot : prefixes of 0/1 columns that are one column, as in ["color"] for color_red and color_blue.
    classes : the class labels, in order, if `classifier` does not have them.
    extra : "error" or "ignore", for columns of a DataFrame that `fit` did not have.
    threads : threads for `fit`; None for as many as there are cores. The model is the same for any number.
    time_limit : seconds after which `fit` and the questions end with an error.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as everywhere in scikit-learn.
    verdict_ : how good the model is on rows it was not trained on, or None.
    report_ : what `conformant fit --json` prints.
    model_ : the model file as a text.
    """

    _estimator_type = "classifier"

    def __init__(
        self,
        classifier: Any = None,
        *,
        model: Optional[str] = None,
        components: Union[int, str] = "auto",
        numeric: str = "auto",
        missing: Optional[str] = None,
        l2: Union[float, str, None] = None,
        train_on: str = "all",
        bins: int = 32,
        pseudocount: float = 1.0,
        cross_validation: bool = True,
        types: Optional[Mapping[str, str]] = None,
        missing_values: Optional[Sequence[str]] = None,
        one_hot: Sequence[str] = (),
        classes: Optional[Sequence[Any]] = None,
        extra: str = "error",
        random_state: int = 0,
        threads: Optional[int] = None,
        time_limit: Optional[float] = None,
    ) -> None:
        self.classifier = classifier
        self.model = model
        self.components = components
        self.numeric = numeric
        self.missing = missing
        self.l2 = l2
        self.train_on = train_on
        self.bins = bins
        self.pseudocount = pseudocount
        self.cross_validation = cross_validation
        self.types = types
        self.missing_values = missing_values
        self.one_hot = one_hot
        self.classes = classes
        self.extra = extra
        self.random_state = random_state
        self.threads = threads
        self.time_limit = time_limit

    # Fitting ----------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> "ExpectedClassifier":
        """Trains a classifier on X and y, or takes the existing one, and fits the distribution of X. Runs the engine in Node.js."""
        frame = Frame.of(X)
        if frame.rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape=(0, {len(frame.columns)})) while a minimum of 1 is required.")
        self._set_features(frame)
        own_names, frame = frame.named(), frame.joined(self.one_hot, fitting=True)
        names = frame.named()
        classifier, contents = self.classifier, None
        if classifier is not None and y is not None and not is_fitted(classifier):
            classifier = fit_on_complete_rows(classifier, X, y)
        if classifier is not None:
            file, contents, words = export_classifier(classifier, X, own_names, self.classes)
            labels = self.classes if self.classes is not None else getattr(classifier, "classes_", None)
            words.append(f"--classifier={file}")
            table = list(zip(names, frame.columns))
        else:
            labels, codes = _read_labels(y, frame.rows)
            label = _label_name(y, names)
            words = [f"--label={label}"]
            texts = np.array([shared()._text(own) for own in labels] + [None], dtype=object)
            table = [*zip(names, frame.columns), (label, texts[codes])]
        rows = _EncodedRows("X", table, frame.rows)
        fitted = self._fit_rows(rows, [*words, *self._options(names, frame.columns, classifier is None)], contents)
        for name in _NOT_SAVED:
            self.__dict__.pop(name, None)
        self._calibration: Optional[str] = None
        self._use(fitted["model"], fitted["report"], labels)
        if classifier is None:
            self._training = (rows, words, label, int((codes >= 0).sum()))
        return self

    def _fit_rows(self, rows: "_EncodedRows", words: list[str], contents: Optional[bytes] = None) -> dict[str, Any]:
        import base64

        request: dict[str, Any] = {"op": "fit", "words": words}
        if contents is not None:
            request["classifier"] = base64.b64encode(contents).decode()
        result, told = ask([rows.lines(request)], self.time_limit)
        for text in told:
            warnings.warn(text, UserWarning, stacklevel=3)
        return dict(result)

    def _options(self, names: list[str], columns: list[Any], trains: bool) -> list[str]:
        """The parameters as options of the command."""
        unknown = [name for name in self.types or {} if name not in names]
        if unknown:
            raise ValueError(f"types names {unknown[0]!r}, which is no column of X")
        types = {name: "categorical" for name, own in zip(names, columns) if trains and has_categories(own)}
        types.update(self.types or {})
        words = [
            f"--components={self.components}",
            f"--numeric={self.numeric}",
            f"--bins={self.bins}",
            f"--pseudocount={self.pseudocount}",
            f"--seed={self.random_state}",
        ]
        if trains:
            words.append(f"--train-on={self.train_on}")
            for name, value in (("model", self.model), ("missing", self.missing), ("l2", self.l2)):
                if value is not None:
                    words.append(f"--{name}={value}")
            if not self.cross_validation:
                words.append("--no-cross-validation")
        if self.threads is not None:
            words.append(f"--threads={self.threads}")
        if self.missing_values:
            words.append(f"--na={_list(self.missing_values)}")
        if self.one_hot:
            words.append(f"--one-hot={_list(self.one_hot)}")
        if types:
            words.append(f"--type={_list([f'{name}={kind}' for name, kind in types.items()])}")
        return words

    def _set_features(self, frame: Frame) -> None:
        self.n_features_in_ = len(frame.columns)
        if frame.names is not None:
            self.feature_names_in_ = np.array(frame.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _use(self, model: str, report: Optional[Mapping[str, Any]], labels: Optional[Sequence[Any]]) -> None:
        """Takes a model file, and labels that stand for its classes."""
        read = read_model(model)
        own = read["classifier"]["classes"]
        places = {name: k for k, name in enumerate(own)}
        classes = np.array(own, dtype=object) if labels is None else np.asarray(labels)
        order = []
        for label in classes:
            text = shared()._text(label)
            place = places.get(text, places.get(text.strip()))
            if place is None:
                raise ValueError(f"the class {label!r} is not one of the model, which has {', '.join(map(repr, own))}")
            order.append(place)
        self.model_ = model
        self.classes_ = classes
        self._order = np.array(order)
        self.report_ = report
        verdict = read.get("metadata", {}).get("verdict")
        self.verdict_ = None if verdict is None else Verdict(verdict, classes[np.argsort(self._order)])

    # Predicting -------------------------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> np.ndarray:
        """The expected probability of each class: rows × classes_. Runs in NumPy, without the engine."""
        return self._predict(X)[0]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """The most likely class of each row."""
        probabilities = self.predict_proba(X)
        own = np.empty_like(probabilities)
        own[:, self._order] = probabilities  # a tie goes to the last class in the order of the model
        return self.classes_[np.argsort(self._order)[self._get_program()._decide(own)]]

    def standard_errors(self, X: Any) -> np.ndarray:
        """The standard error of each row's probabilities, 0 where they are exact. Only rows of trees are sampled."""
        return self._predict(X)[1]

    def _predict(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self, "model_")
        program = self._get_program()
        sources, rows = self._sources(X)
        cells = program._read_cells(sources, rows)
        with _blas_threads().limit(limits=1, user_api="blas"):  # on many small matrices threads wait for each other
            probabilities, errors = program._predict_cells(cells)
        return probabilities[:, self._order], errors

    def _sources(self, X: Any) -> tuple[list[Any], int]:
        """The columns of the model in X, None for one that X lacks."""
        frame = Frame.of(X)
        own = [column["name"] for column in self._get_program().COLUMNS]
        if frame.names is None:
            if len(frame.columns) != self.n_features_in_:
                raise ValueError(
                    f"X has {len(frame.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input"
                )
            if hasattr(self, "feature_names_in_"):
                warnings.warn(
                    f"X does not have valid feature names, but {type(self).__name__} was fitted with feature names", stacklevel=4
                )
            names = list(getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)]))
        else:
            names = frame.names
            known = {*own, *getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])}
            unknown = [name for name in names if name not in known and name != self._get_program().MODEL.get("label")]
            if unknown and self.extra != "ignore":
                raise ValueError(f"X has the column {unknown[0]!r}, which fit did not have; extra='ignore' ignores such columns")
        frame = Frame(names, frame.columns, frame.rows).joined(self.one_hot)
        places = dict(zip(frame.named(), frame.columns))
        if own and not any(name in places for name in own):
            raise ValueError(f"X has none of the columns of the model: expected {', '.join(own[:6])}")
        return [_without(places.get(name), self.missing_values) for name in own], frame.rows

    def _get_program(self) -> Any:
        check_is_fitted(self, "model_")
        return _load_program(self.model_)

    # Questions --------------------------------------------------------------------------------------------------------

    def explain(self, row: Any, **options: Any) -> Explanation:
        """Why a row is predicted as it is, and which of its values would suffice. Runs the engine.

        row: a Series, a dict, or a DataFrame of one row. options: threshold, use, avoid, groups, time_limit, strict, shapley, sensitivity.
        """
        return Explanation(self._question("explain", row, options))

    def ask(self, row: Any, **options: Any) -> Questions:
        """The missing values of a row, the most informative first. Runs the engine. options: costs, look_ahead, groups, strict."""
        return Questions(self._question("ask", row, options)["questions"])

    def _question(self, op: str, row: Any, options: Mapping[str, Any]) -> Any:
        body = {_camel(name): value for name, value in options.items()}
        return self._get_session().ask({"op": op, "body": {"row": self._rows(_one_row(row))[0], **body}}, time_limit=self.time_limit)

    def calibrate(self, X: Any, y: Any, rows: int = 2000) -> "ExpectedClassifier":
        """Takes labeled rows that the model was not fitted on, at most so many, for `prediction_sets`. Runs the engine."""
        self._calibration = self._with_labels("calibrate", X, y, {"rows": rows})
        return self

    def prediction_sets(self, X: Any, coverage: float = 0.9) -> list[list[Any]]:
        """For each row a set of classes that holds the true one with a probability of at least `coverage`. Runs the engine.

        The sets are calibrated on the rows given to `calibrate`. Without them, a second model is fitted on three quarters of the training
        rows and calibrated on the others; the sets are those of the second model.
        """
        check_is_fitted(self, "model_")
        if self._calibration is None:
            return self._model_for_sets().prediction_sets(X, coverage)
        body = {"rows": self._rows(X), "set": coverage}
        answered = self._get_session().ask({"op": "predict", "body": body}, time_limit=self.time_limit)
        labels = {name: label for name, label in zip(self._own_classes(), self.classes_[np.argsort(self._order)])}
        return [[labels[name] for name in own["set"]["classes"]] for own in answered["predictions"]]

    def evaluate(
        self,
        X: Any,
        y: Any,
        *,
        missing: Sequence[float] = (0.2, 0.4, 0.6, 0.8),
        repeats: int = 10,
        against: Sequence[str] = ("mean", "median", "most_frequent"),
        mechanism: str = "mcar",
        rows: int = 10_000,
    ) -> Evaluation:
        """Scores predictions on test rows as more values are masked, against baselines. Runs the engine."""
        options = {"missing": list(missing), "repeats": repeats, "against": list(against), "mechanism": mechanism, "rows": rows}
        return Evaluation(self._with_labels("evaluate", X, y, options))

    def _with_labels(self, op: str, X: Any, y: Any, options: dict[str, Any]) -> Any:
        sources, n = self._sources(X)
        names = [column["name"] for column in self._get_program().COLUMNS]
        own = self._own_classes()
        known, codes = _read_labels(y, n, fewest=1)
        texts = [own[self._order[int(np.flatnonzero(self.classes_ == label)[0])]] if label in self.classes_ else shared()._text(label) for label in known]
        label = self._get_program().MODEL.get("label") or _label_name(None, names)
        table = [(name, source) for name, source in zip(names, sources) if source is not None]
        table.append((label, np.array([*texts, None], dtype=object)[codes]))
        encoded = _EncodedRows("X", table, n)
        request = {"op": op, "options": {**options, "label": label, "seed": self.random_state, "missingTexts": list(self.missing_values or [])}}
        head, *columns = encoded.lines(request)
        return self._get_session().ask(json.loads(head), columns, self.time_limit)

    def _model_for_sets(self) -> "ExpectedClassifier":
        model = self.__dict__.get("_sets_model")
        if model is None:
            training = self.__dict__.get("_training")
            if training is None:
                raise ValueError(
                    "prediction_sets needs labeled rows that the model was not fitted on: call calibrate(X, y) first"
                )
            model = self._sets_model = self._fit_for_sets(*training)
        return model

    def _fit_for_sets(self, rows: "_EncodedRows", words: list[str], label: str, labeled: int) -> "ExpectedClassifier":
        if labeled < 40:
            raise ValueError(f"prediction_sets needs 40 labeled training rows or rows given to calibrate(X, y), got {labeled}")
        held_out = np.random.default_rng(self.random_state).permutation(rows.rows) < rows.rows // 4
        names = [name for name, _ in rows.table[:-1]]
        first, second = rows.only(~held_out), rows.only(held_out)
        columns = [values for _, values in rows.table[:-1]]
        model = type(self)(**self.get_params(deep=False))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the first fit has said it
            fitted = self._fit_rows(first, [*words, *self._options(names, columns, True)])
        model.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            model.feature_names_in_ = self.feature_names_in_
        model._use(fitted["model"], fitted["report"], self.classes_)
        options = {"rows": 2000, "label": label, "seed": self.random_state, "missingTexts": list(self.missing_values or [])}
        head, *lines = second.lines({"op": "calibrate", "options": options})
        model._calibration = None
        model._calibration = model._get_session().ask(json.loads(head), lines, self.time_limit)
        return model

    def _own_classes(self) -> list[str]:
        return list(self._get_program().CLASSES)

    def _get_session(self) -> ModelSession:
        check_is_fitted(self, "model_")
        return ModelSession(self.model_, self._calibration)

    def _rows(self, X: Any) -> list[dict[str, Any]]:
        """Rows as the engine reads them: known cells by name."""
        sources, n = self._sources(X)
        columns = self._get_program().COLUMNS
        rows: list[dict[str, Any]] = [{} for _ in range(n)]
        for column, source in zip(columns, sources):
            for row, value in zip(rows, [] if source is None else list(source)):
                if not shared()._is_gap(value):
                    row[column["name"]] = _plain(value, column["kind"])
        return rows

    # Files ------------------------------------------------------------------------------------------------------------

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model file, which the command, the page and every other program of conformant read too."""
        check_is_fitted(self, "model_")
        target = pathlib.Path(path)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.model_)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
        except BaseException:
            pathlib.Path(name).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], classes: Optional[Sequence[Any]] = None, **parameters: Any) -> "ExpectedClassifier":
        """Reads a model file, whatever program wrote it. Does not need the engine.

        classes: labels for the classes of the model, in its order, where they are no texts: [0, 1] for "0" and "1".
        """
        model = cls(classes=classes, **parameters)
        text = pathlib.Path(path).read_text(encoding="utf-8")
        model._calibration = None
        model._use(text, None, classes)
        names = [column["name"] for column in model._get_program().COLUMNS]
        model.n_features_in_ = len(names)
        model.feature_names_in_ = np.array(names, dtype=object)
        return model

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__() if hasattr(super(), "__getstate__") else dict(self.__dict__)
        return {name: value for name, value in state.items() if name not in _NOT_SAVED}

    # scikit-learn -----------------------------------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {
            "allow_nan": True,
            "requires_y": self.classifier is None,
            "X_types": ["2darray", "string"],
            "_xfail_checks": {name: why for name, why in _NOT_PASSED.items()},
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = tags.input_tags.categorical = True
        tags.target_tags.required = self.classifier is None
        return tags


# Checks of check_estimator that do not hold, and why.
_NOT_PASSED = {
    "check_dataframe_column_names_consistency": "columns are found by name, in any order; a column that X lacks is missing",
}


@functools.lru_cache(maxsize=None)
def _blas_threads() -> ThreadpoolController:
    return ThreadpoolController()  # looks for the libraries that are loaded, once


@functools.lru_cache(maxsize=16)
def _load_program(model: str) -> Any:
    return load_program(program_data(read_model(model)))


class _EncodedRows:
    """A table that can be sent to the engine, more than once."""

    def __init__(self, name: str, table: list[tuple[str, Any]], rows: int) -> None:
        self.name, self.table, self.rows = name, table, rows

    def lines(self, request: dict[str, Any]) -> Any:
        head, columns = encode(self.name, self.table, self.rows)
        yield json.dumps({**request, "table": head}).encode()
        yield from columns

    def only(self, chosen: np.ndarray) -> "_EncodedRows":
        table = [(name, values[chosen]) for name, values in self.table]
        return _EncodedRows(self.name, table, int(chosen.sum()))


def _read_labels(y: Any, rows: int, fewest: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """The labels in ascending order, and of each row the position of its label, −1 where it has none."""
    if y is None:
        raise ValueError("ExpectedClassifier requires y to be passed, but the target y is None; or pass a fitted classifier")
    values = column_or_1d(y, warn=True)
    if len(values) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(values)}]")
    values = np.asarray(values)
    gaps = np.array([shared()._is_gap(value) for value in values], bool) if values.dtype.kind in "Of" else np.zeros(rows, bool)
    known = values[~gaps]
    if known.dtype.kind == "f" and np.isinf(known).any():
        raise ValueError("Input y contains infinity or a value too large for dtype('float64').")
    if known.dtype.kind == "O":
        kinds = {bool if isinstance(value, np.bool_) else type(value) for value in known}
        if len(kinds) == 1 and kinds <= {bool, int, float}:
            known = known.astype(kinds.pop())
    check_classification_targets(known)
    labels, own = np.unique(known, return_inverse=True)
    if len(labels) < fewest:
        raise ValueError(f"expected labels of two or more classes, got one class: {', '.join(map(repr, labels.tolist()))}")
    codes = np.full(rows, -1)
    codes[~gaps] = own
    return labels, codes


def _label_name(y: Any, names: list[str]) -> str:
    """The name of the label's column: that of y, unless X has such a column."""
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "label"
    while name in names:
        name += "_"
    return name


def _without(values: Any, texts: Optional[Sequence[str]]) -> Any:
    """A column with missing values in place of texts that stand for them."""
    if not texts or getattr(values, "dtype", None) is None or values.dtype.kind != "O":
        return values
    cells = np.array([None if isinstance(value, str) and value.strip() in texts else value for value in values], dtype=object)
    return cells


def _one_row(row: Any) -> Any:
    """A row as a table of one row."""
    if hasattr(row, "to_frame") and not hasattr(row, "columns"):  # a Series
        return [dict(zip(map(str, row.index), row))]
    if isinstance(row, Mapping):
        return [dict(row)]
    if hasattr(row, "columns"):
        if len(row) != 1:
            raise ValueError(f"expected one row, got {len(row)}: pass X.iloc[0]")
        return row
    return np.asarray(row, dtype=object).reshape(1, -1)


def _plain(value: Any, kind: str) -> Any:
    """A cell as JSON has it."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if kind == "categorical" or isinstance(value, str):
        return shared()._text(value)
    return float(value)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _list(items: Sequence[str]) -> str:
    """A list as the command reads it."""
    return ",".join('"' + str(item).replace('"', '""') + '"' for item in items)


def _umask() -> int:
    own = os.umask(0)
    os.umask(own)
    return own
