import { ansiDialect } from "./ansi-dialect.ts";
import { clickhouseDialect } from "./clickhouse-dialect.ts";
import type { Dialect } from "./dialect.ts";
import { duckdbDialect } from "./duckdb-dialect.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** The dialects of exported SQL, by name. */
export const sqlDialects: ReadonlyMap<string, Dialect> = new Map(
  [ansiDialect, duckdbDialect, postgresDialect, sqliteDialect, clickhouseDialect].map((dialect) => [
    dialect.name,
    dialect,
  ]),
);
