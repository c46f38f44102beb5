import { numberPattern, PLAIN_NUMBERS } from "conformant/texts";
import { blanksAround, plainNumber } from "../number-text.ts";
import { quoteWithBackslash } from "../quote.ts";
import { softmaxOfScalars } from "../stages.ts";
import { bind, flatten, mapComponents, softmaxInPlace } from "./clickhouse-stages.ts";
import type { CountedColumn, EngineDialect } from "./engine-dialect.ts";

/** Different values of a column that are counted one by one; beyond, each server stops and the driver need not hear of them. */
const MOST_COUNTED = 100_000;

/** Columns whose cells a query encodes: the time to plan it grows with the square of its length. */
const MOST_ENCODED = 100;

/**
 * A list of so many constants goes by its hash where an expression is named by its text, a shorter one by all its numbers;
 * such names are made for every part of an expression, so that their length decides how long a query takes to begin.
 */
const NAMED_BY_HASH = 101;

/** Names up to which a softmax is written without stages: each costs a copy of the rows, but the text grows with the third power. */
const MOST_IN_PLACE = 8;

/**
 * ClickHouse, from 18.16 on. A table may be spread over servers, and only what stands in one SELECT with the table runs where
 * the rows lie: stages are therefore names in a WITH clause and never queries inside queries.
 */
export const clickhouseDialect: EngineDialect = {
  name: "clickhouse",
  // A backslash is an escape in texts and names.
  identifier: (name) => quoteWithBackslash(name, '"'),
  literal: (text) => quoteWithBackslash(text, "'"),
  number: (x) => (Number.isFinite(x) ? x.toExponential() : Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf"),
  // These leave a type without NULL as it is, which is what a CAST to Nullable would not.
  text: (expression) =>
    expression === "NULL" ? "CAST(NULL AS Nullable(String))" : `toString(${expression})`,
  double: (expression) =>
    expression === "NULL" ? "CAST(NULL AS Nullable(Float64))" : `toFloat64(${expression})`,
  whole: (expression) => `CAST(${expression} AS Nullable(Int64))`,
  parseDouble: (expression, style = PLAIN_NUMBERS, otherwise = "inf") =>
    `CASE WHEN ${expression} IS NULL THEN NULL WHEN ${clickhouseDialect.matches(expression, blanksAround(numberPattern(style)))} THEN COALESCE(${finite(clickhouseDialect.castDouble(expression, style))}, ${otherwise}) ELSE ${otherwise} END`,
  // Older versions do not know a plus before a number.
  castDouble: (expression, style) =>
    `toFloat64OrNull(replaceRegexpAll(${plainNumber(expression, style, "replaceAll")}, '^ *[+]|^ +| +$', ''))`,
  isOneOf: (expression, values) => `${expression} IN (${values.map(clickhouseDialect.literal).join(", ")})`,
  copied: (column, type) => (isLongDecimal(type) ? longDecimalText(column) : clickhouseDialect.text(column)),
  withoutPoint: (text) => `replaceAll(${text}, '.', '')`,
  // Older versions compare no number with a text.
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
  // All branches are computed for all rows, but a function of a list only for what is in it.
  otherwise: (first, second) =>
    `ifNull(${first}, arrayMap(late_ -> ${second}, arraySlice([0], 1, isNull(${first})))[1])`,
  pick: (position, numbers) => {
    const padded = [
      ...numbers.map(clickhouseDialect.number),
      ...new Array<string>(Math.max(0, NAMED_BY_HASH - numbers.length)).fill("0"),
    ];
    return `[${padded.join(",")}][${position} + 1]`;
  },
  // One comparison per edge, all rows of a block at a time; the list of one keeps the expression from being written again.
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
  mostTreeTerms: 1_000, // it names every part of an expression by its text
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
  // The numbers are one list in the query that runs where the rows lie: what stands there twice is read and named twice.
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
  // The weights go through the ARRAY JOIN as lists of equal numbers: outside of it they would be computed for every slot.
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
  // A sample that the hash of the row decides, so that the answer does not depend on the order of the rows.
  quantiles: (expression, levels, hash) =>
    `toString(quantilesDeterministic(${levels.join(", ")})(${expression}, ${hash}))`,
};

/** The same for a user who may not change settings: what is sent is bounded, though not what the servers count. */
export const clickhouseWithoutSettings: EngineDialect = {
  ...clickhouseDialect,
  countEach: (from, columns) => countColumns(from, columns, `LIMIT ${MOST_COUNTED}`),
};

/** A value and whether there is one, only where that is a question: functions of thousands of columns take long to be planned. */
function hashed(column: string, type: string): string {
  // The texts of long decimal numbers are not always the same in 18.16, and no hash takes the numbers themselves.
  if (isLongDecimal(type)) return hashed(`reinterpretAsString(${column})`, type.replace("Decimal", ""));
  const value = /Decimal|UUID|Enum|Array|Tuple|Map|JSON/.test(type) ? `toString(${column})` : column;
  return /Nullable/.test(type) ? `assumeNotNull(${value}), isNull(${value})` : value;
}

/** Digits before the point up to which toString writes a decimal number rightly in 18.16; of more it leaves some unwritten. */
const WRITTEN_DIGITS = 20;

/** Whether a type is of decimal numbers of 128 bits with more digits before the point than {@link WRITTEN_DIGITS}. */
function isLongDecimal(type: string): boolean {
  const [, digits, scale] = /^(?:Nullable\()?Decimal\((\d+), *(\d+)\)\)?$/.exec(type) ?? [];
  return digits !== undefined && Number(digits) <= 38 && Number(digits) - Number(scale) > WRITTEN_DIGITS;
}

/** The text of a long decimal number: what is before its last 18 whole digits, and these with a 1 before them that is cut off. */
function longDecimalText(number: string): string {
  const unit = "toDecimal128('1000000000000000000', 0)";
  const high = `toDecimal128(intDiv(abs(${number}), ${unit}), 0)`;
  const low = `substring(toString(abs(${number}) - ${high} * ${unit} + ${unit}), 2)`;
  return `if(${high} = 0, toString(${number}), concat(if(${number} < 0, '-', ''), toString(${high}), ${low}))`;
}

/** There are no GROUPING SETS in 18.16. Each part reads one column, so that all together read the table once. */
function countColumns(from: string, columns: readonly CountedColumn[], bound: string): string {
  const { double, text } = clickhouseDialect;
  const parts = columns.map(({ key, expression, isNumber }, c) => {
    const number = isNumber ? `CAST(${expression} AS Nullable(Float64))` : double("NULL");
    // Of a group only the key is left, and a NULL there is no value that an enumeration has: the text is made before.
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
