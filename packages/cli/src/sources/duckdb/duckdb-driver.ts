import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

// Required, not imported: for its sixty CommonJS files, an import's search for export names takes longer than running them.
export const { DuckDBInstance } = require("@duckdb/node-api") as typeof import("@duckdb/node-api");
export const bindings = require("@duckdb/node-bindings") as typeof import("@duckdb/node-bindings");
