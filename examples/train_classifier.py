"""Trains a classifier with scikit-learn and writes it as the JSON that `conformant fit --classifier` reads.

    python3 examples/train_classifier.py

Beside it, for the tests: what scikit-learn itself answers on the complete rows.
"""

import csv
import json
import pathlib

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

here = pathlib.Path(__file__).parent
numeric = ["bill_length", "bill_depth", "flipper_length", "body_mass"]
categorical = ["island", "sex"]
with open(here / "penguins.csv") as file:
    rows = [row for row in csv.DictReader(file) if all(row.values())]

scaler = StandardScaler().fit([[float(row[name]) for name in numeric] for row in rows])
encoder = OneHotEncoder().fit([[row[name] for name in categorical] for row in rows])
x = np.hstack(
    [
        scaler.transform([[float(row[name]) for name in numeric] for row in rows]),
        encoder.transform([[row[name] for name in categorical] for row in rows]).toarray(),
    ]
)
classifier = LogisticRegression(max_iter=1000).fit(x, [row["species"] for row in rows])

bits = [f"{name}={value}" for name, values in zip(categorical, encoder.categories_) for value in values]
document = {
    "classes": classifier.classes_.tolist(),
    "features": numeric + bits,
    "intercept": classifier.intercept_.tolist(),
    "coef": classifier.coef_.tolist(),
    "mean": scaler.mean_.tolist() + [0.0] * len(bits),
    "scale": scaler.scale_.tolist() + [1.0] * len(bits),
}
(here / "classifier.json").write_text(json.dumps(document, indent=1) + "\n")

with open(here / "classifier-answers.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(numeric + categorical + [f"p_{name}" for name in classifier.classes_])
    for row, p in zip(rows, classifier.predict_proba(x)):
        writer.writerow([row[name] for name in numeric + categorical] + p.tolist())
