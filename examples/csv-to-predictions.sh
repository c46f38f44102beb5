#!/usr/bin/env bash
# A CSV file with gaps becomes a model; the model answers rows of which little is known.
set -euo pipefail
examples="$(dirname "$0")"

conformant fit "$examples/penguins.csv" --label species -o penguins.json
echo
conformant predict penguins.json "$examples/new-penguins.csv" --keep name --digits 3
