// Writes the files of this folder that the walks read, from the Palmer penguins in the npm package vega-datasets.
//
//   node examples/make-data.mjs

import { readFileSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const source = new URL("../node_modules/vega-datasets/data/penguins.json", import.meta.url);
const names = {
  Species: "species",
  Island: "island",
  "Beak Length (mm)": "bill_length",
  "Beak Depth (mm)": "bill_depth",
  "Flipper Length (mm)": "flipper_length",
  "Body Mass (g)": "body_mass",
  Sex: "sex",
};
const penguins = JSON.parse(readFileSync(source, "utf8")).map((penguin) =>
  // The table has one sex "."; it is a gap.
  Object.keys(names).map(
    (name) => (penguin[name] === "." ? null : penguin[name])?.toString().toLowerCase() ?? "",
  ),
);
const header = Object.values(names).join(",");
write("penguins.csv", [header, ...penguins.map((row) => row.join(","))]);

const connection = await (await DuckDBInstance.create(":memory:")).connect();
await connection.run(
  `COPY (SELECT * EXCLUDE (species) FROM '${path("penguins.csv")}') TO '${path("unlabelled.parquet")}' (FORMAT parquet)`,
);

function write(name, lines) {
  writeFileSync(path(name), `${lines.join("\n")}\n`);
}

function path(name) {
  return new URL(name, import.meta.url).pathname;
}
