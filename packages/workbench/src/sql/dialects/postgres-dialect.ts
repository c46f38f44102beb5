import { PLAIN_NUMBERS } from "conformant/texts";
import { countByGroupingSets, sumByUnnest } from "../nested-counts.ts";
import { dateNumber, numberWithBlanks, plainNumber } from "../number-text.ts";
import { writeOutComponents } from "../per-component.ts";
import { quoteIdentifier, quoteLiteral, quoteWithBackslash } from "../quote.ts";
import { computeNumbers, nestStages, softmaxOfScalars } from "../stages.ts";
import type { EngineDialect } from "./engine-dialect.ts";

/** exp() raises an error below this instead of answering 0. */
const LEAST_EXPONENT = -700;

/** Keeps the planner from merging a query with the outer one, which would compute its expressions at every use. */
const FENCE = " OFFSET 0";

/** Hash functions by type; other types are hashed by their text, which takes ten times as long. */
const HASHES: Readonly<Record<string, string>> = {
  int2: "hashint2extended",
  int4: "hashint4extended",
  int8: "hashint8extended",
  float4: "hashfloat4extended",
  float8: "hashfloat8extended",
  numeric: "hash_numeric_extended",
  text: "hashtextextended",
  varchar: "hashtextextended",
  uuid: "uuid_hash_extended",
  timestamp: "timestamp_hash_extended",
};

const list = (numbers: ArrayLike<number>): string =>
  `ARRAY[${Array.from(numbers, (x) => quoteLiteral(String(x))).join(", ")}]::float8[]`;

const inStages = nestStages(FENCE);

/** PostgreSQL 11 and newer. */
export const postgresDialect: EngineDialect = {
  name: "postgres",
  identifier: quoteIdentifier,
  literal: (text) => (text.includes("\\") ? `E${quoteWithBackslash(text, "'")}` : quoteLiteral(text)),
  number: (x) => `${quoteLiteral(String(x))}::float8`,
  text: (expression) => `CAST(${expression} AS text)`,
  double: (expression) => `CAST(${expression} AS float8)`,
  whole: (expression) => `CAST(${expression} AS bigint)`,
  // No cast returns NULL instead of raising an error, so a pattern filters texts first.
  parseDouble: (expression, style = PLAIN_NUMBERS, otherwise = "'Infinity'::float8") =>
    style.date
      ? dateNumber(postgresDialect, expression, style.date, otherwise)
      : `CASE WHEN ${expression} IS NULL THEN NULL WHEN ${postgresDialect.matches(expression, numberWithBlanks(style))} THEN ${castInRange(plainNumber(postgresDialect, expression, style), otherwise)} ELSE ${otherwise} END`,
  castDouble: (expression, style) => postgresDialect.parseDouble(expression, style, "NULL"),
  capture: (expression, pattern, group) =>
    `(regexp_match(${expression}, ${quoteLiteral(`^(?:${pattern})$`)}))[${group}]`,
  digits: (expression) => `CAST(NULLIF(${expression}, '') AS float8)`,
  strip: (expression, pattern) => `regexp_replace(${expression}, ${quoteLiteral(pattern)}, '', 'g')`,
  replaceAll: (expression, text, by) => `replace(${expression}, ${quoteLiteral(text)}, ${quoteLiteral(by)})`,
  // A list of constants is hashed, which a CASE is not.
  isOneOf: (expression, values) =>
    `${expression} = ANY (ARRAY[${values.map(postgresDialect.literal).join(", ")}]::text[])`,
  // Casting a fixed-length text to another text type removes its trailing blanks.
  copied: (column, type) =>
    type === "bpchar"
      ? `CASE WHEN ${column} IS NOT NULL THEN format('%s', ${column}) END`
      : postgresDialect.text(column),
  withoutPoint: (text) => `replace(${text}, '.', '')`,
  constant: (text) => postgresDialect.literal(text),
  concat: (texts) => texts.join(" || "),
  matches: (expression, pattern) => `${expression} ~ ${quoteLiteral(`^(?:${pattern})$`)}`,
  trim: (expression) => `trim(${expression})`,
  withoutZeros: (expression) => `rtrim(${expression}, '0')`,
  nanForNull: (expression) => `COALESCE(${expression}, 'NaN'::float8)`,
  nullForNan: (expression) => `NULLIF(${expression}, 'NaN'::float8)`,
  position: (expression, values) =>
    `CASE ${expression} ${values.map((value, code) => `WHEN ${postgresDialect.literal(value)} THEN ${code}`).join(" ")} END`,
  otherwise: (first, second) => `COALESCE(${first}, ${second})`,
  pick: (position, numbers) => `(${list(numbers)})[${position} + 1]`,
  bin: (expression, edges) => (edges.length === 0 ? "0" : `width_bucket(${expression}, ${list(edges)})`),
  exp: (expression) => `exp(GREATEST(${expression}, ${LEAST_EXPONENT}))`,
  log: (expression) => `ln(${expression})`,
  greatest: (expressions) => `GREATEST(${expressions.join(", ")})`,
  distinct: (expression) => `count(DISTINCT ${expression})`,
  staged: inStages,
  computed: computeNumbers(inStages),
  softmax: (logs) => softmaxOfScalars(postgresDialect, logs),
  mostTreeTerms: 20_000,
  perComponent: (computation) => writeOutComponents(computation, postgresDialect.number),
  // PostgreSQL interprets the expression: with a mixture that takes up to six times as long as sending the rows (docs/performance.md).
  mostComponents: 1,
  mostCounted: Number.POSITIVE_INFINITY,
  mostEncoded: Number.POSITIVE_INFINITY,
  countEach: (from, columns) => countByGroupingSets(postgresDialect, from, columns),
  sumPerSlot: (query, contributions, weights) =>
    sumByUnnest(query, contributions, weights, {
      double: postgresDialect.double,
      list: (expressions) => `ARRAY[${expressions.join(", ")}]`,
      fence: FENCE,
    }),
  hashed: (column, type) =>
    type in HASHES ? `${HASHES[type]}(${column}, 0)` : `hashtextextended(CAST(${column} AS text), 0)`,
  hash: (hashes, seed) =>
    `(hash_array_extended(ARRAY[${hashes.join(", ")}]::bigint[], ${seed}) & 2147483647)::int`,
  // The hash of the text of the whole row, in which NULL and the empty text differ: hash_array and hash_record add up the hashes of the
  // columns, so that a value moved to another row would leave the total unchanged.
  digest: (columns) => `hashtextextended(CAST(ROW(${columns.map(({ sql }) => sql).join(", ")}) AS text), 0)`,
  quantiles: (expression, levels) =>
    `CAST(percentile_disc(ARRAY[${levels.join(", ")}]) WITHIN GROUP (ORDER BY ${expression}) AS text)`,
};

/** A cast that fails beyond the range of a double: larger values become `otherwise`, smaller ones 0. */
function castInRange(text: string, otherwise: string): string {
  const size = `abs(CAST(${text} AS numeric))`;
  return `CASE WHEN ${text} !~ '[eE]' AND length(${text}) < 300 THEN CAST(${text} AS float8) WHEN ${size} > 1.7976931348623157e308 THEN ${otherwise} WHEN ${size} < 5e-324 THEN 0 ELSE CAST(${text} AS float8) END`;
}
