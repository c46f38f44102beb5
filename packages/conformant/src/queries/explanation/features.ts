import { ConformantError, show } from "../../errors.ts";
import { madeOnce } from "../../made-once.ts";
import type { Model } from "../../model/model.ts";
import type { Schema } from "../../schema/column.ts";
import { isGapCell, type Table } from "../../schema/data.ts";

/** What an explanation names as one thing: a known column, or the known columns of a group. */
export interface Feature {
  readonly name: string;
  /** Positions of the columns in the schema. */
  readonly columns: readonly number[];
}

/** Columns that go together, by the name of the group. */
type Groups = Readonly<Record<string, readonly string[]>>;

/**
 * The known features of a row in the order of the schema; a group stands where its first known column stands, and one of
 * which nothing is known is none.
 */
export function knownFeatures(model: Model, table: Table, row: number, groups: Groups = {}): Feature[] {
  return featuresOf(model.classifier.schema, groups, (i) => !isGapCell(table.columns[i], row));
}

/** The same of what is missing. */
export function missingFeatures(model: Model, table: Table, row: number, groups: Groups = {}): Feature[] {
  return featuresOf(model.classifier.schema, groups, (i) => isGapCell(table.columns[i], row));
}

function featuresOf(schema: Schema, groups: Groups, isIn: (column: number) => boolean): Feature[] {
  const groupOf = readGroups(schema, groups);
  const single = madeOnce(singles, schema, singleFeatures);
  const features: Feature[] = [];
  const members = new Map<string, number[]>();
  for (let i = 0; i < schema.columns.length; i++) {
    if (!isIn(i)) continue;
    const group = groupOf.size === 0 ? undefined : groupOf.get(schema.columns[i].name);
    const columns = group === undefined ? undefined : members.get(group);
    if (group === undefined) features.push(single[i]);
    else if (columns !== undefined) columns.push(i);
    else {
      members.set(group, [i]);
      features.push({ name: group, columns: members.get(group) ?? [] });
    }
  }
  return features;
}

const singles = new WeakMap<Schema, readonly Feature[]>();

/** Every column as a feature of its own. */
function singleFeatures({ columns }: Schema): readonly Feature[] {
  return columns.map(({ name }, i) => ({ name, columns: [i] }));
}

/** Column name to the name of its group, after checking that the groups are disjoint and named unlike other columns. */
function readGroups(schema: Schema, groups: Groups): Map<string, string> {
  const groupOf = new Map<string, string>();
  const entries = Object.entries(groups);
  if (entries.length === 0) return groupOf;
  const known = new Set(schema.columns.map(({ name }) => name));
  for (const [group, columns] of entries) {
    if (!Array.isArray(columns)) reject(`must be a list of columns, got ${show(columns)}`, group, columns);
    for (const column of columns) {
      if (!known.has(column)) rejectColumn(column, `options.groups[${show(group)}]`);
      const other = groupOf.get(column);
      if (other !== undefined)
        reject(`shares column ${show(column)} with ${show(other)}; groups are disjoint`, group, column);
      groupOf.set(column, group);
    }
  }
  for (const [group] of entries) {
    if (known.has(group) && groupOf.get(group) !== group)
      reject("has the name of a column outside of it", group, group);
  }
  return groupOf;
}

function reject(need: string, group: string, value: unknown): never {
  const message = `options.groups[${show(group)}] ${need}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.groups", value });
}

/** Throws: the name is no column of the model. */
export function rejectColumn(column: string, argument: string): never {
  const message = `${argument}: ${show(column)} is not a column of the model`;
  throw new ConformantError("unknown-column", message, { argument, column });
}
