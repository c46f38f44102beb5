import type { Dialect } from "./dialect.ts";
import { quoteIdentifier, quoteLiteral } from "./quote.ts";

/** DuckDB. */
export const duckdbDialect: Dialect = {
  name: "duckdb",
  identifier: quoteIdentifier,
  literal: quoteLiteral,
  number: (x) => `${quoteLiteral(String(x))}::DOUBLE`,
  text: (expression) => `CAST(${expression} AS VARCHAR)`,
  double: (expression) => `CAST(${expression} AS DOUBLE)`,
  parseDouble: (expression) =>
    `CASE WHEN ${expression} IS NULL THEN NULL ELSE COALESCE(TRY_CAST(${expression} AS DOUBLE), 'inf'::DOUBLE) END`,
  nanForNull: (expression) => `COALESCE(${expression}, 'nan'::DOUBLE)`,
  nullForNan: (expression) => `CASE WHEN isnan(${expression}) THEN NULL ELSE ${expression} END`,
  // A cast to an enumeration looks the text up in a hash table; a CASE would compare with each value in turn.
  position: (expression, values) =>
    `CAST(enum_code(TRY_CAST(${expression} AS ENUM(${values.map(quoteLiteral).join(", ")}))) AS INTEGER)`,
  pick: (position, numbers) =>
    `([${numbers.map((x) => duckdbDialect.number(x)).join(", ")}])[${position} + 1]`,
  exp: (expression) => `exp(${expression})`,
  greatest: (expressions) => `GREATEST(${expressions.join(", ")})`,
  distinct: (expression) => `approx_count_distinct(${expression})`,
};
