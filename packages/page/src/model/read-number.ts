import { readNumberText } from "conformant/texts";
import { numberEvidence } from "conformant-workbench";

/** Larger ones are slips of the finger; scores of theirs could overflow. */
const LARGEST = 1e15;

/** Whether a number may be a fraction to one reader and thousands to another, as 1,234. */
export function isAmbiguous(text: string): boolean {
  return numberEvidence([text]).eitherComma > 0;
}

/** A number as people write it, with a point or a comma; undefined where there is none, or one that may be either of two. */
export function readNumber(text: string): number | undefined {
  if (isAmbiguous(text)) return undefined;
  const number =
    readNumberText(text, { decimal: "point", grouped: true }) ??
    readNumberText(text, { decimal: "comma", grouped: false });
  return number !== undefined && Math.abs(number) <= LARGEST ? number : undefined;
}
