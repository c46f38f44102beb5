import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVR
from sklearn.utils.estimator_checks import check_estimator
from support import masked, prices

from conformant import ExpectedClassifier, ExpectedRegressor

QUICK = {"components": 1, "numeric": "gaussian", "l2": 1, "cross_validation": False}


class Dates(unittest.TestCase):
    def test_columns_of_dates_are_days(self):
        X, y = prices()
        days = pd.Series(np.arange(len(X)) % 50 * 1.25, index=X.index)
        X = X.assign(seen=pd.Timestamp("2026-01-01") + pd.to_timedelta(days, unit="D"))
        y = y + 100 * days
        model = ExpectedRegressor(**QUICK).fit(X, y)
        self.assertIn("seen", [column["name"] for column in model._get_program().COLUMNS])
        as_numbers = X.assign(seen=20454 + days)  # 2026-01-01 is day 20454
        np.testing.assert_allclose(model.predict(X), model.predict(as_numbers), rtol=1e-12)
        in_zone = X.assign(seen=X["seen"].dt.tz_localize("Europe/Berlin"))
        np.testing.assert_array_equal(model.predict(X), model.predict(in_zone))
        self.assertTrue(np.isfinite(model.predict(X.assign(seen=pd.NaT))).all())

    def test_texts_that_predictions_cannot_read_are_an_error_of_fit(self):
        X, y = prices()
        for texts in ["2026-01-%02d", "$1,0%02d"]:
            own = X.assign(odd=[texts % (i % 28 + 1) for i in range(len(X))])
            with self.assertRaisesRegex(ValueError, "'?odd'?.*pandas.to_datetime or pandas.to_numeric"):
                ExpectedRegressor(**QUICK).fit(own, y)


