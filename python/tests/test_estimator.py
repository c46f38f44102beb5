import inspect
import pickle
import pathlib
import tempfile
import unittest
import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from support import QUICK, masked, mixed, penguins

from conformant import ExpectedClassifier


class Conventions(unittest.TestCase):
    def test_check_estimator_passes(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_estimator(ExpectedClassifier(**QUICK))

    def test_works_in_a_pipeline_and_in_searches(self):
        X, y = mixed()
        scores = cross_val_score(ExpectedClassifier(**QUICK), masked(X), y, cv=3, n_jobs=2)
        self.assertGreater(scores.min(), 0.7)
        search = GridSearchCV(ExpectedClassifier(**QUICK), {"l2": [0.1, 10]}, cv=2).fit(masked(X), y)
        self.assertIn(search.best_params_["l2"], (0.1, 10))
        pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), ExpectedClassifier(**QUICK))
        numbers = masked(X[["a", "b"]])
        self.assertEqual(list(pipeline.fit(numbers, y)[-1].feature_names_in_), ["a", "b"])
        self.assertGreater(pipeline.score(numbers, y), 0.7)

    def test_a_copy_has_the_parameters_and_a_pickle_the_model(self):
        X, y = mixed()
        model = ExpectedClassifier(**QUICK).fit(X, y)
        self.assertEqual(clone(model).get_params(), model.get_params())
        self.assertFalse(hasattr(clone(model), "model_"))
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(masked(X)), model.predict_proba(masked(X)))
        self.assertNotIn("_training", again.__dict__)  # a saved model holds no training rows


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.X, cls.y = mixed()
        cls.model = ExpectedClassifier(**QUICK).fit(masked(cls.X, 0.1), cls.y)
        cls.rows = masked(cls.X)
        cls.expected = cls.model.predict_proba(cls.rows)

    def test_columns_are_found_by_name(self):
        np.testing.assert_array_equal(self.model.predict_proba(self.rows[["c", "b", "a"]]), self.expected)
        without = self.model.predict_proba(self.rows.drop(columns="b"))
        np.testing.assert_array_equal(without, self.model.predict_proba(self.rows.assign(b=np.nan)))

    def test_an_unknown_column_is_an_error_unless_it_is_to_be_ignored(self):
        more = self.rows.assign(d=1)
        with self.assertRaisesRegex(ValueError, "column 'd'"):
            self.model.predict(more)
        lenient = ExpectedClassifier(extra="ignore", **QUICK).fit(masked(self.X, 0.1), self.y)
        np.testing.assert_array_equal(lenient.predict_proba(more), self.expected)

    def test_every_type_of_column_is_read_alike(self):
        nullable = self.rows.astype({"a": "Float64", "b": "Float64", "c": "string"})
        categorical = self.rows.astype({"c": "category"})
        dicts = self.rows.astype(object).where(self.rows.notna(), None).to_dict("records")
        array = self.rows.to_numpy()
        for rows in (nullable, categorical, dicts):
            np.testing.assert_allclose(self.model.predict_proba(rows), self.expected, atol=1e-15)
        with self.assertWarnsRegex(UserWarning, "valid feature names"):
            np.testing.assert_allclose(self.model.predict_proba(array), self.expected, atol=1e-15)

    def test_every_type_of_column_trains_the_same_model(self):
        train = masked(self.X, 0.1)
        for other in (
            train.astype({"a": "Float64", "b": "Float64", "c": "string"}),
            train.astype(object).where(train.notna(), None),
        ):
            self.assertEqual(ExpectedClassifier(**QUICK).fit(other, self.y.rename("label")).model_, self.model.model_)

    def test_a_frame_of_polars_is_read_by_its_columns(self):
        class Polars:  # what the package asks of a DataFrame of Polars
            def __init__(self, frame):
                self.frame = frame

            def __len__(self):
                return len(self.frame)

            def get_columns(self):
                return []

            def to_dict(self, as_series):
                return {name: self.frame[name].astype(object).where(self.frame[name].notna(), None).tolist() for name in self.frame}

        np.testing.assert_array_equal(self.model.predict_proba(Polars(self.rows)), self.expected)

    def test_labels_keep_their_type(self):
        for labels in (self.y == 1, self.y.map({0: "no", 1: "yes"}), self.y.astype(float), self.y.map({0: 10, 1: 9}), self.y.astype("Int64")):
            model = ExpectedClassifier(**QUICK).fit(self.X, labels)
            np.testing.assert_array_equal(model.classes_, np.unique(np.asarray(labels.tolist())))
            self.assertGreater((model.predict(self.X) == np.asarray(labels.tolist())).mean(), 0.85)

    def test_texts_can_stand_for_missing_values(self):
        train = masked(self.X, 0.1)
        texts = train.astype(object).where(train.notna(), "?")
        model = ExpectedClassifier(missing_values=["?"], **QUICK).fit(texts, self.y)
        rows = self.rows.astype(object).where(self.rows.notna(), "?")
        np.testing.assert_allclose(model.predict_proba(rows), self.expected, atol=1e-12)
        model.evaluate(rows, self.y, missing=[0.5], repeats=1, against=["mean"])

    def test_numbers_can_stand_for_missing_values(self):
        train = masked(self.X, 0.1)
        model = ExpectedClassifier(missing_values=[-999], **QUICK).fit(train.fillna({"a": -999}), self.y)
        for rows in (self.rows.fillna({"a": -999}), self.rows.fillna({"a": -999}).astype({"a": "Float64"})):
            np.testing.assert_allclose(model.predict_proba(rows), self.expected, atol=1e-12)
        with self.assertRaisesRegex(ValueError, "write \\['-999'\\]"):
            ExpectedClassifier(missing_values="-999", **QUICK).fit(train, self.y)

    def test_labels_that_are_read_as_one_class_are_an_error(self):
        for other in ("no ", "No"):
            labels = np.resize(np.array(["no", other, "yes"], dtype=object), len(self.X))
            with self.assertRaisesRegex(ValueError, "read as one class"):
                ExpectedClassifier(**QUICK).fit(self.X, labels)

    def test_nullable_labels_keep_their_type(self):
        for dtype, kind in (("boolean", "b"), ("Int64", "i")):
            labels = (self.y == 1).astype(dtype)
            labels[:20] = pd.NA
            self.assertEqual(ExpectedClassifier(**QUICK).fit(self.X, labels).classes_.dtype.kind, kind)

    def test_bad_input_is_named(self):
        for X, y, words in (
            (self.X, None, "requires y"),
            (self.X, np.ones(len(self.X)), "one class"),
            (self.X, self.y[:5], "inconsistent numbers"),
            (self.X.assign(a=np.inf), self.y, "'a'"),
            (self.X.iloc[:0], self.y[:0], "0 sample"),
            (self.X, [None] * len(self.X), "got none"),
            (self.X, pd.date_range("2020", periods=len(self.X)), "texts, numbers or truth values"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                ExpectedClassifier(**QUICK).fit(X, y)
        with self.assertRaisesRegex(ValueError, "--model must be one of"):
            ExpectedClassifier(**{**QUICK, "model": "forest"}).fit(self.X, self.y)
        with self.assertRaisesRegex(ValueError, "types names 'd'"):
            ExpectedClassifier(types={"d": "numeric"}, **QUICK).fit(self.X, self.y)


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.X, cls.y = penguins()
        cls.model = ExpectedClassifier(**QUICK).fit(cls.X, cls.y)

    def test_bad_questions_are_errors_of_the_caller(self):
        row = self.X.iloc[0]
        for ask, words in (
            (lambda: self.model.explain(row, threshold=2), "threshold"),
            (lambda: self.model.explain(row, limit=2), "no \"limit\""),
            (lambda: self.model.explain({"bill_length": "long"}), "column 'bill_length'.*'long'"),
            (lambda: self.model.prediction_sets(self.X[:2], coverage=90), "expected number to be <1"),
            (lambda: self.model.evaluate(self.X[:0], []), "got none"),
            (lambda: self.model.evaluate(self.X, self.y, missing=[20]), "shares from 0 to 1, got 20"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                ask()
        self.assertEqual(self.model.prediction_sets(self.X[:0]), [])

    def test_a_question_can_be_asked_when_nothing_is_known(self):
        self.assertEqual(set(self.model.ask({}).to_frame()["column"]), set(self.X))
        self.assertEqual(str(self.model.explain({"bill_length": "39.1"})), str(self.model.explain({"bill_length": 39.1})))

    def test_an_explanation_is_a_text_a_picture_and_a_table(self):
        explanation = self.model.explain(self.X.iloc[0])
        self.assertEqual(explanation["prediction"], "adelie")
        self.assertIn("adelie", str(explanation))
        self.assertIn("<svg", explanation._repr_html_())
        frame = explanation.to_frame()
        total = explanation["prior"] if isinstance(explanation["prior"], float) else None
        self.assertEqual(set(frame["column"]), set(self.X.columns))
        self.assertTrue(total is None or 0 < total < 1)
        self.assertIn("shapley", self.model.explain(dict(self.X.iloc[0]), shapley={}))

    def test_the_verdict_is_a_text_and_a_table(self):
        model = ExpectedClassifier(**{**QUICK, "cross_validation": True}).fit(self.X, self.y)
        confusion = model.verdict_.to_frame()
        self.assertEqual(confusion.to_numpy().sum(), len(self.X))
        self.assertEqual(list(confusion.sum(axis=1)), list(self.y.value_counts().sort_index()))
        self.assertIn("On new rows", str(pickle.loads(pickle.dumps(model)).verdict_))
        self.assertIn("<table", model.verdict_._repr_html_())

    def test_the_best_question_comes_first(self):
        questions = self.model.ask({"island": "dream"})
        gains = questions.to_frame()["informationGain"]
        self.assertTrue(gains.is_monotonic_decreasing)
        self.assertNotIn("island", list(questions.to_frame()["column"]))

    def test_an_evaluation_has_every_method_and_share(self):
        evaluation = self.model.evaluate(self.X, self.y, missing=[0.3, 0.6], repeats=2, against=["mean"])
        accuracy = evaluation.to_frame("accuracy")
        self.assertEqual(list(accuracy.index), ["ours", "mean", "class_shares"])
        self.assertEqual(list(accuracy.columns), [0.3, 0.6])
        self.assertEqual(len(evaluation.to_frame()), 6)
        self.assertIn("Accuracy", str(evaluation))
        self.assertIn("<table", evaluation._repr_html_())

    def test_sets_hold_the_true_class_as_often_as_promised(self):
        random = np.random.default_rng(0).permutation(len(self.X))
        third, rest = random[:110], random[110:]
        model = ExpectedClassifier(**QUICK).fit(self.X.iloc[rest], self.y.iloc[rest])
        test, labels = masked(self.X.iloc[third]), self.y.iloc[third]
        for ready in (model, model.calibrate(self.X.iloc[rest[:100]], self.y.iloc[rest[:100]])):
            sets = ready.prediction_sets(test, coverage=0.9)
            held = np.mean([label in own for label, own in zip(labels, sets)])
            self.assertGreater(held, 0.8)
            self.assertLess(np.mean([len(own) for own in sets]), 3)
        with self.assertRaisesRegex(ValueError, "calibrate"):
            pickle.loads(pickle.dumps(ExpectedClassifier(**QUICK).fit(self.X, self.y))).prediction_sets(test)

    def test_load_is_one_class_method(self):
        self.assertTrue(inspect.isfunction(inspect.getattr_static(ExpectedClassifier, "load").__func__))  # Python 3.13 calls no other

    def test_a_saved_model_answers_as_before(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.json"
            self.model.save(path)
            self.assertEqual([own.name for own in pathlib.Path(folder).iterdir()], ["model.json"])
            again = ExpectedClassifier.load(path)
            rows = masked(self.X)
            np.testing.assert_array_equal(again.predict_proba(rows), self.model.predict_proba(rows))
            np.testing.assert_array_equal(again.predict(rows), self.model.predict(rows))
            path.write_text(path.read_text().replace("dream", "cream"))
            with self.assertRaisesRegex(ValueError, "was altered"):
                ExpectedClassifier.load(path)


if __name__ == "__main__":
    unittest.main()
