import type { Dialect } from "./dialect.ts";
import { quoteIdentifier, quoteLiteral, quoteWithBackslash } from "./quote.ts";

/** What a text must look like to be cast to a double; PostgreSQL has no cast that gives NULL instead of an error. */
const NUMBER = String.raw`^\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?\s*$`;

/** exp() raises an error below this instead of answering 0. */
const LEAST_EXPONENT = -700;

/** PostgreSQL 11 and newer. */
export const postgresDialect: Dialect = {
  name: "postgres",
  identifier: quoteIdentifier,
  literal: (text) => (text.includes("\\") ? `E${quoteWithBackslash(text, "'")}` : quoteLiteral(text)),
  number: (x) => `${quoteLiteral(String(x))}::float8`,
  text: (expression) => `CAST(${expression} AS text)`,
  double: (expression) => `CAST(${expression} AS float8)`,
  parseDouble: (expression) =>
    `CASE WHEN ${expression} IS NULL THEN NULL WHEN ${expression} ~ '${NUMBER}' THEN CAST(${expression} AS float8) ELSE 'Infinity'::float8 END`,
  nanForNull: (expression) => `COALESCE(${expression}, 'NaN'::float8)`,
  nullForNan: (expression) => `NULLIF(${expression}, 'NaN'::float8)`,
  position: (expression, values) =>
    `CASE ${expression} ${values.map((value, code) => `WHEN ${postgresDialect.literal(value)} THEN ${code}`).join(" ")} END`,
  pick: (position, numbers) =>
    `(ARRAY[${numbers.map(String).map(quoteLiteral).join(", ")}]::float8[])[${position} + 1]`,
  exp: (expression) => `exp(GREATEST(${expression}, ${LEAST_EXPONENT}))`,
  greatest: (expressions) => `GREATEST(${expressions.join(", ")})`,
  distinct: (expression) => `count(DISTINCT ${expression})`,
};
