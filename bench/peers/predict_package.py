"""The Python package against imputation before a classifier, and its fit against the command's. Reads JSON, prints JSON."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression

task = json.load(sys.stdin)
sys.path.insert(0, task["package"])
from conformant import ExpectedClassifier  # noqa: E402

warnings.simplefilter("ignore")
random = np.random.default_rng(0)
mix = random.normal(size=(4, task["columns"]))


def table(rows):
    return random.normal(size=(rows, 4)) @ mix + random.normal(size=(rows, task["columns"]))


def mask(X, share):
    return np.where(random.random(X.shape) < share, np.nan, X)


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


train = table(task["training"])
y = (train[:, :5].sum(axis=1) + random.normal(size=len(train)) > 0).astype(int)
classifier = LogisticRegression().fit(train, y)
rows = mask(table(task["rows"]), task["gaps"])
answer = {}
for name, options in (("atoms", {"components": 8, "numeric": "atoms"}), ("gaussian", {"components": 1, "numeric": "gaussian"})):
    model = ExpectedClassifier(classifier, **options).fit(mask(train, 0.05))
    model.predict_proba(rows[:1000])
    answer[name] = seconds(lambda: model.predict_proba(rows))
for name, imputer, part in (("mean", SimpleImputer(), rows), ("knn", KNNImputer(), rows[: task["measured"]])):
    imputer.fit(train)
    own = seconds(lambda: classifier.predict_proba(imputer.transform(part)))
    answer[name] = own * len(rows) / len(part)  # the time grows in proportion to the rows

# The same fit by the package and by the command, the engine of both started anew.
X = mask(train, 0.1)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "table.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(X.shape[1])), "label"])
        for row, label in zip(X.tolist(), y.tolist()):
            writer.writerow(["" if value != value else value for value in row] + [label])
    words = [task["node"], task["command"], "fit", path, "--label", "label", "-o", os.path.join(folder, "model.json"), "--quiet"]
    words += ["--components", "1", "--numeric", "gaussian", "--missing", "random", "--model", "logistic", "--no-cross-validation"]
    differences = []
    for _ in range(3):
        own = ExpectedClassifier(components=1, numeric="gaussian", missing="random", model="logistic", cross_validation=False)
        from conformant import _engine

        _engine.shut_down()
        package = seconds(lambda: own.fit(X, y))
        command = seconds(lambda: subprocess.run(words, check=True))
        differences.append(package - command)
    answer["overhead"] = sorted(differences)[1]
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as file:
        answer["same"] = file.read().strip() == own.model_
print(json.dumps(answer))
