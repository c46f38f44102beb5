import type { Dialect } from "./dialects/dialect.ts";
import type { Contribution, CountedColumn } from "./dialects/engine-dialect.ts";
import { nestStages, type Staged } from "./stages.ts";

/** {@link EngineDialect.countEach} in one pass, for engines with GROUPING SETS. */
export function countByGroupingSets(
  { double, text }: Pick<Dialect, "double" | "text">,
  from: string,
  columns: readonly CountedColumn[],
): string {
  const inner = columns.map(({ expression }, c) => `${expression} AS v${c}_`);
  const which = columns.map((_, c) => `WHEN GROUPING(v${c}_) = 0 THEN ${c}`).join(" ");
  const values = (numbers: boolean): string[] =>
    columns.flatMap(({ isNumber }, c) => (isNumber === numbers ? [numbers ? `v${c}_` : text(`v${c}_`)] : []));
  const selected = [
    `${columns.length > 0 ? `CASE ${which} ELSE -1 END` : "-1"} AS place_`,
    `COALESCE(${[...values(true), double("NULL")].join(", ")}) AS number_`,
    `COALESCE(${[...values(false), text("NULL")].join(", ")}) AS text_`,
    `${double("count(*)")} AS n_`,
  ];
  const sets = ["()", ...columns.map((_, c) => `(v${c}_)`)];
  return `SELECT ${selected.join(", ")} FROM (SELECT ${inner.join(", ") || "1 AS nothing"} FROM ${from}) AS counted_columns GROUP BY GROUPING SETS (${sets.join(", ")})`;
}

/**
 * {@link EngineDialect.sumPerSlot} for engines that unfold lists in a SELECT.
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
  const rows = nestStages(query, unfolded.join(", "), "", fence);
  const sums = weights.map((_, m) => `sum(r${m}_${hasFactors ? " * factor_" : ""}) AS w${m}_`);
  return `SELECT slot_, ${sums.join(", ")} FROM (${rows}${fence}) AS contributions WHERE slot_ IS NOT NULL GROUP BY slot_`;
}
