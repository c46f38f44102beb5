import { isMissingText, MISSING_TEXTS, trimText } from "conformant/texts";
import type { TextColumn } from "conformant-workbench";

/** Columns that are missing together, and in how many rows they are, with no other column missing there. */
export interface MissingPattern {
  readonly columns: readonly string[];
  readonly rows: number;
}

/** Patterns that are shown. */
const MOST = 6;

/** The most frequent sets of columns that are missing in the same rows, one column or more, the most frequent first. */
export function missingPatterns(
  columns: readonly TextColumn[],
  extraGaps: readonly string[],
): MissingPattern[] {
  const gapTexts = [...MISSING_TEXTS, ...extraGaps];
  const rows = columns[0]?.codes.length ?? 0;
  // A pattern is a number that a column turns into another: small numbers however many columns there are.
  const pattern = new Int32Array(rows);
  const members: (readonly string[])[] = [[]];
  const following = new Map<string, number>();
  columns.forEach(({ name, texts, codes }, c) => {
    const isGap = texts.map((text) => isMissingText(trimText(text), gapTexts));
    for (let r = 0; r < rows; r++) {
      if (codes[r] >= 0 && !isGap[codes[r]]) continue;
      const key = `${pattern[r]} ${c}`;
      let next = following.get(key);
      if (next === undefined) {
        next = members.push([...members[pattern[r]], name]) - 1;
        following.set(key, next);
      }
      pattern[r] = next;
    }
  });
  const counts = new Int32Array(members.length);
  for (const own of pattern) counts[own]++;
  return members
    .map((own, p) => ({ columns: own, rows: counts[p] }))
    .filter(({ columns: own, rows: count }) => own.length > 0 && count > 0)
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MOST);
}
