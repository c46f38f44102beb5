# scikit-learn ---------------------------------------------------------------------------------------------------------


def _make_estimator():
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import DataConversionWarning

    class ConformantClassifier(ClassifierMixin, BaseEstimator):
        """This model as a fitted classifier of scikit-learn, for the end of a Pipeline. Gaps need no imputer before it.

        extra: what to do with columns of a DataFrame that the model does not have, "error" or "ignore".
        classes: labels that stand for CLASSES, in their order, where yours are no texts: [0, 1] for "0" and "1".
        """

        _estimator_type = "classifier"

        def __init__(self, extra="error", classes=None):
            self.extra = extra
            self.classes = classes

        @property
        def classes_(self):
            return np.array(CLASSES if self.classes is None else self.classes)

        @property
        def feature_names_in_(self):
            return np.array([column["name"] for column in COLUMNS], dtype=object)

        @property
        def n_features_in_(self):
            return len(COLUMNS)

        def fit(self, X, y=None):
            """Learns nothing: the model is fitted. Checks that it can read X and knows the labels."""
            cells = _read_rows(X, self.extra)
            if len(cells) == 0:
                raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required")
            if y is not None:
                labels = np.asarray(y)
                if labels.ndim > 1:
                    warnings.warn("A column-vector y was passed when a 1d array was expected", DataConversionWarning, stacklevel=2)
                if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
                    raise ValueError("Unknown label type: continuous, expected classes")
                if len(labels) != len(cells):
                    raise ValueError(f"X has {len(cells)} rows, y {len(labels)}")
                strange = sorted(set(labels.ravel().tolist()) - set(self.classes_.tolist()), key=str)
                if strange:
                    raise ValueError(f"the model does not know the label {strange[0]!r}, its classes are {self.classes_.tolist()}")
            return self

        def predict_proba(self, X):
            return predict_proba(X, self.extra)

        def predict_log_proba(self, X):
            with np.errstate(divide="ignore"):
                return np.log(self.predict_proba(X))

        def predict(self, X):
            return self.classes_[_decide(self.predict_proba(X))]

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

    ConformantClassifier.__module__ = __name__
    ConformantClassifier.__qualname__ = "ConformantClassifier"
    return ConformantClassifier


def __getattr__(name):
    """Makes the estimator when it is first asked for, so that the rest works without scikit-learn."""
    if name != "ConformantClassifier":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = _make_estimator()
    return globals()[name]
