"""Predictions from a classifier when some of its inputs are missing.

    from conformant import ExpectedClassifier
    model = ExpectedClassifier().fit(X_train, y_train)
    model.predict_proba(X_new)  # rows with NaN, None or pd.NA
"""

from ._built import VERSION as __version__
from ._classifier import ExpectedClassifier
from ._engine import EngineError
from ._regressor import ExpectedRegressor
from ._results import Evaluation, Explanation, Questions, RegressionVerdict, Verdict

__all__ = [
    "EngineError",
    "Evaluation",
    "ExpectedClassifier",
    "ExpectedRegressor",
    "Explanation",
    "Questions",
    "RegressionVerdict",
    "Verdict",
    "__version__",
]
