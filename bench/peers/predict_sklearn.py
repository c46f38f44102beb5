"""Mean imputation followed by the classifier, in scikit-learn: the peer of predictColumns. Reads JSON, prints JSON."""
import json, sys, time
import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression

task = json.load(sys.stdin)
rng = np.random.default_rng(0)
X = rng.random((task["rows"], task["columns"]))
X[rng.random(X.shape) < task["gaps"]] = np.nan
imputer = SimpleImputer().fit(X[:20000])
model = LogisticRegression(max_iter=20).fit(imputer.transform(X[:20000]), rng.integers(task["classes"], size=20000))
times = []
for _ in range(6):
    start = time.perf_counter()
    model.predict_proba(imputer.transform(X))
    times.append(time.perf_counter() - start)
print(json.dumps({"seconds": min(times)}))
