import type { TableColumn } from "./table-source.ts";

/** A position of a column of sequences, `name[17]`: the letters of such a column are columns of the model. */
const POSITION = /^(.*)\[(\d+)\]$/s;

/** The name of the column of letters at a position of a column of sequences, counted from 1. */
export function positionName(name: string, position: number): string {
  return `${name}[${position}]`;
}

/** The sequence and the position that a name may stand for. */
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

/** The column of the source that a name needs: itself, or the sequence it is a position of. */
export function sourceColumnOf<Column extends TableColumn>(
  columns: readonly Column[],
  name: string,
): Column | undefined {
  const whole = columns.find((column) => column.name === name);
  if (whole) return whole;
  const { sequence } = positionOf(name) ?? {};
  return columns.find((column) => column.name === sequence && column.storage === "text");
}
