"""What the estimators have in common: rows in, questions to the engine, files, and the conventions of scikit-learn."""

from __future__ import annotations

import base64
import functools
import json
import os
import pathlib
import tempfile
import warnings
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, column_or_1d
from threadpoolctl import ThreadpoolController

from ._engine import ModelSession, ask
from ._exported import export_model, fit_on_complete_rows, is_fitted
from ._model_file import program_data, read_model
from ._program import load_program, shared
from ._results import Evaluation, Explanation, Questions
from ._table import Frame, as_array, dates_as_days, encode, has_categories, is_number, object_array, read_number

_MECHANISMS = ("mcar", "mar", "mnar")
_NOT_SAVED = ("_training", "_sets_model")  # a saved model holds no training rows


class ExpectedModel(BaseEstimator):  # type: ignore[misc]
    """What ExpectedClassifier and ExpectedRegressor share."""

    _EXISTING: str  # the parameter that takes a fitted model, if there is one
    _TASK: str  # what the engine is to train: "classification" or "regression"

    def _labels_for_model(self, y: Any, rows: int) -> np.ndarray:
        """A target as the model has it, for test rows."""
        raise NotImplementedError

    def _read_target(self, y: Any, rows: int) -> "Target":
        """The target as a column for the engine; a missing value is allowed."""
        raise NotImplementedError

    def _labels_of(self, existing: Any) -> Optional[Sequence[Any]]:
        """The class labels of an existing model, None for one that predicts a number."""
        raise NotImplementedError

    # Fitting ----------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Any:
        """Trains a model on X and y, or takes the existing one, and fits the distribution of X. Runs the engine in Node.js."""
        self._check_parameters()
        frame = Frame.of(X)
        if frame.rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape=(0, {len(frame.columns)})) while a minimum of 1 is required.")
        self._set_features(frame)
        own_names, frame = frame.named(), frame.joined(self.one_hot, fitting=True)
        names = frame.named()
        existing, contents = getattr(self, self._EXISTING, None), None
        if existing is not None and not is_fitted(existing):
            if y is None:
                raise ValueError(f"{type(existing).__name__} is not fitted: fit it first, or pass y to train it on the complete rows of X")
            existing = fit_on_complete_rows(existing, X, y)
        table = list(zip(names, frame.columns))
        if existing is not None:
            labels = self._labels_of(existing)
            file, contents, words = export_model(existing, X, own_names, getattr(self, "classes", None))
            words.append(f"--classifier={file}")
        else:
            target = self._read_target(y, frame.rows)
            labels, label = target.labels, _label_name(y, names)
            words = [f"--label={label}", f"--task={self._TASK}"]
            table.append((label, target.column))
        rows = EncodedRows("X", table, frame.rows)
        fitted = self._fit_rows(rows, [*words, *self._options(names, frame.columns, existing is None)], contents)
        for name in _NOT_SAVED:
            self.__dict__.pop(name, None)
        self._calibration: Optional[str] = None
        self._use(fitted["model"], fitted["report"], labels)
        self._require_readable(X)
        if existing is None:
            self._training = (rows, words, label, target.known)
        return self

    def _check_parameters(self) -> None:
        if self.extra not in ("error", "ignore"):
            raise ValueError(f'extra must be "error" or "ignore", got {self.extra!r}')
        for name in ("missing_values", "one_hot"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise ValueError(f"{name} must be a list, got {value!r}: write [{value!r}]")

    def _require_readable(self, X: Any) -> None:
        """Predictions read numbers only: texts that the engine takes for dates, amounts or missing values are an error here already."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._get_program()._read_cells(*self._sources(X))
        except (TypeError, ValueError) as error:
            del self.model_
            hint = "convert the column with pandas.to_datetime or pandas.to_numeric, or pass such texts as missing_values"
            raise ValueError(f"{error}; {hint}") from None

    def _fit_rows(self, rows: "EncodedRows", words: list[str], contents: Optional[bytes] = None) -> dict[str, Any]:
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
            for name in ("model", "missing", "l2"):
                value = getattr(self, name, None)
                if value is not None:
                    words.append(f"--{name}={value}")
            if not self.cross_validation:
                words.append("--no-cross-validation")
        if self.threads is not None:
            words.append(f"--threads={self.threads}")
        if self.missing_values:
            words.append(f"--na={_list(_texts(self.missing_values))}")
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

    def _use(self, model: str, report: Optional[Mapping[str, Any]], labels: Optional[Sequence[Any]]) -> Mapping[str, Any]:
        """Takes a model file, and labels that stand for its classes. Returns the file as an object."""
        read = read_model(model)
        found = "regression" if "regressor" in read else "classification"
        if found != self._TASK:
            sorts = {"regression": "predicts a number: use ExpectedRegressor", "classification": "predicts classes: use ExpectedClassifier"}
            raise ValueError(f"the model {sorts[found]}")
        self.model_ = model
        self.report_ = report
        return read

    # Predicting -------------------------------------------------------------------------------------------------------

    def _predict(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """The answers in the order of the model, and their standard errors."""
        check_is_fitted(self, "model_")
        program = self._get_program()
        sources, rows = self._sources(X)
        cells = program._read_cells(sources, rows)
        with _blas_threads().limit(limits=1, user_api="blas"):  # on many small matrices threads wait for each other
            answers, errors = program._predict_cells(cells)
        return answers, errors

    def standard_errors(self, X: Any) -> np.ndarray:
        """The standard error of each row's prediction, 0 where it is exact. Only rows of trees are sampled."""
        return self._predict(X)[1]

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
        if own and names and not any(name in places for name in own):
            raise ValueError(f"X has none of the columns of the model: expected {', '.join(own[:6])}")
        return [_without(dates_as_days(places.get(name)), self.missing_values) for name in own], frame.rows

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

    def calibrate(self, X: Any, y: Any, rows: int = 2000) -> Any:
        """Takes labeled rows that the model was not fitted on, at most so many, for prediction sets or intervals. Runs the engine."""
        self._calibration = self._with_labels("calibrate", X, y, {"rows": rows})
        return self

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
        wrong = [rate for rate in missing if not 0 <= rate <= 1]
        if wrong:
            raise ValueError(f"missing must be shares from 0 to 1, got {wrong[0]!r}")
        if mechanism not in _MECHANISMS:
            raise ValueError(f"mechanism must be one of {', '.join(_MECHANISMS)}, got {mechanism!r}")
        if min(repeats, rows) < 1:
            raise ValueError(f"repeats and rows must be at least 1, got {min(repeats, rows)!r}")
        options = {"missing": list(missing), "repeats": repeats, "against": list(against), "mechanism": mechanism, "rows": rows}
        return Evaluation(self._with_labels("evaluate", X, y, options))

    def _with_labels(self, op: str, X: Any, y: Any, options: dict[str, Any]) -> Any:
        sources, n = self._sources(X)
        if n == 0:
            raise ValueError(f"{op} requires labeled rows, got none")
        names = [column["name"] for column in self._get_program().COLUMNS]
        label = self._get_program().MODEL.get("label") or _label_name(None, names)
        table = [(name, source) for name, source in zip(names, sources) if source is not None]
        table.append((label, self._labels_for_model(y, n)))
        encoded = EncodedRows("X", table, n)
        request = {"op": op, "options": {**options, "label": label, "seed": self.random_state, "missingTexts": _texts(self.missing_values)}}
        head, *columns = encoded.lines(request)
        return self._get_session().ask(json.loads(head), columns, self.time_limit)

    def _model_for_sets(self, method: str) -> Any:
        model = self.__dict__.get("_sets_model")
        if model is None:
            training = self.__dict__.get("_training")
            if training is None:
                raise ValueError(f"{method} needs labeled rows that the model was not fitted on: call calibrate(X, y) first")
            model = self._sets_model = self._fit_for_sets(method, *training)
        return model

    def _fit_for_sets(self, method: str, rows: "EncodedRows", words: list[str], label: str, labeled: int) -> Any:
        if labeled < 40:
            raise ValueError(f"{method} needs 40 labeled training rows or rows given to calibrate(X, y), got {labeled}")
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
        model._use(fitted["model"], fitted["report"], getattr(self, "classes_", None))
        options = {"rows": 2000, "label": label, "seed": self.random_state, "missingTexts": _texts(self.missing_values)}
        head, *lines = second.lines({"op": "calibrate", "options": options})
        model._calibration = None
        model._calibration = model._get_session().ask(json.loads(head), lines, self.time_limit)
        return model

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
                cell = None if shared()._is_gap(value) else _plain(value, column)
                if cell is not None:
                    row[column["name"]] = cell
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
    def load(cls, path: Union[str, "os.PathLike[str]"], **parameters: Any) -> Any:
        """Reads a model file, whatever program wrote it. Does not need the engine. parameters: those of the estimator."""
        model = cls(**parameters)
        text = pathlib.Path(path).read_text(encoding="utf-8")
        model._calibration = None
        model._use(text, None, getattr(model, "classes", None))
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
            "requires_y": getattr(self, self._EXISTING, None) is None,
            "X_types": ["2darray", "string"],
            "_xfail_checks": {name: why for name, why in _NOT_PASSED.items()},
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = tags.input_tags.categorical = True
        tags.target_tags.required = getattr(self, self._EXISTING, None) is None
        return tags


# Checks of check_estimator that do not hold, and why.
_NOT_PASSED = {
    "check_dataframe_column_names_consistency": "columns are found by name, in any order; a column that X lacks is missing",
}


class Target:
    """A target as a column for the engine, its class labels in ascending order, and how many rows have one."""

    def __init__(self, column: Any, labels: Optional[np.ndarray], known: int) -> None:
        self.column, self.labels, self.known = column, labels, known


@functools.lru_cache(maxsize=None)
def _blas_threads() -> ThreadpoolController:
    return ThreadpoolController()  # looks for the libraries that are loaded, once


@functools.lru_cache(maxsize=16)
def _load_program(model: str) -> Any:
    return load_program(program_data(read_model(model)))


class EncodedRows:
    """A table that can be sent to the engine, more than once."""

    def __init__(self, name: str, table: list[tuple[str, Any]], rows: int) -> None:
        self.name, self.table, self.rows = name, table, rows

    def lines(self, request: dict[str, Any]) -> Any:
        head, columns = encode(self.name, self.table, self.rows)
        yield json.dumps({**request, "table": head}).encode()
        yield from columns

    def only(self, chosen: np.ndarray) -> "EncodedRows":
        table = [(name, values[chosen]) for name, values in self.table]
        return EncodedRows(self.name, table, int(chosen.sum()))


def read_target(name: str, y: Any, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The values of a target, and for each row whether it has none."""
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None")
    if hasattr(getattr(y, "dtype", None), "numpy_dtype"):  # nullable dtypes of pandas become floats where a value is missing
        y = y.astype(object)
    values = column_or_1d(y, warn=True)
    if len(values) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(values)}]")
    values = np.asarray(values)
    missing = np.zeros(rows, bool)
    if values.dtype.kind in "OfUmM":
        missing = np.array([shared()._is_gap(value) or isinstance(value, str) and value.strip() in shared().GAP_TEXTS for value in values], bool)
    known = values[~missing]
    if known.dtype.kind == "f" and np.isinf(known).any():
        raise ValueError("Input y contains infinity or a value too large for dtype('float64').")
    return known, missing


def _label_name(y: Any, names: list[str]) -> str:
    """The name of the label's column: that of y, unless X has such a column."""
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "label"
    while name in names:
        name += "_"
    return name


def _without(values: Any, texts: Optional[Sequence[str]]) -> Any:
    """A column with missing values in place of texts, and of numbers, that stand for them."""
    if not texts or values is None:
        return values
    array = as_array(values)
    if array.dtype.kind in "mMb":
        return values
    own = set(_texts(texts))
    numbers = {number for number in map(read_number, own) if number is not None}
    if array.dtype.kind in "fiu":
        return np.where(np.isin(array.astype(float), list(numbers)), np.nan, array.astype(float)) if numbers else values
    return object_array([None if _stands_for_missing(value, own, numbers) else value for value in array])


def _stands_for_missing(value: Any, texts: set[str], numbers: set[float]) -> bool:
    if isinstance(value, str):
        return value.strip() in texts
    return is_number(value) and float(value) in numbers


def _texts(values: Optional[Sequence[Any]]) -> list[str]:
    """Values that stand for a missing one as texts: -999 as "-999"."""
    return [shared()._text(value) for value in values or []]


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


def _plain(value: Any, column: Mapping[str, Any]) -> Any:
    """A known cell as JSON has it, None for a text that stands for a missing value."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if column["kind"] == "categorical":
        return shared()._text(value)
    kind = "binary" if column["kind"] == "binary" else "numeric"  # a bin is the engine's to find
    number = float(shared()._read_column({"name": column["name"], "kind": kind}, [value])[0])
    return None if np.isnan(number) else number


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
