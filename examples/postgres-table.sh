#!/usr/bin/env bash
# A table in PostgreSQL: counted and scored by the server, only the answers travel. DATABASE_URL says where it is.
set -euo pipefail
examples="$(dirname "$0")"

psql --quiet "$DATABASE_URL" <<SQL
CREATE TABLE penguins (species text, island text, bill_length real, bill_depth real, flipper_length int, body_mass int, sex text);
\\copy penguins FROM '$examples/penguins.csv' WITH (FORMAT csv, HEADER true)
SQL
conformant fit "$DATABASE_URL#penguins" --label species -o postgres.json
echo
conformant predict postgres.json "$DATABASE_URL" --digits 3 \
  --sql "SELECT * FROM penguins WHERE sex IS NULL ORDER BY flipper_length LIMIT 4"
