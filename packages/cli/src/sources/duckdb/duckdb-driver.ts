import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

// Required, not imported: they are sixty files of CommonJS, each of which an import searches for names, which takes longer than to run them.
export const { DuckDBInstance } = require("@duckdb/node-api") as typeof import("@duckdb/node-api");
export const bindings = require("@duckdb/node-bindings") as typeof import("@duckdb/node-bindings");
