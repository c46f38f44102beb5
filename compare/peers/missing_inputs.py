"""Other ways to predict rows with missing values, as JSON from standard input to standard output.

The task: "kinds" (of each column 0 for numbers, else the number of its categories), "train" and "tests" (rows of numbers and codes, null
for missing), "labels" (class codes, or numbers), "count" (of classes; 0 for a number), "methods" and, for indicators that know which cells
were masked afterwards, "missing" (of each test set, the cells that were missing before); for "mice", "filled" (several times the rows of "train"
and of each test set, without gaps). The answer: per method and test set, rows of class
probabilities or numbers; the classifiers that were trained on complete rows, as files; processor seconds per method.
"""

import json
import sys
import time
import warnings

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression

warnings.simplefilter("ignore")  # ten rounds are the default of IterativeImputer, whether they converge or not
MOST_ROUNDS = 200
COPIES = 5  # of each row under masks of 10 to 90%, for boosting on masked rows
SMALLEST = 1e-15  # probabilities are clipped as scikit-learn's log_loss did

task = json.load(sys.stdin)
kinds, count = task["kinds"], task["count"]
labels = np.array(task["labels"])
names = [n for c, kind in enumerate(kinds) for n in ([f"c{c}"] if kind == 0 else [f"c{c}=v{v}" for v in range(kind)])]
column_of = np.array([c for c, kind in enumerate(kinds) for _ in range(max(1, kind))])
is_number = np.array([kind == 0 for kind in kinds for _ in range(max(1, kind))])


def design(rows):
    """Numbers, and a 0/1 column for each category; all of a missing value's columns are NaN."""
    cells = np.array(rows, dtype=float).reshape(len(rows), len(kinds))
    parts = []
    for c, kind in enumerate(kinds):
        if kind == 0:
            parts.append(cells[:, [c]])
        else:
            bits = (cells[:, [c]] == np.arange(kind)).astype(float)
            bits[np.isnan(cells[:, c])] = np.nan
            parts.append(bits)
    return np.hstack(parts)


train, tests = design(task["train"]), [design(rows) for rows in task["tests"]]
some = ~np.isnan(train).all(axis=0)  # nothing is learned of a column without values
names, column_of, is_number = [name for name, use in zip(names, some) if use], column_of[some], is_number[some]
train, tests = train[:, some], [rows[:, some] for rows in tests]
center = np.where(is_number, np.nan_to_num(np.nanmean(train, axis=0)), 0)
scale = np.where(is_number, np.nan_to_num(np.nanstd(train, axis=0)), 1)
scale[scale == 0] = 1
scaled, scaled_tests = (train - center) / scale, [(rows - center) / scale for rows in tests]


def probabilities(model, rows):
    answer = np.full((len(rows), count), SMALLEST)
    answer[:, model.classes_.astype(int)] = np.clip(model.predict_proba(rows), SMALLEST, 1)
    return answer


def logistic(rows):
    return LogisticRegression(C=1, max_iter=1000).fit(rows, labels)


def boosted(rows, own_labels, copies=1):
    """Histogram boosting; the number of iterations is chosen on a fifth of the rows, kept apart with their copies, and all rows are used then."""
    held = np.tile(np.random.default_rng(0).uniform(size=len(labels)) < 0.2, copies)
    rounds = MOST_ROUNDS
    if len(set(own_labels[~held])) == count and held.any():
        tried = HistGradientBoostingClassifier(max_iter=MOST_ROUNDS, random_state=0, early_stopping=False)
        tried.fit(rows[~held], own_labels[~held])
        truth = own_labels[held].astype(int)
        losses = [
            -np.log(np.clip(stage[np.arange(len(truth)), truth], SMALLEST, 1)).mean()
            for stage in tried.staged_predict_proba(rows[held])
        ]
        rounds = 1 + int(np.argmin(losses))
    return HistGradientBoostingClassifier(max_iter=rounds, random_state=0, early_stopping=False).fit(rows, own_labels)


