"""Trains classifiers of scikit-learn and statsmodels on the tables that scikit-learn ships, exports them, and writes what they answer.

conformant_export.py stands in the folder. Takes the names of cases, where not all are wanted. Writes TABLE.csv, CASE.json, and answers.json: by case its table, classes and probabilities;
and refused.json: what was said about classifiers that cannot be exported.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from conformant_export import NotExportable, describe, export
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

tables = {}
for name, load in [("iris", load_iris), ("wine", load_wine), ("cancer", load_breast_cancer), ("digits", load_digits)]:
    bunch = load(as_frame=True)
    tables[name] = (bunch.data, bunch.target.map(dict(enumerate(str(n) for n in bunch.target_names))))
# Texts, numbers that are categories, truth values, beside numbers.
numbers, answer = tables["wine"]
mixed = pd.DataFrame(
    {
        "alcohol": numbers["alcohol"],
        "hue": numbers["hue"],
        "ash": pd.cut(numbers["ash"], 4, labels=["low", "so so", "high", "very, \"high\""]).astype(str),
        "year": pd.cut(numbers["proline"], 3, labels=[1990, 1995, 2000]).astype(int),
        "half": (numbers["flavanoids"].rank() % 4 / 2),
        "old": numbers["malic_acid"] > 2,
        "bit": (numbers["magnesium"] > 97).astype(int),
    }
)
tables["mixed"] = (mixed, answer)
tables["two"] = (mixed, answer.replace("class_2", "class_1"))
bits = (tables["cancer"][0] > tables["cancer"][0].median()).astype(int)
tables["bits"] = (bits, tables["cancer"][1])
for name, (data, _) in tables.items():
    data.to_csv(f"{name}.csv", index=False)

texts, numeric = ["ash", "year", "half", "old"], ["alcohol", "hue", "bit"]


def columns(encoder=None, scaler=None):
    return ColumnTransformer([("n", scaler or StandardScaler(), numeric), ("t", encoder or OneHotEncoder(handle_unknown="ignore"), texts)])


logistic = lambda **more: LogisticRegression(max_iter=3000, **more)
scaled = lambda model: make_pipeline(StandardScaler(), model)
cases = {
    "logistic-iris": ("iris", logistic()),
    "logistic-cancer": ("cancer", scaled(logistic())),
    "logistic-digits": ("digits", make_pipeline(MinMaxScaler(), logistic())),
    "logistic-multinomial-two": ("cancer", scaled(logistic(multi_class="multinomial"))),
    "logistic-liblinear": ("cancer", scaled(logistic(solver="liblinear"))),
    "logistic-cv": ("wine", scaled(LogisticRegressionCV(Cs=3, cv=3, max_iter=3000))),
    "sgd": ("cancer", scaled(SGDClassifier(loss="log_loss", random_state=1))),
    "lda-two": ("cancer", LinearDiscriminantAnalysis()),
    "lda-three": ("wine", scaled(LinearDiscriminantAnalysis())),
    "bernoulli-bits": ("bits", BernoulliNB()),
    "bernoulli-given-bits": ("bits", BernoulliNB(binarize=None)),
    "bernoulli-numbers": ("wine", scaled(BernoulliNB(binarize=0.25))),
    "bernoulli-texts": ("mixed", make_pipeline(columns(), BernoulliNB(binarize=0.1))),
    "gaussian-bayes-bits": ("bits", GaussianNB()),
    "gaussian-bayes-texts": ("mixed", make_pipeline(make_column_transformer((OneHotEncoder(sparse_output=False), texts)), GaussianNB())),
    "svm": ("cancer", scaled(CalibratedClassifierCV(LinearSVC(dual=False), ensemble=False))),
    "svm-inside": ("cancer", CalibratedClassifierCV(scaled(SVC(kernel="linear")), ensemble=False)),
    "svm-sgd": ("cancer", scaled(CalibratedClassifierCV(SGDClassifier(random_state=1), ensemble=False))),
    "min-max": ("wine", make_pipeline(MinMaxScaler((-1, 2)), logistic())),
    "max-abs": ("wine", make_pipeline(MaxAbsScaler(), logistic())),
    "robust": ("wine", make_pipeline(RobustScaler(), logistic())),
    "without-mean": ("wine", make_pipeline(StandardScaler(with_mean=False), logistic())),
    "without-scale": ("wine", make_pipeline(StandardScaler(with_std=False), logistic())),
    "two-scalers": ("wine", make_pipeline(StandardScaler(), MinMaxScaler(), logistic())),
    "imputer": ("wine", make_pipeline(SimpleImputer(), StandardScaler(), logistic())),
    "one-hot": ("mixed", make_pipeline(columns(), logistic())),
    "one-hot-two": ("two", make_pipeline(columns(), logistic())),
    "one-hot-first": ("mixed", make_pipeline(columns(OneHotEncoder(drop="first")), logistic())),
    "one-hot-if-binary": ("mixed", make_pipeline(columns(OneHotEncoder(drop="if_binary")), logistic())),
    "one-hot-drop-ignore": ("mixed", make_pipeline(columns(OneHotEncoder(drop="first", handle_unknown="ignore")), logistic())),
    "one-hot-infrequent": ("mixed", make_pipeline(columns(OneHotEncoder(min_frequency=60, handle_unknown="infrequent_if_exist")), logistic())),
    "one-hot-scaled": ("mixed", make_pipeline(columns(OneHotEncoder(sparse_output=False)), StandardScaler(), logistic())),
    "ordinal": ("mixed", make_pipeline(columns(OrdinalEncoder()), logistic())),
    "ordinal-unknown": (
        "mixed",
        make_pipeline(columns(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)), logistic()),
    ),
    "bins": ("wine", make_pipeline(KBinsDiscretizer(5), logistic())),
    "bins-two": ("cancer", make_pipeline(KBinsDiscretizer(4, encode="onehot-dense", strategy="uniform"), logistic())),
    "bins-ordinal": ("wine", make_pipeline(KBinsDiscretizer(5, encode="ordinal", strategy="kmeans"), logistic())),
    "bins-scaled": ("wine", make_pipeline(StandardScaler(), KBinsDiscretizer(5), logistic())),
    "bins-and-numbers": (
        "mixed",
        make_pipeline(
            ColumnTransformer([("b", KBinsDiscretizer(4), ["hue"]), ("o", OneHotEncoder(), texts)], remainder="passthrough"),
            logistic(),
        ),
    ),
    "remainder-dropped": ("mixed", make_pipeline(make_column_transformer((OneHotEncoder(), ["ash"]), ("passthrough", ["hue"])), logistic())),
    "selectors": (
        "wine",
        make_pipeline(
            ColumnTransformer([("a", StandardScaler(), slice(0, 4)), ("b", MinMaxScaler(), [5, 6]), ("c", "drop", [7])], remainder="passthrough"),
            logistic(),
        ),
    ),
    "selected-by-type": (
        "two",
        make_pipeline(
            make_column_transformer(
                (StandardScaler(), make_column_selector(dtype_include=float)), (OneHotEncoder(), make_column_selector(dtype_include=object))
            ),
            logistic(),
        ),
    ),
    "nested": (
        "mixed",
        Pipeline([("all", columns(make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()))), ("none", "passthrough"), ("end", logistic())]),
    ),
    "searched": ("wine", GridSearchCV(scaled(logistic()), {"logisticregression__C": [0.1, 1]}, cv=3)),
    "tree": ("iris", DecisionTreeClassifier(random_state=1)),
    "forest": ("wine", RandomForestClassifier(20, random_state=1)),
    "forest-scaled": ("cancer", scaled(RandomForestClassifier(20, random_state=1))),
    "forest-one-hot": ("mixed", make_pipeline(columns(), RandomForestClassifier(20, random_state=1))),
    "forest-ordinal": (
        "mixed",
        make_pipeline(columns(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=99)), RandomForestClassifier(20, random_state=1)),
    ),
    "forest-bins": ("wine", make_pipeline(KBinsDiscretizer(5), RandomForestClassifier(20, random_state=1))),
    "forest-bins-ordinal": ("wine", make_pipeline(KBinsDiscretizer(5, encode="ordinal"), RandomForestClassifier(20, random_state=1))),
    "extra": ("wine", ExtraTreesClassifier(20, random_state=1)),
    "gradient": ("cancer", GradientBoostingClassifier(n_estimators=20, random_state=1)),
    "gradient-three": ("mixed", make_pipeline(columns(scaler=MinMaxScaler()), GradientBoostingClassifier(n_estimators=10, random_state=1))),
    "histogram": ("cancer", HistGradientBoostingClassifier(max_iter=20)),
    "histogram-three": ("mixed", make_pipeline(columns(OrdinalEncoder()), HistGradientBoostingClassifier(max_iter=10, min_samples_leaf=5))),
}
answers = {}
for name, (table, model) in cases.items():
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        continue
    data, label = tables[table]
    model.fit(data, label)
    export(model, data, f"{name}.json")
    answers[name] = {"table": table, "classes": [str(c) for c in model.classes_], "probabilities": model.predict_proba(data).tolist()}

# A Gaussian naive Bayes whose classes share their variances is a line.
data, label = tables["iris"]
shared = GaussianNB().fit(data, label)
shared.var_[:] = shared.var_.mean(axis=0)
export(shared, data, "gaussian-bayes-shared.json")
answers["gaussian-bayes-shared"] = {"table": "iris", "classes": list(shared.classes_), "probabilities": shared.predict_proba(data).tolist()}

# An array with names.
plain = logistic().fit(data.values, label)
export(plain, data.values, "array.json", names=list(data.columns))
answers["array"] = {"table": "iris", "classes": list(plain.classes_), "probabilities": plain.predict_proba(data.values).tolist()}

data, label = tables["two"]
frame = data.assign(y=(label == "class_0").astype(int), **{"odd name": data["hue"]})
frame.drop(columns="y").to_csv("frame.csv", index=False)
formulas = {
    "logit": smf.logit("y ~ hue + C(ash)", frame).fit(disp=0, method="bfgs", maxiter=2000),
    "logit-sum": smf.logit("y ~ hue + C(ash, Sum) + C(year)", frame).fit(disp=0, method="bfgs", maxiter=2000),
    "logit-quoted": smf.logit("y ~ Q('odd name') + C(Q('ash')) - 1", frame).fit(disp=0, method="bfgs", maxiter=2000),
    "glm": smf.glm("y ~ hue + ash + bit + old", frame, family=sm.families.Binomial()).fit(),
    "logit-plain": sm.Logit(frame["y"], sm.add_constant(frame[["hue", "bit"]])).fit(disp=0),
}
for name, results in formulas.items():
    export(results, frame.drop(columns="y"), f"{name}.json")
    inputs = sm.add_constant(frame[["hue", "bit"]]) if name == "logit-plain" else frame
    second = np.asarray(results.predict(inputs))
    answers[name] = {"table": "frame", "classes": ["0", "1"], "probabilities": np.stack([1 - second, second], 1).tolist()}
json.dump(answers, open("answers.json", "w"))


class ExplainableBoostingClassifier:
    """A stand-in with the attributes that interpret documents: a machine of two columns."""

    def __init__(self, classes, pairs=False):
        random = np.random.default_rng(1)
        width = () if len(classes) == 2 else (len(classes),)
        self.classes_ = np.array(classes)
        self.bins_ = [[np.array([11.5, 12.5, 13.25])], [{"low": 1, "so so": 2, "high": 3}]]
        self.term_features_ = [(0,), (1,)] + ([(0, 1)] if pairs else [])
        self.term_scores_ = [random.normal(size=(6, *width)), random.normal(size=(5, *width))] + ([np.zeros((6, 5))] if pairs else [])
        self.intercept_ = random.normal(size=width or 1)

    def predict_proba(self, data):
        """Bin 0 is a gap, the last one what is not known; a cut belongs to the bin above it."""
        place = np.searchsorted(self.bins_[0][0], data.iloc[:, 0], side="right") + 1
        code = data.iloc[:, 1].map(self.bins_[1][0]).fillna(4).astype(int)
        scores = self.intercept_ + np.asarray(self.term_scores_[0])[place].reshape(len(data), -1) + np.asarray(self.term_scores_[1])[code].reshape(len(data), -1)
        scores = np.c_[np.zeros(len(data)), scores] if scores.shape[1] == 1 else scores
        powers = np.exp(scores - scores.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)


data = tables["mixed"][0][["alcohol", "ash"]]
for name, classes in [("machine-two", ["no", "yes"]), ("machine-three", ["a", "b", "c"])]:
    machine = ExplainableBoostingClassifier(classes)
    export(machine, data, f"{name}.json")
    answers[name] = {"table": "mixed", "classes": classes, "probabilities": machine.predict_proba(data).tolist()}
json.dump(answers, open("answers.json", "w"))

wine, label = tables["wine"]
two = tables["two"][1]
refused = {
    "one-vs-rest": (logistic(multi_class="ovr"), wine, label),
    "liblinear": (logistic(solver="liblinear"), wine, label),
    "sgd of three": (SGDClassifier(loss="log_loss"), wine, label),
    "hinge": (SGDClassifier(), wine, two),
    "squares": (GaussianNB(), wine, label),
    "quadratic": (QuadraticDiscriminantAnalysis(), wine, label),
    "averaged": (CalibratedClassifierCV(LinearSVC(dual=False)), wine, two),
    "isotonic": (CalibratedClassifierCV(LinearSVC(dual=False), method="isotonic", ensemble=False), wine, two),
    "calibrated three": (CalibratedClassifierCV(LinearSVC(dual=False), ensemble=False), wine, label),
    "calibrated forest": (CalibratedClassifierCV(RandomForestClassifier(3), ensemble=False), wine, two),
    "neighbours": (KNeighborsClassifier(), wine, label),
    "network": (MLPClassifier(max_iter=5), wine, label),
    "ridge": (RidgeClassifier(), wine, label),
    "ada": (AdaBoostClassifier(n_estimators=3), wine, label),
    "exponential": (GradientBoostingClassifier(loss="exponential", n_estimators=3), wine, two),
    "polynomial": (make_pipeline(PolynomialFeatures(), logistic()), wine, label),
    "chosen": (make_pipeline(SelectKBest(k=3), logistic()), wine, label),
    "function": (make_pipeline(FunctionTransformer(np.log1p), logistic()), wine, label),
    "clipped": (make_pipeline(MinMaxScaler(clip=True), logistic()), wine, label),
    "indicator": (make_pipeline(SimpleImputer(add_indicator=True), logistic()), wine, label),
    "twice": (make_pipeline(make_column_transformer(("passthrough", ["year"]), (OneHotEncoder(), ["year"])), logistic()), mixed, label),
    "begun": (GradientBoostingClassifier(init=LogisticRegression(max_iter=9999), n_estimators=2), wine, label),
    "behind": (make_pipeline(KBinsDiscretizer(3, encode="ordinal"), OneHotEncoder(), logistic()), wine, label),
}
said = {}
for name, (model, data, own) in refused.items():
    try:
        describe(model.fit(data, own), data)
        said[name] = ""
    except NotExportable as error:
        said[name] = str(error)
more = {
    "interaction": lambda: describe(smf.logit("y ~ hue * bit", frame).fit(disp=0), frame),
    "computed": lambda: describe(smf.logit("y ~ np.log(hue)", frame).fit(disp=0), frame),
    "probit": lambda: describe(sm.Probit(frame["y"], frame[["hue"]]).fit(disp=0), frame),
    "inverse": lambda: describe(smf.glm("hue ~ bit", frame, family=sm.families.Gamma()).fit(), frame),
    "pairs": lambda: describe(ExplainableBoostingClassifier(["a", "b"], pairs=True), tables["mixed"][0][["alcohol", "ash"]]),
    "no names": lambda: describe(logistic().fit(wine.values, label), wine.values),
    "same names": lambda: describe(logistic().fit(wine.values, label), wine.values, names=["x"] * 13),
    "too few names": lambda: describe(logistic().fit(wine.values, label), wine.values, names=["x"]),
}
for name, action in more.items():
    try:
        action()
        said[name] = ""
    except NotExportable as error:
        said[name] = str(error)
json.dump(said, open("refused.json", "w"))
