import { ConformantError, show, showNames } from "../errors.ts";
import { madeOnce } from "../made-once.ts";
import type { Schema } from "./column.ts";

/** Throws where a name is neither a column of the schema nor the label: a misspelt column is not a gap. */
export function checkNames(schema: Schema, names: readonly string[], label: string | undefined): void {
  const known = namesOf(schema);
  const stranger = names.find((name) => !known.has(name) && name !== label);
  if (stranger === undefined) return;
  const message = `${show(stranger)} is not a column of the model; it has ${showNames([...known])}`;
  throw new ConformantError("unknown-column", message, {
    column: stranger,
    hint: 'pass { extra: "ignore" } to leave out columns that the model does not have',
  });
}

/** The same for the names of a row, without a list of them. */
export function checkNamesOf(row: object, schema: Schema, label: string | undefined): void {
  const known = namesOf(schema);
  for (const name in row) {
    // What an object inherits is no column.
    if (!known.has(name) && name !== label && Object.hasOwn(row, name)) checkNames(schema, [name], label);
  }
}

const nameSets = new WeakMap<Schema, ReadonlySet<string>>();

function namesOf(schema: Schema): ReadonlySet<string> {
  return madeOnce(nameSets, schema, gatherNames);
}

function gatherNames({ columns }: Schema): ReadonlySet<string> {
  return new Set(columns.map(({ name }) => name));
}
