#!/usr/bin/env bash
# A classifier that scikit-learn trained (train_classifier.py) and a Parquet file without labels: no row is ever labelled.
set -euo pipefail
examples="$(dirname "$0")"

conformant fit "$examples/unlabelled.parquet" --classifier "$examples/classifier.json" -o imported.json
echo
conformant predict imported.json "$examples/new-penguins.csv" --keep name --digits 3
