#!/usr/bin/env bash
# Why a penguin is taken for what it is, and what to measure next where it is not certain.
set -euo pipefail
examples="$(dirname "$0")"

conformant fit "$examples/penguins.csv" --label species -o penguins.json --quiet > /dev/null
conformant explain penguins.json "$examples/new-penguins.csv" --row 3
echo
conformant ask penguins.json --given "island=dream"
echo
conformant ask penguins.json --given "island=dream" --plan --threshold 0.9
