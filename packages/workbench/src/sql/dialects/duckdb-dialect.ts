import { PLAIN_NUMBERS } from "conformant/texts";
import { binByCase } from "../case-lists.ts";
import { countByGroupingSets, sumByUnnest } from "../nested-counts.ts";
import { dateNumber, numberWithBlanks, plainNumber } from "../number-text.ts";
import { writeOutComponents } from "../per-component.ts";
import { quoteIdentifier, quoteLiteral } from "../quote.ts";
import { computeNumbers, nestStages, softmaxOfScalars } from "../stages.ts";
import type { EngineDialect } from "./engine-dialect.ts";

const inStages = nestStages();

/** Types whose hash distinguishes all values. That of wider types mixes halves that may be swapped, and a month is 30 days. */
const TOLD_APART =
  /^(U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|VARCHAR|BOOLEAN|DATE|TIME|TIMESTAMP( WITH TIME ZONE|_S|_MS|_NS)?)$/;

/** DuckDB. */
export const duckdbDialect: EngineDialect = {
  name: "duckdb",
  identifier: quoteIdentifier,
  literal: quoteLiteral,
  number: (x) => `${quoteLiteral(String(x))}::DOUBLE`,
  text: (expression) => `CAST(${expression} AS VARCHAR)`,
  double: (expression) => `CAST(${expression} AS DOUBLE)`,
  whole: (expression) => `CAST(${expression} AS BIGINT)`,
  // A single character is a digit or is cast to NULL, which spares most cells of tables of small counts the pattern. Of AND the second part
  // is computed only where the first holds, of OR both everywhere. Values beyond the range of a double become infinity.
  parseDouble: (expression, style = PLAIN_NUMBERS, otherwise = "'inf'::DOUBLE") =>
    style.date
      ? dateNumber(duckdbDialect, expression, style.date, otherwise)
      : `CASE WHEN ${expression} IS NULL THEN NULL WHEN strlen(${expression}) > 1 AND NOT ${duckdbDialect.matches(expression, numberWithBlanks(style))} THEN ${otherwise} ELSE COALESCE(${duckdbDialect.castDouble(expression, style)}, ${otherwise}) END`,
  castDouble: (expression, style) =>
    style.date
      ? dateNumber(duckdbDialect, expression, style.date, "NULL")
      : `TRY_CAST(${plainNumber(duckdbDialect, expression, style)} AS DOUBLE)`,
  capture: (expression, pattern, group) =>
    `regexp_extract(${expression}, ${quoteLiteral(`^(?:${pattern})$`)}, ${group})`,
  digits: (expression) => `TRY_CAST(${expression} AS DOUBLE)`,
  strip: (expression, pattern) => `regexp_replace(${expression}, ${quoteLiteral(pattern)}, '', 'g')`,
  replaceAll: (expression, text, by) => `replace(${expression}, ${quoteLiteral(text)}, ${quoteLiteral(by)})`,
  // A list after IN would become a join.
  isOneOf: (expression, values) => `${duckdbDialect.position(expression, values)} IS NOT NULL`,
  copied: (column) => duckdbDialect.text(column),
  withoutPoint: (text) => `replace(${text}, '.', '')`,
  constant: quoteLiteral,
  concat: (texts) => texts.join(" || "),
  matches: (expression, pattern) => `regexp_full_match(${expression}, ${quoteLiteral(pattern)})`,
  trim: (expression) => `trim(${expression})`,
  withoutZeros: (expression) => `rtrim(${expression}, '0')`,
  nanForNull: (expression) => `COALESCE(${expression}, 'nan'::DOUBLE)`,
  nullForNan: (expression) => `CASE WHEN isnan(${expression}) THEN NULL ELSE ${expression} END`,
  // A cast to an enumeration looks the text up in a hash table; a CASE would compare with every value.
  position: (expression, values) =>
    `CAST(enum_code(TRY_CAST(${expression} AS ENUM(${values.map(quoteLiteral).join(", ")}))) AS INTEGER)`,
  otherwise: (first, second) => `COALESCE(${first}, ${second})`,
  pick: (position, numbers) =>
    `([${numbers.map((x) => duckdbDialect.number(x)).join(", ")}])[${position} + 1]`,
  bin: (expression, edges) => binByCase(expression, edges, duckdbDialect.number),
  exp: (expression) => `exp(${expression})`,
  log: (expression) => `ln(${expression})`,
  greatest: (expressions) => `GREATEST(${expressions.join(", ")})`,
  distinct: (expression) => `approx_count_distinct(${expression})`,
  staged: inStages,
  computed: computeNumbers(inStages),
  softmax: (logs) => softmaxOfScalars(duckdbDialect, logs),
  mostTreeTerms: 20_000,
  perComponent: (computation) => writeOutComponents(computation, duckdbDialect.number),
  mostComponents: Number.POSITIVE_INFINITY,
  mostCounted: Number.POSITIVE_INFINITY,
  mostEncoded: Number.POSITIVE_INFINITY,
  countEach: (from, columns) => countByGroupingSets(duckdbDialect, from, columns),
  sumPerSlot: (query, contributions, weights) =>
    sumByUnnest(query, contributions, weights, {
      double: duckdbDialect.double,
      list: (expressions) => `[${expressions.join(", ")}]`,
    }),
  hash: (expressions, seed) => `CAST(hash(${[...expressions, seed].join(", ")}) & 2147483647 AS INTEGER)`,
  // The outer hash mixes the inner ones, which are combined by exclusive or.
  digest: (columns) => {
    const values = columns.map(({ sql, type }) => (TOLD_APART.test(type) ? sql : `CAST(${sql} AS VARCHAR)`));
    return `hash(hash(${[...values, columns.length].join(", ")}))`;
  },
  quantiles: (expression, levels) => `CAST(quantile_disc(${expression}, [${levels.join(", ")}]) AS VARCHAR)`,
};
