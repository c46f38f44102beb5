import type { Column } from "conformant";
import type { NumberStyle } from "conformant/texts";
import { findNumberStyles, isIndicatorColumn } from "conformant-workbench";
import { type FieldSet, fieldsOf } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";
import { engineTable, withMarks } from "./engine-table.ts";

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
