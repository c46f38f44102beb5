import type { Column } from "conformant";
import type { NumberStyle } from "conformant/texts";
import { findNumberStyles } from "conformant-workbench";
import { engineTable } from "../reading/engine-table.ts";
import type { Connector } from "../sources/connector.ts";
import { type FieldSet, fieldsOf } from "../sql/fields.ts";

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
  const names = columns.map(({ name }) => name);
  const categories = new Map(
    columns.flatMap((column) =>
      column.kind === "categorical" ? [[column.name, column.values] as const] : [],
    ),
  );
  const asTexts = fieldsOf(connector, names, { gaps, categories });
  const numeric = columns.filter(({ kind }) => kind === "numeric" || kind === "binned");
  const numbers = await findNumberStyles(
    engineTable(connector),
    asTexts,
    numeric.map(({ name }) => name),
    decimal,
  );
  return fieldsOf(connector, names, { gaps, categories, numbers });
}
