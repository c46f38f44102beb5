import type { Dialect } from "./dialects/dialect.ts";
import type { Contribution, CountedColumn } from "./dialects/engine-dialect.ts";
import { nestStages, type Staged } from "./stages.ts";

/**
 * {@link EngineDialect.countEach} in one pass, for engines with GROUPING SETS. Numbers are grouped as stored, and derived values are
 * computed once per group. Texts are grouped as texts, since their types may treat different texts as equal.
 */
export function countByGroupingSets(
  { double, text }: Pick<Dialect, "double" | "text">,
  from: string,
  columns: readonly CountedColumn[],
): string {
  const groups = columns.map(({ key, expression, isNumber }) => (isNumber ? key : expression));
  const which = groups.map((group, c) => `WHEN GROUPING(${group}) = 0 THEN ${c}`).join(" ");
  const values = (numbers: boolean): string[] =>
    columns.flatMap(({ isNumber, expression }) =>
      isNumber === numbers ? [numbers ? expression : text(expression)] : [],
    );
  const selected = [
    `${columns.length > 0 ? `CASE ${which} ELSE -1 END` : "-1"} AS place_`,
    // In the groups of one column the others are NULL.
    `COALESCE(${[...values(true), double("NULL")].join(", ")}) AS number_`,
    `COALESCE(${[...values(false), text("NULL")].join(", ")}) AS text_`,
    `${double("count(*)")} AS n_`,
  ];
  const sets = ["()", ...groups.map((group) => `(${group})`)];
  return `SELECT ${selected.join(", ")} FROM ${from} GROUP BY GROUPING SETS (${sets.join(", ")})`;
}

/**
 * {@link EngineDialect.sumPerSlot} for engines that unnest lists in a SELECT.
 *
 * @param list writes a list of expressions
 */
export function sumByUnnest(
  query: Staged,
  contributions: readonly Contribution[],
  weights: readonly string[],
  {
    double,
    list,
    fence = "",
  }: Pick<Dialect, "double"> & {
    readonly list: (expressions: readonly string[]) => string;
    readonly fence?: string;
  },
): string {
  const hasFactors = contributions.some(({ factor }) => factor !== undefined);
  const unfolded = [
    `unnest(${list(contributions.map(({ slot }) => slot))}) AS slot_`,
    ...(hasFactors
      ? [`unnest(${list(contributions.map(({ factor }) => factor ?? double("1")))}) AS factor_`]
      : []),
    ...weights.map((weight, m) => `${weight} AS r${m}_`),
  ];
  const rows = nestStages(fence)(query, unfolded.join(", "));
  const sums = weights.map((_, m) => `sum(r${m}_${hasFactors ? " * factor_" : ""}) AS w${m}_`);
  return `SELECT slot_, ${sums.join(", ")} FROM (${rows}${fence}) AS contributions WHERE slot_ IS NOT NULL GROUP BY slot_`;
}
