"""Trains logistic regressions on tables that scikit-learn ships and on Adult as published; writes the tables, the classifiers and their answers."""
import json, sys
import pandas as pd
from sklearn import datasets
from sklearn.linear_model import LogisticRegression

folder, adult = sys.argv[1], sys.argv[2]


def write(name, features, frame, classes, model):
    two = len(classes) == 2
    json.dump({"classes": classes, "features": features, "intercept": [float(b) for b in model.intercept_],
               "coef": [[float(w) for w in row] for row in model.coef_]}, open(f"{folder}/{name}.classifier.json", "w"))
    answers = model.predict_proba(frame)
    json.dump([[repr(float(p)) for p in row] for row in answers], open(f"{folder}/{name}.answers.json", "w"))


for name in ["iris", "wine", "breast_cancer", "digits"]:
    data = getattr(datasets, f"load_{name}")(as_frame=True)
    model = LogisticRegression(max_iter=30).fit(data.data, data.target)
    data.data.to_csv(f"{folder}/{name}.csv")
    write(name, list(data.data.columns), data.data, [str(c) for c in data.target_names], model)

if adult:
    names = [f"column{c:02d}" for c in range(15)]
    raw = pd.read_csv(adult, header=None, names=names, skipinitialspace=True, na_values="?", keep_default_na=False)
    raw = raw.dropna().head(4000)
    frame = pd.get_dummies(raw[names[:14]], prefix_sep="=").astype(float)
    model = LogisticRegression(max_iter=30).fit(frame, raw["column14"])
    write("adult", list(frame.columns), frame, [str(c) for c in model.classes_], model)
    json.dump([int(i) for i in raw.index], open(f"{folder}/adult.rows.json", "w"))
