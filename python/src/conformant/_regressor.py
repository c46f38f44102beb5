from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ._estimator import ExpectedModel, Target, read_target
from ._results import RegressionVerdict


class ExpectedRegressor(RegressorMixin, ExpectedModel):  # type: ignore[misc]
    """Expected predictions of a regressor for rows with missing values.

    A missing value is averaged over its distribution given the known ones, so that no imputer is needed before it.

        ExpectedRegressor().fit(X, y)
        ExpectedRegressor(xgb).fit(X)  # a fitted regressor; no numbers to learn from

    Parameters
    ----------
    regressor : a fitted regressor of XGBoost, LightGBM, scikit-learn or statsmodels; one that is not fitted is trained on the complete
        rows of X and y. None trains a regressor of the kind `model` on all rows.
    model, l2 : what to train, "logistic" for a linear regression or "trees", and its penalty; None for the command's default.
    components, numeric, train_on, bins, pseudocount, cross_validation, random_state (--seed) :
        the other options of `conformant fit`.
    types : the kinds of columns that are not to be detected, as in {"zip": "categorical"}.
    missing_values : texts that stand for a missing value, besides NaN, None, NA and the empty text.
    one_hot : prefixes of 0/1 columns that are one column, as in ["color"] for color_red and color_blue.
    extra : "error" or "ignore", for columns of a DataFrame that `fit` did not have.
    threads : threads for `fit`; None for as many as there are cores. The model is the same for any number.
    time_limit : seconds after which `fit` and the questions end with an error.

    Attributes
    ----------
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn.
    verdict_ : how good the model is on rows it was not trained on, or None.
    report_ : what `conformant fit --json` prints.
    model_ : the model file as a text.
    """

    _EXISTING = "regressor"
    _TASK = "regression"

    _estimator_type = "regressor"

    def __init__(
        self,
        regressor: Any = None,
        *,
        model: Optional[str] = None,
        components: Union[int, str] = "auto",
        numeric: str = "auto",
        l2: Optional[float] = None,
        train_on: str = "all",
        bins: int = 32,
        pseudocount: float = 1.0,
        cross_validation: bool = True,
        types: Optional[Mapping[str, str]] = None,
        missing_values: Optional[Sequence[str]] = None,
        one_hot: Sequence[str] = (),
        extra: str = "error",
        random_state: int = 0,
        threads: Optional[int] = None,
        time_limit: Optional[float] = None,
    ) -> None:
        self.regressor = regressor
        self.model = model
        self.components = components
        self.numeric = numeric
        self.l2 = l2
        self.train_on = train_on
        self.bins = bins
        self.pseudocount = pseudocount
        self.cross_validation = cross_validation
        self.types = types
        self.missing_values = missing_values
        self.one_hot = one_hot
        self.extra = extra
        self.random_state = random_state
        self.threads = threads
        self.time_limit = time_limit

    def _read_target(self, y: Any, rows: int) -> Target:
        numbers = self._labels_for_model(y, rows)
        known = numbers[~np.isnan(numbers)]
        if len(np.unique(known)) < 2:
            got = f"only {known[0]:g}" if len(known) > 0 else "none"
            raise ValueError(f"expected two or more different numbers in y, got {got} (n_samples = {rows})")
        return Target(numbers, None, len(known))

    def _labels_of(self, existing: Any) -> None:
        return None

    def _labels_for_model(self, y: Any, rows: int) -> np.ndarray:
        """The numbers of a target, NaN where it has none."""
        known, missing = read_target(type(self).__name__, y, rows)
        if known.dtype.kind in "mM":
            raise ValueError(f"expected numbers in y, got {known[0]!r}")
        numbers = np.full(rows, np.nan)
        try:
            numbers[~missing] = known.astype(float)
        except (TypeError, ValueError):
            wrong = next(value for value in known if not _is_number(value))
            raise ValueError(f"expected numbers in y, got {wrong!r}; ExpectedClassifier predicts classes") from None
        return numbers

    def _use(self, model: str, report: Optional[Mapping[str, Any]], labels: Optional[Sequence[Any]]) -> Mapping[str, Any]:
        read = super()._use(model, report, labels)
        verdict = read.get("metadata", {}).get("verdict")
        self.verdict_ = None if verdict is None else RegressionVerdict(verdict)
        return read

    def predict(self, X: Any) -> np.ndarray:
        """The expected prediction of each row. Runs in NumPy, without the engine."""
        return self._predict(X)[0][:, 0]

    def prediction_intervals(self, X: Any, coverage: float = 0.9) -> np.ndarray:
        """For each row the bounds of an interval that contains the true number with a probability of at least `coverage`: rows × 2.

        Runs the engine. The intervals are calibrated on the rows given to `calibrate`. Without them, a second model is fitted on three
        quarters of the training rows and calibrated on the others; the intervals are those of the second model. A bound is infinite where
        too few calibration rows have the same columns.
        """
        check_is_fitted(self, "model_")
        if self._calibration is None:
            return self._model_for_sets("prediction_intervals").prediction_intervals(X, coverage)
        rows = self._rows(X)
        if not rows:
            return np.empty((0, 2))
        answered = self._get_session().ask({"op": "predict", "body": {"rows": rows, "set": coverage}}, time_limit=self.time_limit)
        outcomes = [own["outcome"] for own in answered["predictions"]]
        lower, upper = (np.array([own[side] for own in outcomes], float) for side in ("lower", "upper"))  # JSON has null for an infinite bound
        return np.stack([np.where(np.isnan(lower), -np.inf, lower), np.where(np.isnan(upper), np.inf, upper)], axis=1)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
