from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._estimator import ExpectedModel, Target, read_target
from ._program import shared
from ._results import Verdict
from ._table import is_number


class ExpectedClassifier(ClassifierMixin, ExpectedModel):  # type: ignore[misc]
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
    _EXISTING = "classifier"
    _TASK = "classification"

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

    def _read_target(self, y: Any, rows: int) -> Target:
        labels, codes = _read_labels(type(self).__name__, y, rows)
        if labels.dtype.kind in "mM" or not all(isinstance(own, (str, bool, np.bool_)) or is_number(own) for own in labels):
            raise ValueError(f"expected labels that are texts, numbers or truth values, got {labels[0]!r}")
        texts = np.array([shared()._text(own) for own in labels] + [None], dtype=object)
        return Target(texts[codes], labels, int((codes >= 0).sum()))

    def _labels_of(self, existing: Any) -> Optional[Sequence[Any]]:
        return self.classes if self.classes is not None else getattr(existing, "classes_", None)

    def _use(self, model: str, report: Optional[Mapping[str, Any]], labels: Optional[Sequence[Any]]) -> Mapping[str, Any]:
        read = super()._use(model, report, labels)
        own = read["classifier"]["classes"]
        places = {name: k for k, name in enumerate(own)}
        folded = {name.casefold(): k for k, name in enumerate(own)}
        classes = np.array(own, dtype=object) if labels is None else np.asarray(labels)
        order: list[int] = []
        for label in classes:
            text = shared()._text(label)
            place = places.get(text, places.get(text.strip(), folded.get(text.strip().casefold())))
            if place in order:
                raise ValueError(f"the labels {classes[order.index(place)]!r} and {label!r} are read as one class: write them alike")
            if place is None:
                raise ValueError(f"the class {label!r} is not one of the model, which has {', '.join(map(repr, own))}")
            order.append(place)
        self.classes_ = classes
        self._order = np.array(order)
        verdict = read.get("metadata", {}).get("verdict")
        self.verdict_ = None if verdict is None else Verdict(verdict, classes[np.argsort(self._order)])
        return read

    # Predicting -------------------------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> np.ndarray:
        """The expected probability of each class: rows × classes_. Runs in NumPy, without the engine."""
        return self._predict(X)[0][:, self._order]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """The most likely class of each row."""
        probabilities = self.predict_proba(X)
        own = np.empty_like(probabilities)
        own[:, self._order] = probabilities  # a tie goes to the last class in the order of the model
        return self.classes_[np.argsort(self._order)[self._get_program()._decide(own)]]

    # Questions --------------------------------------------------------------------------------------------------------

    def prediction_sets(self, X: Any, coverage: float = 0.9) -> list[list[Any]]:
        """For each row a set of classes that holds the true one with a probability of at least `coverage`. Runs the engine.

        The sets are calibrated on the rows given to `calibrate`. Without them, a second model is fitted on three quarters of the training
        rows and calibrated on the others; the sets are those of the second model.
        """
        check_is_fitted(self, "model_")
        if self._calibration is None:
            return self._model_for_sets("prediction_sets").prediction_sets(X, coverage)
        rows = self._rows(X)
        if not rows:
            return []
        body = {"rows": rows, "set": coverage}
        answered = self._get_session().ask({"op": "predict", "body": body}, time_limit=self.time_limit)
        labels = {name: label for name, label in zip(self._own_classes(), self.classes_[np.argsort(self._order)])}
        return [[labels[name] for name in own["set"]["classes"]] for own in answered["predictions"]]

    def _labels_for_model(self, y: Any, rows: int) -> np.ndarray:
        own = self._own_classes()
        known, codes = _read_labels(type(self).__name__, y, rows, fewest=1)
        texts = [own[self._order[int(np.flatnonzero(self.classes_ == label)[0])]] if label in self.classes_ else shared()._text(label) for label in known]
        return np.array([*texts, None], dtype=object)[codes]

    def _own_classes(self) -> list[str]:
        return list(self._get_program().CLASSES)

def _read_labels(name: str, y: Any, rows: int, fewest: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """The labels in ascending order, and of each row the position of its label, −1 where it has none."""
    known, missing = read_target(name, y, rows)
    if known.dtype.kind == "O":
        kinds = {bool if isinstance(value, np.bool_) else type(value) for value in known}
        if len(kinds) == 1 and kinds <= {bool, int, float}:
            known = known.astype(kinds.pop())
    check_classification_targets(known)
    labels, own = np.unique(known, return_inverse=True)
    if len(labels) < fewest:
        got = f"one class: {labels.tolist()[0]!r}" if len(labels) > 0 else "none"
        raise ValueError(f"expected labels of {'two' if fewest > 1 else 'one'} or more classes, got {got}")
    codes = np.full(rows, -1)
    codes[~missing] = own
    return labels, codes