def xgboost(rows, columns):
    import xgboost

    objective = {0: "reg:squarederror", 2: "binary:logistic"}.get(count, "multi:softprob")
    kind = dict(objective=objective, **(dict(num_class=count) if count > 2 else {}))
    settings = dict(kind, max_depth=6, eta=0.3, nthread=1, seed=0)
    data = xgboost.DMatrix(rows, label=labels, feature_names=columns)
    booster = xgboost.train(settings, data, num_boost_round=100)

    def answer(asked):
        p = booster.predict(xgboost.DMatrix(asked, feature_names=columns)).astype(float)
        if count == 0:
            return p[:, np.newaxis]
        p = np.stack([1 - p, p], axis=1) if count == 2 else p
        return np.clip(p, SMALLEST, 1)

    return booster, answer


def imputer(name):
    if name == "mean":
        return SimpleImputer()
    return KNNImputer(n_neighbors=10) if name == "knn" else IterativeImputer(random_state=0)


def indicators(cells):
    return np.stack([np.isnan(cells[:, column_of == c]).any(axis=1) for c in range(len(kinds))], axis=1).astype(float)


def filled_logistic(name):
    """Imputes, and trains on imputed rows."""
    fill = imputer(name).fit(scaled)
    model = logistic(fill.transform(scaled))
    return [probabilities(model, fill.transform(rows)) for rows in scaled_tests]


def indicator_logistic(known):
    """Means and a 0/1 column for each missing value; `known`: a cell masked by the comparison does not set it."""
    fill = imputer("mean").fit(scaled)
    seen = indicators(scaled).any(axis=0)
    model = logistic(np.hstack([fill.transform(scaled), indicators(scaled)[:, seen]]))
    marks = [np.array(m, dtype=float) for m in task["missing"]] if known else [indicators(rows) for rows in tests]
    return [
        probabilities(model, np.hstack([fill.transform(rows), own[:, seen]])) for rows, own in zip(scaled_tests, marks)
    ]


def multiple_logistic():
    """The mean of the probabilities of a logistic regression for each of several imputations."""
    ends = np.cumsum([len(train)] + [len(rows) for rows in tests])[:-1]
    answers = []
    for one in task["filled"]:
        own, *asked = np.split((design(one)[:, some] - center) / scale, ends)
        model = logistic(own)
        answers.append([probabilities(model, rows) for rows in asked])
    return [np.mean(rows, axis=0) for rows in zip(*answers)]


def native_boosting():
    model = boosted(train, labels)
    return [probabilities(model, rows) for rows in tests]


def masked_boosting():
    """Boosting on the rows and on copies of them with columns masked at random."""
    generator = np.random.default_rng(0)
    hidden = generator.uniform(size=(COPIES * len(train), len(kinds))) < generator.uniform(
        0.1, 0.9, size=(COPIES * len(train), 1)
    )
    copies = np.tile(train, (COPIES, 1))
    copies[hidden[:, column_of]] = np.nan
    model = boosted(np.vstack([train, copies]), np.tile(labels, COPIES + 1), COPIES + 1)
    return [probabilities(model, rows) for rows in tests]


def taught(name, rows):
    """What an imputer learns from. IterativeImputer fits nothing where no value is missing, so that 5% of the values are masked then."""
    if name != "iterative" or np.isnan(rows).any():
        return rows
    hidden = np.random.default_rng(0).uniform(size=(len(rows), len(kinds))) < 0.05
    return np.where(hidden[:, column_of], np.nan, rows)


