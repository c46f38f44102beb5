import type { EngineDialect } from "./engine-dialect.ts";
import type { Field } from "./fields.ts";
import type { Shape } from "./source-column.ts";

/** The columns of a row of {@link countSql}: place, number, text, count. */
export const COUNT_SHAPES: readonly Shape[] = ["code", "number", "text", "number"];

/**
 * One GROUP BY per field, in one query: the number of rows first, then for each field its gaps and its values in ascending
 * order. A result row has the position of its field, the value as a number or as a text, and the count.
 */
export function countSql(dialect: EngineDialect, from: string, fields: readonly Field[]): string {
  const columns = fields.map(({ storage, value, raw, key }) => ({
    key,
    expression: storage === "number" ? value : raw,
    isNumber: storage === "number",
  }));
  const counted = dialect.countEach(from, columns);
  return `SELECT place_, ${dialect.nanForNull("number_")} AS filled_, text_, n_ FROM (${counted}) AS counted ORDER BY place_, number_ NULLS FIRST`;
}
