import type { BinaryColumn, Column } from "conformant";
import type { TableColumn } from "./table-source.ts";

/** A position of a column of sequences, `name[17]`: the letters of such a column are columns of the model. */
const POSITION = /^(.*)\[(\d+)\]$/s;

/** The name of the column of letters at a position of a column of sequences, counted from 1. */
export function positionName(name: string, position: number): string {
  return `${name}[${position}]`;
}

/** The sequence and position that a name may stand for. */
export function positionOf(
  name: string,
): { readonly sequence: string; readonly position: number } | undefined {
  const [, sequence, position] = POSITION.exec(name) ?? [];
  return sequence === undefined ? undefined : { sequence, position: Number(position) };
}

/** Names, and those of the sequences that they may be positions of. */
export function withSequences(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => [name, positionOf(name)?.sequence ?? name]))];
}

/** The columns of a table by name, built once: searching a list for each name would take quadratic time. */
const named = new WeakMap<readonly TableColumn[], ReadonlyMap<string, TableColumn>>();

/** The column of a name. */
export function columnNamed<Column extends TableColumn>(
  columns: readonly Column[],
  name: string,
): Column | undefined {
  let byName = named.get(columns);
  if (byName === undefined) {
    byName = new Map(columns.map((column) => [column.name, column]));
    named.set(columns, byName);
  }
  return byName.get(name) as Column | undefined;
}

/** The source column for a name: itself, or the sequence whose position it is. */
export function sourceColumnOf<Column extends TableColumn>(
  columns: readonly Column[],
  name: string,
): Column | undefined {
  const whole = columnNamed(columns, name);
  if (whole) return whole;
  const { sequence } = positionOf(name) ?? {};
  const column = sequence === undefined ? undefined : columnNamed(columns, sequence);
  return column?.storage === "text" ? column : undefined;
}

/** An indicator of missing values: it is computed from the row, and nobody supplies it. */
export type IndicatorColumn = BinaryColumn & Required<Pick<BinaryColumn, "gapOf">>;

export function isIndicatorColumn(column: Column): column is IndicatorColumn {
  return column.kind === "binary" && column.gapOf !== undefined;
}
