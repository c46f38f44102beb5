import { ConformantError, show } from "../errors.ts";
import { isIndicatorColumn, rejectColumn, type Schema } from "../schema/column.ts";
import { indicatorOf, marksOf } from "../schema/indicators.ts";
import { type Cells, isMissing, missingCell } from "../schema/read-row.ts";

/**
 * What an explanation names as one thing: a column, or the columns of a group. Its columns in the schema are the values that are known
 * and the indicators of missing values, which are known in every row. To hide a feature is to know neither, which is not the same as a
 * missing value: that is known to be missing.
 */
export interface Feature {
  readonly name: string;
  /** Positions of the columns in the schema. */
  readonly columns: readonly number[];
}

/** Columns that go together, by the name of the group. */
type Groups = Readonly<Record<string, readonly string[]>>;

/**
 * The known features of a row in the order of the schema; a group stands where its first known column stands, and a group of which
 * nothing is known is none. A missing column is a feature where the model has an indicator of it.
 */
export function knownFeatures(schema: Schema, cells: Cells, groups: Groups = {}): Feature[] {
  const marked = new Set(marksOf(schema).map(([, column]) => column));
  return featuresOf(schema, groups, (i) => {
    const own = isMissing(schema.columns[i], cells[i]) ? [] : [i];
    const indicator = marked.has(i) ? indicatorOf(schema, i) : undefined;
    return indicator === undefined || isMissing(schema.columns[indicator], cells[indicator])
      ? own
      : [...own, indicator];
  });
}

/** The missing columns as features, without their indicators. */
export function missingFeatures(schema: Schema, cells: Cells, groups: Groups = {}): Feature[] {
  return featuresOf(schema, groups, (i) => (isMissing(schema.columns[i], cells[i]) ? [i] : []));
}

/** Makes columns of a row unknown, in place. */
export function hide(schema: Schema, cells: Cells, columns: readonly number[]): void {
  for (const i of columns) cells[i] = missingCell(schema.columns[i]);
}

/** Sets a missing column of a row, in place: what the row would be read as with that value, its indicator included. */
export function learn(schema: Schema, cells: Cells, column: number, cell: number): void {
  cells[column] = cell;
  for (const [indicator, marked] of marksOf(schema)) if (marked === column) cells[indicator] = 0;
}

/** @param columnsOf what belongs to a column that is no indicator; nothing where that is no feature */
function featuresOf(
  schema: Schema,
  groups: Groups,
  columnsOf: (column: number) => readonly number[],
): Feature[] {
  const groupOf = readGroups(schema, groups);
  const features: Feature[] = [];
  const members = new Map<string, number[]>();
  schema.columns.forEach((column, i) => {
    const own = isIndicatorColumn(column) ? [] : columnsOf(i);
    if (own.length === 0) return;
    const group = groupOf.get(column.name);
    const columns = group === undefined ? undefined : members.get(group);
    if (group === undefined) features.push({ name: column.name, columns: own });
    else if (columns !== undefined) columns.push(...own);
    else {
      members.set(group, [...own]);
      features.push({ name: group, columns: members.get(group) ?? [] });
    }
  });
  return features;
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
