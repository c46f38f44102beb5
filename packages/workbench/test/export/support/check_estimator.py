"""Runs every check of scikit-learn's check_estimator on models of different numbers of columns. A check has data of its own, so that a fitted
model can be asked only where it has as many columns: a check passes where it passes for one of the models.

Takes the names of modules. Prints JSON: for each check "passes", or what it says of the model with most hope."""

import importlib
import json
import sys
import warnings
from unittest import SkipTest

warnings.simplefilter("ignore")
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

found = {}
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    estimator = module.ConformantRegressor() if "output" in module.MODEL else module.ConformantClassifier(classes=[0, 1, 2, 3])
    of_model = {}
    for own, check in check_estimator(estimator, generate_only=True):
        key = getattr(check, "func", check).__name__
        try:
            check(own)
            of_model.setdefault(key, "passes")
        except SkipTest:
            of_model.setdefault(key, "passes")
        except Exception as error:  # noqa: BLE001: whatever a check raises is its verdict
            of_model[key] = f"{type(error).__name__}: {str(error).strip()}"
    for key, verdict in of_model.items():
        before = found.get(key)
        if before is None or verdict == "passes" or ("features" in before and before != "passes"):
            found[key] = verdict
print(json.dumps(found))
