import { positionByCase } from "./case-lists.ts";
import type { Dialect } from "./dialect.ts";
import { quoteWithBackslash } from "./quote.ts";

/** ClickHouse, where a backslash is an escape in texts and names. */
export const clickhouseDialect: Dialect = {
  name: "clickhouse",
  identifier: (name) => quoteWithBackslash(name, '"'),
  literal: (text) => quoteWithBackslash(text, "'"),
  number: (x) =>
    `toFloat64(${Number.isNaN(x) ? "'nan'" : Number.isFinite(x) ? `'${x}'` : x > 0 ? "'inf'" : "'-inf'"})`,
  text: (expression) => `CAST(${expression} AS Nullable(String))`,
  double: (expression) => `CAST(${expression} AS Nullable(Float64))`,
  parseDouble: (expression) =>
    `CASE WHEN ${expression} IS NULL THEN NULL ELSE COALESCE(toFloat64OrNull(${expression}), toFloat64('inf')) END`,
  nanForNull: (expression) => `COALESCE(${expression}, toFloat64('nan'))`,
  nullForNan: (expression) => `CASE WHEN isNaN(${expression}) THEN NULL ELSE ${expression} END`,
  position: (expression, values) => positionByCase(expression, values, clickhouseDialect.literal),
  pick: (position, numbers) =>
    `CASE ${numbers.map((x, code) => `WHEN ${position} = ${code} THEN ${clickhouseDialect.number(x)}`).join(" ")} END`,
  exp: (expression) => `exp(${expression})`,
  // Older versions compare two at a time.
  greatest: (expressions) => expressions.reduce((a, b) => `greatest(${a}, ${b})`),
  distinct: (expression) => `uniq(${expression})`,
};
