import type { NumberStyle } from "conformant/texts";
import type { EngineDialect } from "./dialects/engine-dialect.ts";
import { type Field, numberOfText } from "./fields.ts";
import type { Shape } from "./source-column.ts";

/** The columns of a row of {@link countSql}: place, number, text, count. */
export const COUNT_SHAPES: readonly Shape[] = ["code", "number", "text", "number"];

/**
 * One GROUP BY per field, in one query: the number of rows first, then for each field its missing values and its values in ascending order.
 * A result row has the position of its field, the value as a number or as a text, and the count. Texts that are read as numbers are counted
 * as texts and parsed once each; a text that is not a number gets an infinite number.
 */
export function countSql(dialect: EngineDialect, from: string, fields: readonly Field[]): string {
  const columns = fields.map(({ storage, style, value, raw, key }) => {
    const isNumber = storage === "number" && style === undefined;
    return { key, expression: isNumber ? value : raw, isNumber };
  });
  const counted = dialect.countEach(from, columns);
  const number = parsedSql(dialect, fields);
  const isRead = `${number} < ${dialect.number(Number.POSITIVE_INFINITY)}`;
  const parsed = `SELECT place_, ${number} AS value_, CASE WHEN ${isRead} THEN NULL ELSE text_ END AS spelled_, n_ FROM (${counted}) AS counted`;
  return `SELECT place_, ${dialect.nanForNull("value_")} AS filled_, spelled_, n_ FROM (${parsed}) AS parsed ORDER BY place_, value_ NULLS FIRST`;
}

/** number_ or, for the fields whose numbers are texts in the source, what text_ is as a number. */
function parsedSql(dialect: EngineDialect, fields: readonly Field[]): string {
  const styles = new Map<string, { readonly field: Field; readonly places: number[] }>();
  fields.forEach((field, place) => {
    if (!field.style) return;
    const key = JSON.stringify([field.style, field.gaps]);
    const same = styles.get(key) ?? { field, places: [] };
    same.places.push(place);
    styles.set(key, same);
  });
  const cases = Array.from(
    styles.values(),
    ({ field, places }) =>
      `WHEN place_ IN (${places.join(", ")}) THEN ${numberOfText(dialect, "text_", field.gaps, field.style as NumberStyle)}`,
  );
  return cases.length === 0 ? "number_" : `CASE ${cases.join(" ")} ELSE number_ END`;
}
