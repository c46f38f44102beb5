import { categoryKey, readNumberText } from "conformant/texts";

/**
 * Counts by category, where `1`, `1.0` and `"1"` are one: a column of nothing but numbers has them without a fraction of zeros,
 * as typed sources do, and among other texts only those numbers are merged that occur in several spellings.
 */
export function mergeSpellings(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const texts = [...counts.keys()];
  const numbers = texts.filter((text) => readNumberText(text) !== undefined);
  const spellings = new Map<string, number>();
  for (const number of numbers) {
    const key = categoryKey(number);
    spellings.set(key, (spellings.get(key) ?? 0) + 1);
  }
  const isOnlyNumbers = numbers.length === texts.length;
  const merged = new Map<string, number>();
  for (const [text, count] of counts) {
    const key = categoryKey(text);
    const category = spellings.has(key) && (isOnlyNumbers || (spellings.get(key) ?? 0) > 1) ? key : text;
    merged.set(category, (merged.get(category) ?? 0) + count);
  }
  return merged;
}
