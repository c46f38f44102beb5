import type { Column } from "conformant";

/** Numbers beyond this in size are no measurements but marks, and their squares are infinite; the library takes none, either. */
export const LARGEST = 1e100;

/** What a column of numbers or bits expects in the place of a text that it cannot hold. */
export function neededValue({ kind }: Column, text: string): string {
  if (kind === "binary") return "0 or 1";
  return Number.isFinite(Number(text)) ? `a number of at most ${LARGEST} in size` : "a finite number";
}
