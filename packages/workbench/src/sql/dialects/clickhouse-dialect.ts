import { PLAIN_NUMBERS } from "conformant/texts";
import { dateNumber, numberWithBlanks, plainNumber } from "../number-text.ts";
import { quoteWithBackslash } from "../quote.ts";
import { softmaxOfScalars } from "../stages.ts";
import { bind, flatten, mapComponents, softmaxInPlace } from "./clickhouse-stages.ts";
import type { CountedColumn, EngineDialect } from "./engine-dialect.ts";

/** The most distinct values of a column that are counted; each server stops there, and the driver receives no more. */
const MOST_COUNTED = 100_000;

/** The most columns that a query encodes: its planning time grows with the square of its length. */
const MOST_ENCODED = 100;

/**
 * Longer lists of constants are named by their hash where an expression is named by its text, shorter ones by all their numbers. Every part
 * of an expression gets such a name, so their length decides how long planning takes.
 */
const NAMED_BY_HASH = 101;

/** Up to this many names a softmax is written without stages: a stage costs a copy of the rows, but the text grows with the third power. */
const MOST_IN_PLACE = 8;

/**
 * ClickHouse 18.16 and later. A table may be spread over servers, and only what is in the same SELECT as the table runs where the rows are.
 * Stages are therefore names in a WITH clause, never subqueries.
 */
