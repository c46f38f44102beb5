import type { Column } from "conformant";
import { type IndicatorColumn, isIndicatorColumn } from "../source/positions.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { encodeSql } from "./encode.ts";
import type { Field, FieldSet } from "./fields.ts";

/** The same fields, and those of columns that mark the gaps of others. */
export function withMarks(
  dialect: Dialect,
  { from, fields }: FieldSet,
  columns: readonly Column[],
): FieldSet {
  const marks = columns.filter(isIndicatorColumn).flatMap((mark) => {
    const marked = columns.find(({ name }) => name === mark.gapOf);
    return marked ? [[mark.name, markField(dialect, mark, marked, fields.get(marked.name))] as const] : [];
  });
  return { from, fields: new Map([...fields, ...marks]) };
}

/** The marks of a column's gaps; one that the source lacks is missing in every row. */
function markField(dialect: Dialect, mark: IndicatorColumn, marked: Column, field: Field | undefined): Field {
  const isGap = !field
    ? "1 = 1"
    : marked.kind === "numeric"
      ? `${field.value} IS NULL`
      : `${encodeSql(dialect, marked, field)} < 0`;
  const value = `CASE WHEN ${isGap} THEN 1 ELSE 0 END`;
  const { name } = mark;
  return { name, storage: "number", key: value, raw: value, value, text: dialect.text(value), gaps: [] };
}
