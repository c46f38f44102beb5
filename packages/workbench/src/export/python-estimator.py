# scikit-learn ---------------------------------------------------------------------------------------------------------


def _make_base():
    """What an estimator of either sort has, where scikit-learn is installed."""
    from sklearn.base import BaseEstimator
    from sklearn.exceptions import DataConversionWarning

    class Fitted(BaseEstimator):
        @property
        def feature_names_in_(self):
            return np.array([column["name"] for column in COLUMNS], dtype=object)

        @property
        def n_features_in_(self):
            return len(COLUMNS)

        def fit(self, X, y=None):
            """Learns nothing: the model is fitted. Checks that it can read X and y."""
            cells = _read_rows(X, self.extra)
            if len(cells) == 0:
                raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required")
            if y is not None:
                labels = np.asarray(y)
                if labels.ndim > 1:
                    warnings.warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning, stacklevel=2)
                if len(labels) != len(cells):
                    raise ValueError(f"X has {len(cells)} rows, y {len(labels)}")
                self._check_labels(labels)
            return self

        def __sklearn_is_fitted__(self):
            return True

        def _more_tags(self):  # before scikit-learn 1.6
            return {"allow_nan": True, "requires_y": False, "X_types": ["2darray", "string"]}

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = True
            tags.input_tags.string = tags.input_tags.categorical = True
            tags.target_tags.required = False
            return tags

    return Fitted


def __getattr__(name):
    """Makes the estimator when it is first asked for, so that the rest works without scikit-learn."""
    if name != _ESTIMATOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    own = _make_estimator(_make_base())
    own.__module__, own.__name__, own.__qualname__ = __name__, name, name
    globals()[name] = own
    return own
