import unittest
import warnings

import numpy as np
import pandas as pd
import xgboost
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from support import masked, mixed

from conformant import ExpectedClassifier

SINGLE = 1e-6  # XGBoost computes with single precision


class ExistingClassifiers(unittest.TestCase):
    def setUp(self):
        self.X, self.y = mixed()

    def assert_same(self, classifier, X, tolerance, **options):
        """Complete rows get the classifier's own answer, and rows with missing values are read."""
        model = ExpectedClassifier(classifier, components=2, **options).fit(X)
        np.testing.assert_allclose(model.predict_proba(X), classifier.predict_proba(X), atol=tolerance)
        frame = X if hasattr(X, "mask") else pd.DataFrame(X)
        rows = masked(frame) if hasattr(X, "mask") else masked(frame).to_numpy()
        self.assertTrue(np.isfinite(model.predict_proba(rows)).all())
        self.assertGreater((model.predict(rows) == self.y).mean(), 0.7)
        return model

    def test_xgboost_with_categories(self):
        X = self.X.astype({"c": "category"})
        classifier = xgboost.XGBClassifier(n_estimators=20, max_depth=3, enable_categorical=True, tree_method="hist").fit(X, self.y)
        model = self.assert_same(classifier, X, SINGLE)
        self.assertEqual(list(model.classes_), [0, 1])
        self.assertIn('"values":["x","y","z"]', model.model_)

    def test_xgboost_with_dummies_and_without_names(self):
        dummies = pd.get_dummies(self.X)
        self.assert_same(xgboost.XGBClassifier(n_estimators=10, max_depth=3).fit(dummies, self.y), dummies, SINGLE)
        numbers = self.X[["a", "b"]].to_numpy()
        self.assert_same(xgboost.XGBClassifier(n_estimators=10, max_depth=3).fit(numbers, self.y), numbers, SINGLE)

    def test_xgboost_after_early_stopping(self):
        X, y = self.X[["a", "b"]], self.y
        classifier = xgboost.XGBClassifier(n_estimators=200, max_depth=6, early_stopping_rounds=3)
        classifier.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])], verbose=False)
        self.assertLess(classifier.best_iteration + 1, classifier.get_booster().num_boosted_rounds())
        self.assert_same(classifier, X, SINGLE)

    def test_dummies_that_are_one_column(self):
        dummies = pd.get_dummies(self.X)
        model = self.assert_same(
            xgboost.XGBClassifier(n_estimators=10, max_depth=3).fit(dummies, self.y), dummies, SINGLE, one_hot=["c"]
        )
        self.assertIn('"values":["x","y","z"]', model.model_)
        row = dict(dummies.iloc[0])
        self.assertEqual(set(model.explain(row).to_frame()["column"]), {"a", "b", "c"})
        with self.assertRaisesRegex(ValueError, "at most one"):
            model.predict(dummies.assign(c_x=1, c_y=1))
        with self.assertRaisesRegex(ValueError, "two or more columns 'd_VALUE'"):
            ExpectedClassifier(one_hot=["d"]).fit(dummies, self.y)

    def test_a_booster_with_the_names_of_its_classes(self):
        numbers = self.X[["a", "b"]]
        booster = xgboost.train({"objective": "binary:logistic"}, xgboost.DMatrix(numbers, label=self.y), 5)
        model = ExpectedClassifier(booster, classes=["no", "yes"]).fit(numbers)
        np.testing.assert_allclose(model.predict_proba(numbers)[:, 1], booster.predict(xgboost.DMatrix(numbers)), atol=SINGLE)
        self.assertEqual(list(model.classes_), ["no", "yes"])

    def test_a_pipeline_of_scikit_learn(self):
        encoder = make_column_transformer((OneHotEncoder(), ["c"]), (StandardScaler(), ["a", "b"]))
        self.assert_same(make_pipeline(encoder, LogisticRegression()).fit(self.X, self.y), self.X, 1e-12)

    def test_columns_are_found_by_name(self):
        X = self.X[["a", "b"]].assign(d=3 * self.X.a + np.arange(len(self.X)) / 100)
        pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, self.y)
        model = ExpectedClassifier(pipeline, components=1).fit(X[["d", "a", "b"]].assign(more=1)[["more", "d", "a", "b"]])
        np.testing.assert_allclose(model.predict_proba(X), pipeline.predict_proba(X), atol=1e-12)
        with self.assertRaisesRegex(ValueError, "X lacks the column 'd'"):
            ExpectedClassifier(pipeline).fit(X[["a", "b"]])
        with self.assertRaisesRegex(ValueError, "X has 2 columns, the model was trained on 3"):
            ExpectedClassifier(pipeline).fit(X[["a", "b"]].to_numpy())

    def test_what_cannot_be_exported_is_named(self):
        from sklearn.neighbors import KNeighborsClassifier

        classifier = KNeighborsClassifier().fit(self.X[["a", "b"]], self.y)
        with self.assertRaisesRegex(ValueError, "KNeighborsClassifier is neither"):
            ExpectedClassifier(classifier).fit(self.X[["a", "b"]])

    def test_a_classifier_that_is_not_fitted_is_trained_on_the_complete_rows(self):
        rows = masked(self.X[["a", "b"]], 0.2)
        model = ExpectedClassifier(RandomForestClassifier(20, max_depth=4, random_state=0)).fit(rows, self.y)
        complete = rows.notna().all(axis=1)
        own = RandomForestClassifier(20, max_depth=4, random_state=0).fit(rows[complete], self.y[complete])
        np.testing.assert_allclose(model.predict_proba(self.X[["a", "b"]]), own.predict_proba(self.X[["a", "b"]]), atol=1e-12)

    @unittest.skipUnless(__import__("importlib").util.find_spec("lightgbm"), "LightGBM is not installed")
    def test_lightgbm(self):
        import lightgbm

        X = self.X.astype({"c": "category"})
        self.assert_same(lightgbm.LGBMClassifier(n_estimators=10, verbose=-1).fit(X, self.y), X, 1e-9)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
