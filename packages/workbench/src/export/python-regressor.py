def _make_estimator(base):
    from sklearn.base import RegressorMixin

    class Regressor(RegressorMixin, base):
        """This model as a fitted regressor of scikit-learn, for the end of a Pipeline. Gaps need no imputer before it.

        extra: what to do with columns of a DataFrame that the model does not have, "ignore" or "error".
        """

        _estimator_type = "regressor"

        def __init__(self, extra="ignore"):
            self.extra = extra

        def _check_labels(self, labels):
            if not np.isfinite(labels.astype(float)).all():
                raise ValueError("Input y contains NaN or infinity")

        def predict(self, X):
            return predict(X, self.extra)

    return Regressor
