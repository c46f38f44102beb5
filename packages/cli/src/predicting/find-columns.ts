import type { Model } from "conformant";
import { isIndicatorColumn, sourceColumnOf } from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";
import { CliError, listed, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";

/** The model's columns in a source. */
export interface FoundColumns {
  /** Columns of the source to read. */
  readonly sources: readonly string[];
  /** Columns of the model that the source lacks: missing in every row. */
  readonly missing: readonly string[];
}

/** Finds the model's columns by name, in any order; a table that has none of them is the wrong one. */
export function findColumns(connector: Connector, model: Model, modelName: string): FoundColumns {
  const sources = new Set<string>();
  const missing: string[] = [];
  for (const { name } of model.schema.columns.filter((column) => !isIndicatorColumn(column))) {
    const source = sourceColumnOf(connector.columns, name);
    if (!source) missing.push(name);
    else sources.add(source.name);
  }
  if (sources.size === 0) {
    const message = `${quoted(connector.name)} has none of the columns of ${quoted(modelName)}: expected ${listed(missing, 6)}, got ${listed(
      connector.columns.map(({ name }) => name),
      6,
    )}`;
    throw new CliError("wrong-table", message, {
      hint: "is this the table that the model is for? A file without a header needs the names it was fitted with",
    });
  }
  return { sources: [...sources], missing };
}

/** Throws for a column of the model that the source has in a type that is no number, text or truth value. */
export function requireFields(
  connector: Connector,
  model: Model,
  { fields }: FieldSet,
  missing: readonly string[],
): void {
  const lost = model.schema.columns.find(({ name }) => !fields.has(name) && !missing.includes(name));
  if (!lost) return;
  const { type } = sourceColumnOf(connector.columns, lost.name) ?? { type: "unknown" };
  const need = lost.kind === "categorical" ? "texts" : "numbers";
  const where = `${quoted(connector.name)}, column ${quoted(lost.name)}`;
  throw new CliError("wrong-table", `${where}: expected ${need}, got the type ${type}`);
}
