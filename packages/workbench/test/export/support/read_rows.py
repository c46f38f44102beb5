"""Asks a model in many ways for the same rows. The model is exported.py, with the columns x0, x1, x2 (numbers), bit (0/1),
city (Bonn, Köln, St. Gallen, 1) and age (binned)."""

import pickle
import sys
import warnings

import exported as model
import numpy as np

assert "pandas" not in sys.modules and "sklearn" not in sys.modules, "NumPy is all that it needs"
names = [column["name"] for column in model.COLUMNS]
dicts = [
    {"x0": 3.0, "x1": 2.5, "x2": 1.25, "bit": 1, "city": "Köln", "age": 0.3},
    {"x0": None, "x1": float("nan"), "x2": 4, "bit": 0, "city": "1", "age": 0.25},
    {"x2": 2.0, "city": "nowhere"},
    {},
]
expected = model.predict_proba(dicts)
assert expected.shape == (4, 2) and np.allclose(expected.sum(axis=1), 1)
labels = model.predict(dicts)


def same(rows, what, which=slice(None), **options):
    own = model.predict_proba(rows, **options)
    assert isinstance(own, np.ndarray) and own.shape == expected[which].shape, what
    assert np.abs(own - expected[which]).max(initial=0) < 1e-15, what


def fails(rows, words, **options):
    try:
        model.predict_proba(rows, **options)
    except (ValueError, TypeError) as error:
        assert words in str(error), (words, str(error))
        return
    raise AssertionError(f"expected an error with {words!r}")


cells = [[row.get(name) for name in names] for row in dicts]
same(cells, "lists")
same(np.array(cells, dtype=object), "an array of objects")
same([{**row, "age": str(row["age"])} if "age" in row else row for row in dicts], "numbers as texts")
same([{name: "" if value is None else value for name, value in row.items()} for row in dicts], "empty texts")
for text in ["NA", "nan", "null", "NULL", "NaN"]:
    same([{"x0": text, "bit": text, "age": text, "x2": 2.0, "city": text}], text, slice(2, 3))
gap = model.predict_proba([{**dicts[0], "city": None}])
assert (model.predict_proba(np.array([[3, 2.5, 1.25, 1, np.nan, 0.3]])) == gap).all(), "an array of numbers"
assert model.predict_proba([]).shape == (0, 2) and model.predict([]).shape == (0,)
assert model.predict_proba(np.zeros((0, 6))).shape == (0, 2)
same([dicts[0]], "one row", slice(0, 1))
many = model.predict_proba(dicts * 10_000)
assert np.abs(many - np.tile(expected, (10_000, 1))).max() < 1e-12, "rows do not depend on their neighbours"
for one, other in [("1", 1), ("1", 1.0), ("1", "1.0"), ("1", np.int64(1)), ("1", np.float32(1))]:
    same([{**dicts[1], "city": other}], f"the category {other!r}", slice(1, 2))
for bit in [True, 1.0, "1", "true", "True", np.bool_(True), np.int8(1)]:
    same([{**dicts[0], "bit": bit}], f"the bit {bit!r}", slice(0, 1))

fails([{"x0": "high"}], "column 'x0', row 0: must be a finite number or missing, got 'high'")
fails([{"x0": 1}, {"x0": float("inf")}], "column 'x0', row 1")
fails([{"x0": 1e101}], "column 'x0'")
fails([{"x0": [1]}], "column 'x0'")
fails([{"x0": np.array([1.0, 2.0])}], "column 'x0'")
fails([{"x0": "0x10"}], "column 'x0'")
fails([{"x0": "1_000"}], "column 'x0'")
fails([{"x0": "007"}], "column 'x0'")
fails([{"bit": 2}], "column 'bit', row 0: must be 0 or 1")
fails([{"bit": "yes"}], "column 'bit'")
fails([{"city": ["Bonn"]}], "column 'city', row 0: must be a text")
fails([{"X0": 1}], "'X0' is not a column of the model", extra="error")
same([{**dicts[0], "X0": 1}], "extra", slice(0, 1))


def warns(rows, words):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.predict_proba(rows)
    assert [str(warning.message) for warning in told] == words, [str(warning.message) for warning in told]


unknown = "column 'city': {} with an unknown category, counted as missing ({})"
warns([{**dicts[0], "other": 1}, dicts[1], {"city": "NA"}], [])
warns([dicts[2], {"city": 7}, dicts[2]], [unknown.format("3 rows", "'nowhere', 7")])
warns([{"x1": 2, "x2": 3, "bit": 1, "city": "1", "age": 1, "X0": 1}], ["the rows lack 'x0': missing in every row; 'X0': not in the model, ignored"])
fails([{}], "extra must be", extra="drop")
fails({"x0": 1}, "must be a DataFrame")
fails("x0", "must be a DataFrame")
fails(None, "must be a DataFrame")
fails(np.zeros(6), "expected 2D array")
fails(np.zeros((2, 5)), "X has 5 features")
fails([[1, 2, 3]], "X has 3 features")
fails(np.array([[np.inf, 0, 0, 0, 0, 0]]), "column 'x0', row 0")
fails(np.array([[0, 0, 0, 0.5, 0, 0]]), "column 'bit', row 0")

