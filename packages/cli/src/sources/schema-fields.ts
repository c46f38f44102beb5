import type { Column } from "conformant";
import type { NumberStyle } from "conformant/texts";
import { findNumberStyles, type IndicatorColumn, isIndicatorColumn } from "conformant-workbench";
import { encodeSql, type Field, type FieldSet, fieldsOf } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";
import { engineTable } from "./engine-table.ts";

/** What the command line says about cells. */
export interface CellOptions {
  readonly gaps: readonly string[];
  readonly decimal?: NumberStyle["decimal"] | undefined;
}

/** Columns whose kinds are known, in a source: none of their categories is a gap, and texts are numbers where they must be. */
export async function fieldsOfSchema(
  connector: Connector,
  columns: readonly Column[],
  { gaps, decimal }: CellOptions,
): Promise<FieldSet> {
  const names = columns.filter((column) => !isIndicatorColumn(column)).map(({ name }) => name);
  const categories = new Map(
    columns.flatMap((column) =>
      column.kind === "categorical" ? [[column.name, column.values] as const] : [],
    ),
  );
  const asTexts = fieldsOf(connector, names, { gaps, categories });
  const numeric = columns.filter(({ kind }) => kind !== "categorical").map(({ name }) => name);
  const numbers = await findNumberStyles(engineTable(connector), asTexts, numeric, decimal);
  return withMarks(connector, fieldsOf(connector, names, { gaps, categories, numbers }), columns);
}

/** The same fields, and those of columns that mark the gaps of others. */
export function withMarks(
  connector: Connector,
  { from, fields }: FieldSet,
  columns: readonly Column[],
): FieldSet {
  const marks = columns.filter(isIndicatorColumn).flatMap((mark) => {
    const marked = columns.find(({ name }) => name === mark.gapOf);
    return marked ? [[mark.name, markField(connector, mark, marked, fields.get(marked.name))] as const] : [];
  });
  return { from, fields: new Map([...fields, ...marks]) };
}

/** The marks of a column's gaps; one that the source lacks is missing in every row. */
function markField(
  { dialect }: Connector,
  mark: IndicatorColumn,
  marked: Column,
  field: Field | undefined,
): Field {
  const isGap = !field
    ? "1 = 1"
    : marked.kind === "numeric"
      ? `${field.value} IS NULL`
      : `${encodeSql(dialect, marked, field)} < 0`;
  const value = `CASE WHEN ${isGap} THEN 1 ELSE 0 END`;
  const { name } = mark;
  return { name, storage: "number", key: value, raw: value, value, text: dialect.text(value), gaps: [] };
}
