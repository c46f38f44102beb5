"""Prints a table of scikit-learn as a list of objects: numbers, and the class as a text in "label"."""

import json
import sys

from sklearn import datasets

bunch = getattr(datasets, sys.argv[1])()
names = [str(name) for name in bunch.feature_names]
print(
    json.dumps(
        [
            {**dict(zip(names, map(float, row))), "label": f"class {target}"}
            for row, target in zip(bunch.data, bunch.target)
        ]
    )
)