class ExistingRegressor(unittest.TestCase):
    def test_xgboost_keeps_its_answers_to_complete_rows(self):
        try:
            from xgboost import XGBRegressor
        except ImportError:
            self.skipTest("xgboost is not installed")
        X, y = prices()
        X = X.select_dtypes("number")
        own = XGBRegressor(n_estimators=20, max_depth=3).fit(X, y)
        model = ExpectedRegressor(own, components=1).fit(X)
        np.testing.assert_allclose(model.predict(X), own.predict(X), rtol=1e-5)
        answers = model.predict(masked(X, 0.5))
        self.assertTrue(np.isfinite(answers).all())
        self.assertLess(mean_squared_error(y, answers), np.var(y))


    def test_scikit_learn_keeps_its_answers_to_complete_rows(self):
        X, y = prices()
        encoder = make_column_transformer((StandardScaler(), ["area", "age"]), (OneHotEncoder(), ["town"]))
        positive = np.exp(y / 10)
        logarithm = TransformedTargetRegressor(LinearRegression(), func=np.log, inverse_func=np.exp)
        for own, learned in [
            (LinearRegression(), y),
            (PoissonRegressor(), positive),
            (logarithm, positive),
            (RandomForestRegressor(10, max_depth=5, random_state=0), y),
            (HistGradientBoostingRegressor(loss="poisson", max_iter=10), positive),
        ]:
            pipeline = make_pipeline(encoder, own).fit(X, learned)
            model = ExpectedRegressor(pipeline, components=1).fit(X[["town", "age", "area"]])  # in another order
            np.testing.assert_allclose(model.predict(X), pipeline.predict(X), rtol=1e-12)
            answers = model.predict(masked(X, 0.5))
            self.assertTrue(np.isfinite(answers).all())
            self.assertLess(mean_squared_error(learned, answers), np.var(learned))

    def test_one_that_is_not_fitted_is_trained_on_the_complete_rows(self):
        X, y = prices()
        rows = masked(X[["area", "age"]], 0.2)
        model = ExpectedRegressor(LinearRegression(), components=1).fit(rows, y)
        complete = rows.notna().all(axis=1)
        own = LinearRegression().fit(rows[complete], y[complete])
        np.testing.assert_allclose(model.predict(X[["area", "age"]]), own.predict(X[["area", "age"]]), rtol=1e-12)

    def test_what_is_no_regressor_of_one_number_is_named(self):
        X, y = prices()
        X = X[["area", "age"]]
        for own, words in [
            (LinearRegression().fit(X, np.c_[y, y]), "LinearRegression predicts 2 numbers, expected one"),
            (SVR().fit(X, y), "SVR is neither a sum over columns nor made of trees"),
            (LogisticRegression().fit(X, y > 0), "predicts classes: use ExpectedClassifier"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                ExpectedRegressor(own).fit(X)
        with self.assertRaisesRegex(ValueError, "predicts a number: use ExpectedRegressor"):
            ExpectedClassifier(LinearRegression().fit(X, y)).fit(X)
        with self.assertRaisesRegex(ValueError, "LinearRegression is not fitted: fit it first, or pass y"):
            ExpectedRegressor(LinearRegression()).fit(X)
        huge = LinearRegression().fit(X, y)
        huge.coef_ *= 1e300
        with self.assertRaisesRegex(ValueError, "answer complete rows with numbers of at most 1e\\+100"):
            ExpectedRegressor(huge).fit(X)


class Conventions(unittest.TestCase):
    def test_check_estimator_passes(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_estimator(ExpectedRegressor(**QUICK))

    def test_works_in_searches(self):
        X, y = prices()
        scores = cross_val_score(ExpectedRegressor(**QUICK), masked(X, 0.1), y, cv=3, n_jobs=2)
        self.assertGreater(scores.min(), 0.7)
        search = GridSearchCV(ExpectedRegressor(**QUICK), {"l2": [0.1, 1000]}, cv=2).fit(X, y)
        self.assertEqual(search.best_params_["l2"], 0.1)


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.X, cls.y = prices()
        cls.model = ExpectedRegressor(**QUICK).fit(masked(cls.X, 0.1), cls.y)
        cls.rows = masked(cls.X)
        cls.expected = cls.model.predict(cls.rows)

    def test_predicts_rows_with_missing_values(self):
        self.assertTrue(np.isfinite(self.expected).all())
        self.assertGreater(r2_score(self.y, self.expected), 0.4)
        self.assertGreater(r2_score(self.y, self.model.predict(self.X)), 0.95)
        np.testing.assert_array_equal(self.model.standard_errors(self.rows), np.zeros(len(self.rows)))
        empty = self.model.predict(self.rows.iloc[:1].mask(self.rows.iloc[:1].notna()))
        np.testing.assert_allclose(empty, [self.y.mean()], atol=0.2)

    def test_every_type_of_column_is_read_alike(self):
        nullable = self.rows.astype({"area": "Float64", "age": "Float64", "town": "string"})
        dicts = self.rows.astype(object).where(self.rows.notna(), None).to_dict("records")
        for rows in (nullable, self.rows.astype({"town": "category"}), dicts, self.rows[["town", "age", "area"]]):
            np.testing.assert_allclose(self.model.predict(rows), self.expected, atol=1e-12)

    def test_whole_numbers_and_missing_targets_are_read(self):
        y = self.y.round()
        whole = ExpectedRegressor(**QUICK).fit(self.X, y.astype(int))
        np.testing.assert_array_equal(whole.predict(self.rows), ExpectedRegressor(**QUICK).fit(self.X, y).predict(self.rows))
        known = np.arange(len(y)) >= 50
        some = ExpectedRegressor(**QUICK).fit(self.X, y.where(known))
        np.testing.assert_allclose(some.predict(self.X), ExpectedRegressor(**QUICK).fit(self.X[known], y[known]).predict(self.X), atol=1e-9)

    def test_a_saved_copied_or_pickled_model_answers_as_before(self):
        self.assertEqual(clone(self.model).get_params(), self.model.get_params())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.json"
            self.model.save(path)
            for again in (ExpectedRegressor.load(path), pickle.loads(pickle.dumps(self.model))):
                np.testing.assert_array_equal(again.predict(self.rows), self.expected)
            with self.assertRaisesRegex(ValueError, "use ExpectedRegressor"):
                ExpectedClassifier.load(path)

    def test_bad_input_is_named(self):
        for X, y, words in (
            (self.X, None, "requires y"),
            (self.X, np.ones(len(self.X)), "two or more different numbers in y, got only 1"),
            (self.X, np.full(len(self.X), np.nan), "got none"),
            (self.X, self.y.where(self.y > 0, np.inf), "infinity"),
            (self.X, self.X["town"], "expected numbers in y, got '[xyz]'"),
            (self.X, self.y[:5], "inconsistent numbers"),
            (self.X.assign(area=np.inf), self.y, "'area'"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                ExpectedRegressor(**QUICK).fit(X, y)
        with self.assertRaisesRegex(ValueError, "column 'rooms'"):
            self.model.predict(self.X.assign(rooms=1))


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.X, cls.y = prices()
        cls.model = ExpectedRegressor(**{**QUICK, "cross_validation": True}).fit(cls.X, cls.y.rename("price"))

    def test_an_explanation_adds_up(self):
        row = self.X.iloc[0].where([True, True, False], None)
        explanation = self.model.explain(row)
        self.assertAlmostEqual(explanation["prediction"], self.model.predict(pd.DataFrame([row]))[0], 12)
        self.assertEqual(set(explanation.to_frame()["column"]), {"area", "age"})
        path = sum(step["effect"] for step in explanation["path"])
        self.assertAlmostEqual(explanation["prior"] + path, explanation["prediction"], 9)
        self.assertIn("Predicted price", str(explanation))
        self.assertIn("Predicted price", explanation._repr_html_())
        shares = self.model.explain(row, shapley={})["shapley"]
        self.assertAlmostEqual(shares["baseline"] + sum(own["contribution"] for own in shares["contributions"]), explanation["prediction"], 9)
        with self.assertRaisesRegex(ValueError, 'there is no "depth"'):
            self.model.explain(row, depth=1)

    def test_the_best_question_narrows_the_number_most(self):
        questions = self.model.ask({"town": "x"}).to_frame()
        self.assertEqual(list(questions["column"]), ["area", "age"])
        self.assertTrue(questions["varianceReduction"].is_monotonic_decreasing)

    def test_an_evaluation_has_the_errors_of_complete_rows(self):
        evaluation = self.model.evaluate(self.X, self.y, missing=[0.3, 0.6], repeats=2, against=["mean"])
        self.assertEqual(list(evaluation.to_frame("rmse").index), ["ours", "mean"])
        self.assertEqual(len(evaluation.to_frame()), 4)
        self.assertLess(evaluation.to_frame("rmse_to_full").loc["ours", 0.3], evaluation.to_frame("rmse_to_full").loc["mean", 0.3])
        self.assertIn("R²", str(evaluation))
        self.assertIn("<table", evaluation._repr_html_())
        half = self.model.evaluate(self.X, self.y, missing=[0], repeats=1, against=[])["methods"]["ours"]
        answers = self.model.predict(self.X)  # a random half of the rows is scored
        self.assertAlmostEqual(half["rmse"][0] / mean_squared_error(self.y, answers, squared=False), 1, 0)
        self.assertAlmostEqual(half["mae"][0] / mean_absolute_error(self.y, answers), 1, 0)

    def test_intervals_hold_the_number_as_often_as_promised(self):
        X, y = prices(600, seed=1)
        train, test = slice(0, 400), slice(400, 600)
        model = ExpectedRegressor(**QUICK).fit(X[train], y[train])
        rows = masked(X[test])
        for ready in (model, ExpectedRegressor(**QUICK).fit(X[:200], y[:200]).calibrate(X[200:400], y[200:400])):
            bounds = ready.prediction_intervals(rows, coverage=0.9)
            held = ((bounds[:, 0] <= y[test]) & (y[test] <= bounds[:, 1])).mean()
            self.assertGreater(held, 0.83)  # 0.9 less three standard errors of 200 rows
            complete = rows.notna().all(axis=1)
            width = bounds[:, 1] - bounds[:, 0]
            self.assertLess(width[complete].mean(), width[~complete].mean())
        few = model.calibrate(X[test][:5], y[test][:5]).prediction_intervals(X[:1], coverage=0.9)
        np.testing.assert_array_equal(few, [[-np.inf, np.inf]])
        with self.assertRaisesRegex(ValueError, "calibrate"):
            pickle.loads(pickle.dumps(self.model)).prediction_intervals(self.X)

    def test_the_verdict_is_a_text_and_a_table(self):
        verdict = self.model.verdict_
        self.assertIn("On new rows", str(verdict))
        self.assertLess(verdict.to_frame()["rmse"]["model"], verdict.to_frame()["rmse"]["mean of y"])
        self.assertIn("<table", pickle.loads(pickle.dumps(self.model)).verdict_._repr_html_())


if __name__ == "__main__":
    unittest.main()
