"""An exported Python file beside scikit-learn's KNNImputer with the same classifier, on the same rows. Reads JSON, prints JSON."""
import json, sys, time
import numpy as np
import pandas as pd
from sklearn.impute import KNNImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

task = json.load(sys.stdin)
sys.path.insert(0, task["folder"])
import exported

train = np.array(task["training"])
rng = np.random.default_rng(0)
rows = train[rng.integers(len(train), size=task["rows"])]
rows[rng.random(rows.shape) < task["gaps"]] = np.nan
frame = pd.DataFrame(rows, columns=[column["name"] for column in exported.COLUMNS])


def least(repeats, run):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


labels = exported.predict(train)
pipeline = make_pipeline(KNNImputer(), LogisticRegression(max_iter=1000)).fit(train, labels)
print(json.dumps({"ours": least(3, lambda: exported.predict_proba(frame)), "peer": least(1, lambda: pipeline.predict_proba(rows))}))
