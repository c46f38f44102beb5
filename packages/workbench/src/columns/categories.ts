import { categoryFinder, categoryKey, foldText, readNumberText } from "conformant/texts";
import { counted } from "../source/count.ts";
import { listed, quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { TableSource } from "../source/table-source.ts";
import type { TextCounts } from "./column-counts.ts";

/**
 * Counts by category, where `1`, `1.0` and `"1"` are one: a column of nothing but numbers has them without a fraction of zeros,
 * as typed sources do, and among other texts only those numbers are merged that occur in several spellings. Texts that differ only in case
 * or blanks are one, too.
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
  return mergeFolded(merged);
}

/** Counts by category, where texts that differ only in case or blanks are the most frequent one of them. */
function mergeFolded(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const best = new Map<string, string>();
  for (const [text, count] of counts) {
    const key = foldText(text);
    const other = best.get(key);
    const before = other === undefined ? -1 : (counts.get(other) ?? 0);
    if (count > before || (count === before && text < (other ?? ""))) best.set(key, text);
  }
  if (best.size === counts.size) return counts;
  const merged = new Map<string, number>();
  for (const [text, count] of counts) {
    const category = best.get(foldText(text)) as string;
    merged.set(category, (merged.get(category) ?? 0) + count);
  }
  return merged;
}

/** Categories that are named in a message. */
const EXAMPLES = 4;

/** Categories of a column in the spelling of a classifier, and what a person should know about those that only one side has. */
export interface ComparedCategories {
  readonly counts: TextCounts;
  readonly notes: readonly string[];
}

/**
 * Compares the categories of a column of the data with those that a classifier has weights for. None in common is an error: the
 * column then means something else, or spells it differently.
 */
export function compareCategories(
  { name: source, remedies }: Pick<TableSource, "name" | "remedies">,
  name: string,
  found: TextCounts,
  weighted: readonly string[],
): ComparedCategories {
  const find = categoryFinder(weighted);
  const known = new Map<string, number>();
  const others = new Map<string, number>();
  for (const [text, count] of found.counts) {
    const place = find(text);
    if (place === undefined) others.set(text, count);
    else known.set(weighted[place], (known.get(weighted[place]) ?? 0) + count);
  }
  const unseen = mergeSpellings(others);
  const absent = weighted.filter((value) => !known.has(value));
  const where = `${quoted(source)}, column ${quoted(name)}`;
  if (absent.length === weighted.length)
    throw new TableError(
      "invalid-classifier",
      `${where}: none of its values is known to the classifier, which has ${listed(weighted, EXAMPLES)}; the data has ${listed([...unseen.keys()], EXAMPLES)}`,
      { hint: remedies.strangeCategories },
    );
  const strange = [...unseen].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([text]) => text);
  const rows = [...unseen.values()].reduce((sum, n) => sum + n, 0);
  return {
    counts: { ...found, counts: new Map([...known, ...unseen]) },
    notes: [
      ...(absent.length > 0
        ? [`${where}: the classifier has weights for ${listed(absent, EXAMPLES)}, which never occurs`]
        : []),
      ...(unseen.size > 0
        ? [
            `${where}: ${listed(strange, EXAMPLES)} (${counted(rows, "row")}) has no weight in the classifier: a reference level, which counts 0`,
          ]
        : []),
    ],
  };
}