def pattern_logistic():
    """A logistic regression for each pattern of missing values, trained on the rows that have its columns."""
    shares = np.bincount(labels, minlength=count) / len(labels)
    known, models = ~indicators(train).astype(bool), {}

    def model_of(pattern):
        rows = known[:, pattern].all(axis=1)
        if not pattern.any() or len(set(labels[rows])) < 2:
            return None
        return LogisticRegression(C=1, max_iter=1000).fit(scaled[np.ix_(rows, pattern[column_of])], labels[rows])

    answers = []
    for rows in scaled_tests:
        patterns, which = np.unique(~indicators(rows).astype(bool), axis=0, return_inverse=True)
        answer = np.tile(np.clip(shares, SMALLEST, 1), (len(rows), 1))
        for p, pattern in enumerate(patterns):
            if pattern.tobytes() not in models:
                models[pattern.tobytes()] = model_of(pattern)
            model = models[pattern.tobytes()]
            if model is not None:
                own = which == p
                answer[own] = probabilities(model, rows[np.ix_(own, pattern[column_of])])
        answers.append(answer)
    return answers


def given(predictor, name):
    """A classifier trained on the rows as they are, on imputed rows. XGBoost gets numbers that are not scaled."""
    answer = TRAINED[predictor]
    if name == "native":
        return [answer(rows) for rows in tests]
    if name not in FILLED:
        fill = imputer(name).fit(taught(name, scaled[: task.get("most", len(scaled))]))
        FILLED[name] = [fill.transform(rows) for rows in scaled_tests]
    if predictor == "logistic":
        return [answer(rows) for rows in FILLED[name]]
    unscaled = [rows * scale + center for rows in FILLED[name]]
    return [answer(np.where(np.isnan(raw), rows, raw)) for raw, rows in zip(tests, unscaled)]


def retrained(predictor):
    """Trained again for each test set, on the columns that it has."""
    answers = []
    for rows in range(len(tests)):
        left = ~np.isnan(tests[rows]).all(axis=0)
        if predictor == "xgboost":
            _, answer = xgboost(train[:, left], [n for n, keep in zip(names, left) if keep])
            answers.append(answer(tests[rows][:, left]))
        else:
            model = logistic(scaled[:, left])
            answers.append(probabilities(model, scaled_tests[rows][:, left]))
    return answers


FILLED, TRAINED, files = {}, {}, {}
if any(name.startswith("xgboost, ") for name in task["methods"]):
    booster, own_answer = xgboost(train, names)
    TRAINED["xgboost"] = own_answer
    files["xgboost"] = booster.save_raw(raw_format="json").decode()
if any(name.startswith("logistic, ") for name in task["methods"]):
    linear = logistic(scaled)
    TRAINED["logistic"] = lambda rows: probabilities(linear, rows)
    files["logistic"] = dict(
        features=names,
        intercept=linear.intercept_.tolist(),
        coef=linear.coef_.tolist(),
        mean=center.tolist(),
        scale=scale.tolist(),
    )
METHODS = {
    "mean": lambda: filled_logistic("mean"),
    "mean + indicator": lambda: indicator_logistic(False),
    "mean + indicator, told": lambda: indicator_logistic(True),
    "nearest neighbors": lambda: filled_logistic("knn"),
    "iterative": lambda: filled_logistic("iterative"),
    "mice": multiple_logistic,
    "boosting, native": native_boosting,
    "boosting, masked copies": masked_boosting,
    "logistic regression per pattern": pattern_logistic,
    **{
        f"{predictor}, {text}": (lambda p=predictor, n=name: given(p, n))
        for predictor in ("xgboost", "logistic")
        for text, name in (("mean", "mean"), ("native", "native"), ("nearest neighbors", "knn"), ("iterative", "iterative"))
    },
    **{f"{predictor}, retrained": (lambda p=predictor: retrained(p)) for predictor in ("xgboost", "logistic")},
}
answers, seconds = {}, {}
for name in task["methods"]:
    start = time.process_time()
    answers[name] = [np.round(own, 12).tolist() for own in METHODS[name]()]
    seconds[name] = time.process_time() - start
print(json.dumps({"answers": answers, "files": files, "seconds": seconds}))
