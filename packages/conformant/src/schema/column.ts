import { ConformantError, requireMade, show } from "../errors.ts";
import { offsets } from "../math/vectors.ts";

/** A number on a line; the classifier's score is w·x. */
export interface NumericColumn {
  readonly name: string;
  readonly kind: "numeric";
}

/** A fact that is true (1) or false (0); the classifier's score is w·x. */
export interface BinaryColumn {
  readonly name: string;
  readonly kind: "binary";
  /**
   * The column whose missing values it indicates: 1 where that is missing, 0 where it is known. It is computed from the row, never
   * supplied.
   */
  readonly gapOf?: string;
}

/** One of a list of values, with a score for each (a one-hot group, missing as a whole). */
export interface CategoricalColumn {
  readonly name: string;
  readonly kind: "categorical";
  readonly values: readonly string[];
}

/** A number that is used only through its bin: bin j is [edges[j − 1], edges[j]), with a score for each bin. */
export interface BinnedColumn {
  readonly name: string;
  readonly kind: "binned";
  readonly edges: readonly number[];
}

/** A column, the unit that can be missing: a one-hot group is one column. */
export type Column = NumericColumn | BinaryColumn | CategoricalColumn | BinnedColumn;

/** The kinds of columns. */
export type ColumnKind = Column["kind"];

/** The columns of a row in a fixed order. */
export interface Schema {
  readonly columns: readonly Column[];
}

/** A column with finitely many values, stored as codes 0, 1, …; only a numeric column is not discrete. */
export function isDiscrete(column: Column): column is Exclude<Column, NumericColumn> {
  return column.kind !== "numeric";
}

/** A column with a single weight per class, w·x: a number or a bit. The others have a weight per value. */
export function isLinear(column: Column): column is NumericColumn | BinaryColumn {
  return column.kind === "numeric" || column.kind === "binary";
}

/** An indicator of another column's missing values. */
export type IndicatorColumn = BinaryColumn & Required<Pick<BinaryColumn, "gapOf">>;

export function isIndicatorColumn(column: Column): column is IndicatorColumn {
  return column.kind === "binary" && column.gapOf !== undefined;
}

/** How many values a discrete column has. */
export function valueCount(column: Exclude<Column, NumericColumn>): number {
  if (column.kind === "binary") return 2;
  return column.kind === "categorical" ? column.values.length : column.edges.length + 1;
}

/** The values of a discrete column in the order of their codes, as text. */
export function valueLabels(column: Exclude<Column, NumericColumn>): readonly string[] {
  if (column.kind === "binary") return ["0", "1"];
  if (column.kind === "categorical") return column.values;
  const { edges } = column;
  if (edges.length === 0) return ["any"];
  const inner = edges.slice(1).map((edge, j) => `[${edges[j]}, ${edge})`);
  return [`< ${edges[0]}`, ...inner, `>= ${edges[edges.length - 1]}`];
}

/**
 * A number that represents bin j, [edges[j − 1], edges[j]): the middle, and in an open bin as far beyond the edge as half of the next bin
 * is wide.
 */
export function valueInBin(edges: readonly number[], j: number): number {
  const last = edges.length - 1;
  if (last < 0) return 0;
  if (j === 0) {
    const width = last > 0 ? (edges[1] - edges[0]) / 2 : 1;
    // A width that does not vanish by rounding.
    return edges[0] - Math.max(width, Math.abs(edges[0]) * Number.EPSILON);
  }
  if (j > last) return edges[last] + (last > 0 ? (edges[last] - edges[last - 1]) / 2 : 1);
  const middle = edges[j - 1] / 2 + edges[j] / 2;
  // Between adjacent numbers there is no other, and the middle is rounded to one of them.
  return middle < edges[j] ? middle : edges[j - 1];
}

/** The number of weights per class of a column: one for w·x, otherwise one per value. */
export function slotCount(column: Column): number {
  return isLinear(column) ? 1 : valueCount(column);
}

/** Where each column's slots start in the classifier's weights; the last entry is the number of slots. */
export function slotOffsets(schema: Schema): Int32Array {
  requireMade("schema", schema);
  return offsets(schema.columns.map(slotCount));
}

/** Throws unless the schema is well formed: distinct names, known kinds, distinct values, ascending edges. */
export function checkSchema(schema: Schema): Schema {
  if (checked.has(schema)) return schema;
  const columns: unknown = schema?.columns;
  if (!Array.isArray(columns) || columns.length === 0) {
    throw new ConformantError(
      "invalid-schema",
      `a schema needs a non-empty list of columns, got ${show(columns)}`,
    );
  }
  const names = new Set<string>();
  for (const column of schema.columns) {
    checkColumn(column);
    if (names.has(column.name))
      fail(column.name, "occurs twice in the schema; names must be distinct", column.name);
    names.add(column.name);
  }
  for (const { name, gapOf } of schema.columns.filter(isIndicatorColumn)) {
    const marked = schema.columns.find((column) => column.name === gapOf);
    if (!marked || isIndicatorColumn(marked))
      fail(name, `must be the indicator of another column, got ${show(gapOf)}`, gapOf);
  }
  checked.add(schema);
  return schema;
}

/** Schemas that passed the check, so that queries on single rows do not repeat it. */
const checked = new WeakSet<Schema>();

function checkColumn(column: Column): void {
  const { name, kind }: Partial<Column> = column ?? {};
  if (typeof name !== "string" || name === "") {
    throw new ConformantError("invalid-schema", `a column needs a non-empty name, got ${show(name)}`, {
      value: name,
    });
  }
  if (column.kind === "categorical") checkValues(name, column.values);
  else if (column.kind === "binned") checkEdges(name, column.edges);
  else if (kind !== "numeric" && kind !== "binary") {
    fail(name, `must be numeric, binary, categorical or binned, got ${show(kind)}`, kind);
  }
}

function checkValues(name: string, values: unknown): void {
  if (
    !Array.isArray(values) ||
    values.length === 0 ||
    !values.every((v) => typeof v === "string" && v !== "")
  ) {
    fail(name, `needs a non-empty list of values that are non-empty strings, got ${show(values)}`, values);
  }
  if (new Set(values).size !== values.length)
    fail(name, "lists a value twice; values must be distinct", values);
}

function checkEdges(name: string, edges: unknown): void {
  const ascending =
    Array.isArray(edges) &&
    edges.every((edge, j) => Number.isFinite(edge) && (j === 0 || edge > edges[j - 1]));
  if (!ascending) fail(name, `needs ascending finite edges, got ${show(edges)}`, edges);
}

function fail(column: string, need: string, value: unknown): never {
  throw new ConformantError("invalid-schema", `column ${show(column)} ${need}`, { column, value });
}

/** Throws an error about an unknown column. */
export function rejectColumn(column: string, argument: string): never {
  const message = `${argument}: ${show(column)} is not a column of the model`;
  throw new ConformantError("unknown-column", message, { argument, column });
}
