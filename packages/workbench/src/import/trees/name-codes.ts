import { refuseFile } from "../imported-classifier.ts";

/** The most codes of all features together: a damaged file must not be able to request any amount of memory. */
const MOST_CODES = 100_000;

/** Codes as the names of categories: 0, 1, … per feature; null for features without any. */
export function nameCodes(path: string, counts: readonly number[]): (readonly string[] | null)[] {
  const total = counts.reduce((a, b) => a + b, 0);
  if (!(total <= MOST_CODES && counts.every(Number.isInteger)))
    throw refuseFile(path, `the trees split by ${total} codes of categories, at most ${MOST_CODES} are read`);
  return counts.map((count) => (count > 0 ? Array.from({ length: count }, (_, code) => `${code}`) : null));
}