export const clickhouseDialect: EngineDialect = {
  name: "clickhouse",
  // A backslash is an escape in texts and names.
  identifier: (name) => quoteWithBackslash(name, '"'),
  literal: (text) => quoteWithBackslash(text, "'"),
  number: (x) => (Number.isFinite(x) ? x.toExponential() : Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf"),
  // These keep a type without NULL, which a CAST to Nullable would not.
  text: (expression) =>
    expression === "NULL" ? "CAST(NULL AS Nullable(String))" : `toString(${expression})`,
  double: (expression) =>
    expression === "NULL" ? "CAST(NULL AS Nullable(Float64))" : `toFloat64(${expression})`,
  whole: (expression) => `CAST(${expression} AS Nullable(Int64))`,
  parseDouble: (expression, style = PLAIN_NUMBERS, otherwise = "inf") =>
    style.date
      ? dateNumber(clickhouseDialect, expression, style.date, otherwise)
      : `CASE WHEN ${expression} IS NULL THEN NULL WHEN ${clickhouseDialect.matches(expression, numberWithBlanks(style))} THEN COALESCE(${finite(clickhouseDialect.castDouble(expression, style))}, ${otherwise}) ELSE ${otherwise} END`,
  // Older versions do not know a plus before a number.
  castDouble: (expression, style) =>
    style.date
      ? dateNumber(clickhouseDialect, expression, style.date, "NULL")
      : `toFloat64OrNull(replaceRegexpAll(${plainNumber(clickhouseDialect, expression, style)}, '^ *[+]|^ +| +$', ''))`,
  capture: (expression, pattern, group) =>
    `replaceRegexpOne(${expression}, ${clickhouseDialect.literal(`^(?:${pattern})$`)}, '\\\\${group}')`,
  digits: (expression) => `toFloat64OrNull(${expression})`,
  strip: (expression, pattern) =>
    `replaceRegexpAll(${expression}, ${clickhouseDialect.literal(pattern)}, '')`,
  replaceAll: (expression, text, by) =>
    `replaceAll(${expression}, ${clickhouseDialect.literal(text)}, ${clickhouseDialect.literal(by)})`,
  isOneOf: (expression, values) => `${expression} IN (${values.map(clickhouseDialect.literal).join(", ")})`,
  copied: (column, type) => (isLongDecimal(type) ? longDecimalText(column) : clickhouseDialect.text(column)),
  withoutPoint: (text) => `replaceAll(${text}, '.', '')`,
  // Older versions cannot compare a number with a text.
  constant: (text) => (isPlainNumber(text) ? text : clickhouseDialect.literal(text)),
  concat: (texts) => `concat(${texts.join(", ")})`,
  matches: (expression, pattern) =>
    `match(${expression}, ${clickhouseDialect.literal(`^(?:${pattern})$`)}) = 1`,
  // trim came later than 18.16.
  trim: (expression) => `replaceRegexpAll(${expression}, '^ +| +$', '')`,
  withoutZeros: (expression) => `replaceRegexpOne(${expression}, '0+$', '')`,
  nanForNull: (expression) => `ifNull(${expression}, nan)`,
  nullForNan: (expression) => `CASE WHEN isNaN(${expression}) THEN NULL ELSE ${expression} END`,
  position: (expression, values) =>
    `nullIf(transform(${expression}, [${values.map(clickhouseDialect.literal).join(", ")}], [${values.map((_, code) => code).join(", ")}], toInt32(-1)), -1)`,
  // All branches are computed for all rows, but a function over a list only for the list's elements.
  otherwise: (first, second) =>
    `ifNull(${first}, arrayMap(late_ -> ${second}, arraySlice([0], 1, isNull(${first})))[1])`,
  pick: (position, numbers) => {
    const padded = [
      ...numbers.map(clickhouseDialect.number),
      ...new Array<string>(Math.max(0, NAMED_BY_HASH - numbers.length)).fill("0"),
    ];
    return `[${padded.join(",")}][${position} + 1]`;
  },
  // One comparison per edge for all rows of a block; the list of one element keeps the expression from being repeated.
  bin: (expression, edges) =>
    edges.length === 0
      ? "0"
      : `arrayMap(x -> toInt32(${Array.from(edges, (edge) => `(x >= ${clickhouseDialect.number(edge)})`).join(" + ")}), [${expression}])[1]`,
  exp: (expression) => `exp(${expression})`,
  log: (expression) => `log(${expression})`,
  // Older versions compare two at a time.
  greatest: (expressions) => expressions.reduce((a, b) => `greatest(${a}, ${b})`),
  distinct: (expression) => `uniq(${expression})`,
  staged: flatten,
  softmax: (logs) =>
    logs.length <= MOST_IN_PLACE ? softmaxInPlace(logs) : softmaxOfScalars(clickhouseDialect, logs),
  mostTreeTerms: 1_000, // every part of an expression is named by its text
  perComponent: mapComponents,
  mostComponents: Number.POSITIVE_INFINITY,
  mostCounted: MOST_COUNTED,
  mostEncoded: MOST_ENCODED,
  countEach: (from, columns) =>
    countColumns(
      from,
      columns,
      `SETTINGS max_rows_to_group_by = ${MOST_COUNTED}, group_by_overflow_mode = 'any'`,
    ),
  // The numbers are one list in the query that runs where the rows are: a repeated expression would be read and named twice.
  computed: ({ from, where, stages }, numbers, copies) => {
    const values = numbers.map(([, expression]) => expression);
    const inner = [`${bind(stages, values)} AS out_`, ...copies.map(([name, copy]) => `${copy} AS ${name}`)];
    const outer = [
      ...numbers.map(([name], a) => `out_[${a + 1}] AS ${name}`),
      ...copies.map(([name]) => name),
    ];
    const rows = flatten({ from, where, stages: [] }, inner.join(", "));
    return `SELECT ${outer.join(", ")} FROM (${rows})`;
  },
  // The weights pass the ARRAY JOIN as lists of equal numbers: outside of it they would be computed for every slot.
  sumPerSlot: ({ from, where, stages }, contributions, weights) => {
    const [C, hasFactors] = [contributions.length, contributions.some(({ factor }) => factor !== undefined)];
    const factors = hasFactors ? contributions.map(({ factor }) => factor ?? "1e0") : [];
    const out = bind(stages, [...contributions.map(({ slot }) => slot), ...factors, ...weights]);
    const lists = weights.map((_, m) => {
      const weight = `out_[${C + factors.length + m + 1}]`;
      return hasFactors
        ? `arrayMap(f -> f * ${weight}, arraySlice(out_, ${C + 1}, ${C})) AS r${m}_`
        : `arrayMap(f -> ${weight}, arraySlice(out_, 1, ${C})) AS r${m}_`;
    });
    const slots = `arrayMap(s -> toInt32(s), arraySlice(out_, 1, ${C})) AS slot_`;
    const sums = weights.map((_, m) => `sum(r${m}_) AS w${m}_`);
    return flatten(
      { from: `${from} ARRAY JOIN ${[slots, ...lists].join(", ")}`, where, stages: [[["out_", out]]] },
      `slot_, ${sums.join(", ")}`,
      "GROUP BY slot_",
    );
  },
  hashed,
  digest: (columns) =>
    `cityHash64(${[...columns.map(({ sql, type }) => hashed(sql, type)), columns.length].join(", ")})`,
  hash: (values, seed) => `toInt32(bitAnd(cityHash64(${[...values, seed].join(", ")}), 2147483647))`,
  // A sample by the hash of the row, so that it does not depend on the order of the rows.
  quantiles: (expression, levels, hash) =>
    `toString(quantilesDeterministic(${levels.join(", ")})(${expression}, ${hash}))`,
};

/** The same for users who may not change settings: the result is bounded, but not what the servers count. */
export const clickhouseWithoutSettings: EngineDialect = {
  ...clickhouseDialect,
  countEach: (from, columns) => countColumns(from, columns, `LIMIT ${MOST_COUNTED}`),
};

/** A value and whether it is present, the latter only for nullable columns: functions of thousands of columns take long to plan. */
function hashed(column: string, type: string): string {
  // In 18.16 the texts of long decimals are not always the same, and no hash accepts the numbers themselves.
  if (isLongDecimal(type)) return hashed(`reinterpretAsString(${column})`, type.replace("Decimal", ""));
  const value = /Decimal|UUID|Enum|Array|Tuple|Map|JSON/.test(type) ? `toString(${column})` : column;
  return /Nullable/.test(type) ? `assumeNotNull(${value}), isNull(${value})` : value;
}

/** The most digits before the point with which toString of a decimal is correct in 18.16. */
const WRITTEN_DIGITS = 20;

/** Whether a type is a 128-bit decimal with more digits before the point than {@link WRITTEN_DIGITS}. */
function isLongDecimal(type: string): boolean {
  const [, digits, scale] = /^(?:Nullable\()?Decimal\((\d+), *(\d+)\)\)?$/.exec(type) ?? [];
  return digits !== undefined && Number(digits) <= 38 && Number(digits) - Number(scale) > WRITTEN_DIGITS;
}

/** The text of a long decimal: what precedes its last 18 whole digits, and these with a leading 1 that is cut off. */
function longDecimalText(number: string): string {
  const unit = "toDecimal128('1000000000000000000', 0)";
  const high = `toDecimal128(intDiv(abs(${number}), ${unit}), 0)`;
  const low = `substring(toString(abs(${number}) - ${high} * ${unit} + ${unit}), 2)`;
  return `if(${high} = 0, toString(${number}), concat(if(${number} < 0, '-', ''), toString(${high}), ${low}))`;
}

/** 18.16 has no GROUPING SETS. Each part reads one column, so that all together read the table once. */
function countColumns(from: string, columns: readonly CountedColumn[], bound: string): string {
  const { double, text } = clickhouseDialect;
  const parts = columns.map(({ key, expression, isNumber }, c) => {
    const number = isNumber ? `CAST(${expression} AS Nullable(Float64))` : double("NULL");
    // Only the key of a group remains, and NULL is not a value of an enumeration: the text is made before grouping.
    const value = isNumber ? text("NULL") : `any(CAST(${expression} AS Nullable(String)))`;
    return `SELECT toInt32(${c}) AS place_, ${number} AS number_, ${value} AS text_, toFloat64(count()) AS n_ FROM ${from} GROUP BY ${key} ${bound}`;
  });
  const all = `SELECT toInt32(-1) AS place_, ${double("NULL")} AS number_, ${text("NULL")} AS text_, toFloat64(count()) AS n_ FROM ${from}`;
  return [all, ...parts].join(" UNION ALL ");
}

/** A number beyond the range of a double is read as infinity. */
function finite(number: string): string {
  return `CASE WHEN abs(${number}) < inf THEN ${number} END`;
}

/** Whether a text is a number that SQL writes like that. */
function isPlainNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
