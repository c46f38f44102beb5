"""scikit-learn's IterativeImputer on rows from standard input: those with gaps are filled, to standard output, both as JSON."""

import json
import resource
import sys
import warnings

import numpy as np
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer

warnings.simplefilter("ignore")  # ten rounds are the default, whether they converge or not
task = json.load(sys.stdin)
train, test = (np.array(task[part], dtype=float) for part in ("train", "test"))
filled = IterativeImputer(random_state=0).fit_transform(np.vstack([train, test]))[len(train) :]
usage = resource.getrusage(resource.RUSAGE_SELF)
cost = {"seconds": usage.ru_utime + usage.ru_stime, "memory": 1024 * usage.ru_maxrss}
print(json.dumps({"filled": [filled.tolist()], **cost}))
