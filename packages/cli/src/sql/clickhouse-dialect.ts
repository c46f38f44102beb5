import type { EngineDialect } from "./engine-dialect.ts";
import { quoteWithBackslash } from "./quote.ts";
import type { Staged } from "./stages.ts";

/** Different values of a column that are counted one by one; beyond, each server stops and the driver need not hear of them. */
const MOST_COUNTED = 20_000;

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
  text: (expression) => `CAST(${expression} AS Nullable(String))`,
  double: (expression) => `CAST(${expression} AS Nullable(Float64))`,
  whole: (expression) => `CAST(${expression} AS Nullable(Int64))`,
  parseDouble: (expression) =>
    `CASE WHEN ${expression} IS NULL THEN NULL ELSE COALESCE(toFloat64OrNull(${expression}), inf) END`,
  // trim came later than 18.16.
  trim: (expression) => `replaceRegexpAll(${expression}, '^ +| +$', '')`,
  nanForNull: (expression) => `ifNull(${expression}, nan)`,
  nullForNan: (expression) => `CASE WHEN isNaN(${expression}) THEN NULL ELSE ${expression} END`,
  position: (expression, values) =>
    `nullIf(transform(${expression}, [${values.map(clickhouseDialect.literal).join(", ")}], [${values.map((_, code) => code).join(", ")}], toInt32(-1)), -1)`,
  pick: (position, numbers) => {
    const list = `[${numbers.map(clickhouseDialect.number).join(", ")}]`;
    return `${list}[${position} + 1]`;
  },
  // One comparison per edge, all rows of a block at a time; the list of one keeps the expression from being written again.
  bin: (expression, edges) =>
    edges.length === 0
      ? "0"
      : `arrayMap(x -> ${Array.from(edges, (edge) => `(x >= ${clickhouseDialect.number(edge)})`).join(" + ")}, [${expression}])[1]`,
  exp: (expression) => `exp(${expression})`,
  log: (expression) => `log(${expression})`,
  // Older versions compare two at a time.
  greatest: (expressions) => expressions.reduce((a, b) => `greatest(${a}, ${b})`),
  distinct: (expression) => `uniq(${expression})`,
  staged: flatten,
  softmax: (logs) => ({
    stages: [
      [["top_", `arrayReduce('max', [${logs.join(", ")}])`]],
      [["powers_", `arrayMap(s -> exp(s - top_), [${logs.join(", ")}])`]],
      [["total_", "arraySum(powers_)"]],
    ],
    share: (position) => `powers_[${position + 1}] / total_`,
    logTotal: "top_ + log(total_)",
  }),
  mostCounted: MOST_COUNTED,
  // There are no GROUPING SETS in 18.16. Each part reads one column, so that all together read the table once.
  countEach: (from, columns) => {
    const bound = `SETTINGS max_rows_to_group_by = ${MOST_COUNTED}, group_by_overflow_mode = 'any'`;
    const parts = columns.map(({ expression, isNumber }, c) => {
      const value = isNumber
        ? `${clickhouseDialect.double(expression)} AS number_, ${clickhouseDialect.text("NULL")} AS text_`
        : `${clickhouseDialect.double("NULL")} AS number_, ${clickhouseDialect.text(expression)} AS text_`;
      return `SELECT toInt32(${c}) AS place_, ${value}, toFloat64(count()) AS n_ FROM ${from} GROUP BY ${isNumber ? "number_" : "text_"} ${bound}`;
    });
    const all = `SELECT toInt32(-1) AS place_, ${clickhouseDialect.double("NULL")} AS number_, ${clickhouseDialect.text("NULL")} AS text_, toFloat64(count()) AS n_ FROM ${from}`;
    return [all, ...parts].join(" UNION ALL ");
  },
  // The weights go through the ARRAY JOIN as lists of equal numbers: outside of it they would be computed for every slot.
  sumPerSlot: ({ from, where, stages }, contributions, weights) => {
    const slots = `[${contributions.map(({ slot }) => `toInt32(${slot})`).join(", ")}]`;
    const hasFactors = contributions.some(({ factor }) => factor !== undefined);
    const factors = `[${contributions.map(({ factor }) => factor ?? "1e0").join(", ")}]`;
    const lists = weights.map((weight, m) =>
      hasFactors
        ? `arrayMap(f -> f * (${weight}), ${factors}) AS r${m}_`
        : `arrayMap(f -> ${weight}, ${slots}) AS r${m}_`,
    );
    const sums = weights.map((_, m) => `sum(r${m}_) AS w${m}_`);
    return flatten(
      { from: `${from} ARRAY JOIN ${slots} AS slot_, ${lists.join(", ")}`, where, stages },
      `slot_, ${sums.join(", ")}`,
      "GROUP BY slot_",
    );
  },
  hash: (expressions, seed) =>
    `toInt32(bitAnd(cityHash64(${[...expressions.map((x) => `ifNull(toString(${x}), '\\\\N')`), seed].join(", ")}), 2147483647))`,
  // A sample that the hash of the row decides, so that the answer does not depend on the order of the rows.
  quantiles: (expression, levels, hash) =>
    `toString(quantilesDeterministic(${levels.join(", ")})(${expression}, ${hash}))`,
};

function flatten({ from, where, stages }: Staged, select: string, tail = ""): string {
  const names = stages.flat().map(([name, expression]) => `(${expression}) AS ${name}`);
  const given = names.length > 0 ? `WITH ${names.join(", ")} ` : "";
  return `${given}SELECT ${select} FROM ${from}${where ? ` WHERE ${where}` : ""}${tail && ` ${tail}`}`;
}
