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
