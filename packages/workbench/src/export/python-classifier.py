def _make_estimator(base):
    from sklearn.base import ClassifierMixin

    class Classifier(ClassifierMixin, base):
        """This model as a fitted classifier of scikit-learn, for the end of a Pipeline. Gaps need no imputer before it.

        extra: what to do with columns of a DataFrame that the model does not have, "ignore" or "error".
        classes: labels that stand for CLASSES, in their order, where yours are no texts: [0, 1] for "0" and "1".
        """

        _estimator_type = "classifier"

        def __init__(self, extra="ignore", classes=None):
            self.extra = extra
            self.classes = classes

        @property
        def classes_(self):
            return np.array(CLASSES if self.classes is None else self.classes)

        def _check_labels(self, labels):
            if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
                raise ValueError("Unknown label type: continuous, expected classes")
            strange = sorted(set(labels.ravel().tolist()) - set(self.classes_.tolist()), key=str)
            if strange:
                raise ValueError(f"the model does not know the label {strange[0]!r}, its classes are {self.classes_.tolist()}")

        def predict_proba(self, X):
            return predict_proba(X, self.extra)

        def predict_log_proba(self, X):
            with np.errstate(divide="ignore"):
                return np.log(self.predict_proba(X))

        def predict(self, X):
            return self.classes_[_decide(self.predict_proba(X))]

    return Classifier
