import type { FieldSet } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";

/** The texts of the first rows of each named column; null for a missing value. */
export async function readBeginning(
  connector: Connector,
  { from, fields }: FieldSet,
  names: readonly string[],
  rows: number,
): Promise<(string | null)[][]> {
  const texts = names.map((name) => {
    const field = fields.get(name);
    return field?.storage === "text" ? field.raw : (field?.text ?? "NULL");
  });
  const columns = names.map((): (string | null)[] => []);
  const selected = texts.map((text, c) => `${text} AS v${c}_`).join(", ");
  const shapes = texts.map(() => "text" as const);
  for await (const batch of connector.query(`SELECT ${selected} FROM ${from} LIMIT ${rows}`, shapes))
    batch.columns.forEach((column, c) => {
      for (const text of column as readonly (string | null)[]) columns[c].push(text);
    });
  return columns;
}
