import type { Table } from "conformant";
import { createIndicators, markGaps } from "conformant/internal";

/** Labeled rows with the indicators of missing values of some columns before the label. */
export function withIndicators(table: Table, names: readonly string[]): Table {
  const { columns } = table.schema;
  const marked = columns.filter(({ name }) => names.includes(name));
  const marks = marked.map((column) => markGaps(table.columns[columns.indexOf(column)]));
  const label = columns.length - 1;
  return {
    ...table,
    schema: {
      columns: [...columns.slice(0, label), ...createIndicators(table.schema, marked), columns[label]],
    },
    columns: [...table.columns.slice(0, label), ...marks, table.columns[label]],
  };
}
