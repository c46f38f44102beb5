import type { Column } from "conformant";

/** Larger numbers are placeholders, not measurements, and their squares overflow; the library accepts none. */
export const LARGEST = 1e100;

/** What a numeric or 0/1 column expects in place of an invalid text. */
export function neededValue({ kind }: Column, text: string): string {
  if (kind === "binary") return "0 or 1";
  return Number.isFinite(Number(text)) ? `a number of at most ${LARGEST} in size` : "a finite number";
}
