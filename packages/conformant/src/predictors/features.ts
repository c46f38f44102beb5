import { madeOnce } from "../cache.ts";
import { ConformantError, show } from "../errors.ts";
import { isIndicatorColumn, rejectColumn, type Schema } from "../schema/column.ts";
import { marksOf } from "../schema/indicators.ts";
import { type Cells, isMissing, missingCell } from "../schema/read-row.ts";

/** What an explanation names as one thing: a known column, or the known columns of a group. */
export interface Feature {
  readonly name: string;
  /** Positions of the columns in the schema. */
  readonly columns: readonly number[];
}

/** Columns that go together, by the name of the group. */
type Groups = Readonly<Record<string, readonly string[]>>;

/**
 * The known features of a row in the order of the schema; a group stands where its first known column stands, and a group without
 * known columns is none. Indicators of missing values are no features: they follow from the columns they mark.
 */
export function knownFeatures(schema: Schema, cells: Cells, groups: Groups = {}): Feature[] {
  return featuresOf(schema, groups, (i) => !isMissing(schema.columns[i], cells[i]));
}

/** The same of the missing columns. */
export function missingFeatures(schema: Schema, cells: Cells, groups: Groups = {}): Feature[] {
  return featuresOf(schema, groups, (i) => isMissing(schema.columns[i], cells[i]));
}

/** Makes columns of a row missing, in place: what the row would be read as without them, indicators included. */
export function hide(schema: Schema, cells: Cells, columns: readonly number[]): void {
  for (const i of columns) cells[i] = missingCell(schema.columns[i]);
  for (const [indicator, marked] of marksOf(schema)) if (columns.includes(marked)) cells[indicator] = 1;
}

/** Sets a missing column of a row, in place: what the row would be read as with that value, its indicator included. */
export function learn(schema: Schema, cells: Cells, column: number, cell: number): void {
  cells[column] = cell;
  for (const [indicator, marked] of marksOf(schema)) if (marked === column) cells[indicator] = 0;
}

function featuresOf(schema: Schema, groups: Groups, isIn: (column: number) => boolean): Feature[] {
  const groupOf = readGroups(schema, groups);
  const single = madeOnce(singles, schema, singleFeatures);
  const features: Feature[] = [];
  const members = new Map<string, number[]>();
  for (let i = 0; i < schema.columns.length; i++) {
    if (isIndicatorColumn(schema.columns[i]) || !isIn(i)) continue;
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