import pandas as pd  # noqa: E402

frame = pd.DataFrame(dicts, index=["a", "b", "c", "d"], columns=names)
same(frame, "a frame")
same(frame[names[::-1]], "columns in another order")
same(frame.iloc[2:], "some rows", slice(2, 4))
same(frame.drop(columns=["x0", "x1"]).iloc[3:], "absent columns", slice(3, 4))
same(frame.iloc[:0], "no rows", slice(0, 0))
same(frame.iloc[[0]], "one row", slice(0, 1))
same(frame.assign(other=1), "extra columns")
warns(frame["city"].astype("category").to_frame().iloc[[0, 2, 2]], [unknown.format("2 rows", "'nowhere'")])
warns(frame["city"].astype("category").to_frame().iloc[:2], [])
fails(frame.assign(other=1), "'other' is not a column of the model", extra="error")
same(frame.convert_dtypes(), "nullable types")
same(frame.assign(city=frame["city"].astype("category"), bit=frame["bit"].astype("category"), age=frame["age"].astype("category")), "categorical")
same(frame.assign(city=frame["city"].astype("string"), x2=frame["x2"].astype("string")), "texts of pandas")
same(frame.assign(bit=frame["bit"].astype("boolean"), x0=frame["x0"].astype("Float64")), "nullable truth values")
same(frame.iloc[:2].assign(bit=[True, False]), "truth values", slice(0, 2))
same(frame.astype(object).where(frame.notna(), pd.NA), "NA of pandas")
same(frame.astype(object).where(frame.notna(), None), "None")
same(frame.assign(x1=frame["x1"].astype("float32"), x2=frame["x2"].astype("float16")), "short floats")
same(frame.assign(city=["Köln", 1, "nowhere", None]), "texts and numbers")
same(pd.DataFrame(cells), "a frame without names")
same(frame.set_index(pd.MultiIndex.from_product([["p", "q"], [1, 2]])), "an index of two")
fails(frame["x0"], "must be a DataFrame")
fails(pd.concat([frame, frame["x0"]], axis=1), "column 'x0' occurs twice")
fails(frame.assign(x0=pd.Timestamp("2020-01-01")), "column 'x0'")
fails(frame.assign(city=pd.Timestamp("2020-01-01")), "column 'city'")
answers = model.predict_frame(frame)
assert list(answers.index) == list("abcd") and list(answers.columns) == ["prediction", "p_class 0", "p_class 1"]
assert (answers["prediction"] == labels).all() and (answers.iloc[:, 1:].values == model.predict_proba(frame)).all()
assert model.predict_frame(frame.iloc[:0]).shape == (0, 3)

import sklearn  # noqa: E402
from sklearn.base import clone, is_classifier  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402

estimator = model.ConformantClassifier()
check_is_fitted(estimator)
assert is_classifier(estimator) and list(estimator.classes_) == model.CLASSES and list(estimator.feature_names_in_) == names
assert estimator.n_features_in_ == 6
pipeline = make_pipeline("passthrough", estimator)
assert (pipeline.predict_proba(frame) == model.predict_proba(frame)).all() and list(pipeline.predict(frame)) == list(labels)
assert pipeline.fit(frame, labels).score(frame, labels) == 1
assert (pickle.loads(pickle.dumps(estimator)).predict(frame) == labels).all()
assert clone(model.ConformantClassifier(extra="error")).extra == "error"
numbers = model.ConformantClassifier(classes=[0, 1])
assert numbers.predict(frame).dtype.kind == "i" and numbers.score(frame, [model.CLASSES.index(name) for name in labels]) == 1
assert np.isfinite(cross_val_score(numbers, pd.concat([frame] * 5), [0, 1, 0, 1] * 5, cv=2)).all()
tags = estimator.__sklearn_tags__().input_tags.allow_nan if hasattr(sklearn.base.BaseEstimator, "__sklearn_tags__") else estimator._get_tags()["allow_nan"]
assert tags is True
for wrong in [lambda: estimator.fit(frame, ["no such class"] * 4), lambda: estimator.fit(frame, labels[:2])]:
    try:
        wrong()
    except ValueError:
        continue
    raise AssertionError("expected an error")
print("all well")
