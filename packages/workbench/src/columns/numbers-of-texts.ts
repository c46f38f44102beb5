import { type NumberStyle, readNumberText } from "conformant/texts";
import type { NumberCounts, TextCounts } from "./column-counts.ts";
import { NumberTally } from "./number-tally.ts";

/** The counts of a column of texts that are all numbers, as those of a column of numbers; undefined where one is none. */
export function numbersOfTexts(
  { counts, known }: TextCounts,
  rows: number,
  style: NumberStyle,
  bins: number,
): NumberCounts | undefined {
  const numbers = Array.from(counts, ([text, count]) => ({ number: readNumberText(text, style), count }));
  if (numbers.length === 0 || numbers.some(({ number }) => number === undefined)) return undefined;
  const tally = new NumberTally(bins, rows);
  if (known < rows) tally.add(Number.NaN, null, rows - known);
  const ascending = numbers.sort((a, b) => (a.number as number) - (b.number as number));
  for (const { number, count } of ascending) tally.add(number as number, null, count);
  return tally.finish();
}
