import type { Column } from "conformant";
import { type CellOptions, cellsOfSchema } from "conformant-workbench";
import { type FieldSet, withMarks } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";
import { engineTable } from "./engine-table.ts";

/** Columns whose kinds are known, in a source, and indicators of their missing values. */
export async function fieldsOfSchema(
  connector: Connector,
  columns: readonly Column[],
  options: CellOptions,
): Promise<FieldSet> {
  return withMarks(connector.dialect, await cellsOfSchema(engineTable(connector), columns, options), columns);
}
