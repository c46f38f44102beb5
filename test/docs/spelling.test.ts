import dictionary from "dictionary-en";
import nspell from "nspell";
import { expect, test } from "vitest";
import { documentationPages, readText } from "../repository.ts";
import { proseOf, wordsOf } from "./prose.ts";

const speller = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic));
/** Words of this project; each also stands for its spelling with a capital. */
const own = new Set(
  readText("test/docs/words.txt")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((word) => word.toLowerCase()),
);
const known = new Map<string, boolean>();

function isKnown(word: string): boolean {
  const before = known.get(word);
  if (before !== undefined) return before;
  const plain = word.replace("’", "'");
  const found =
    own.has(plain.toLowerCase()) || speller.correct(plain) || speller.correct(plain.toLowerCase());
  known.set(word, found);
  return found;
}

// Generated pages are checked where they are generated.
const pages = documentationPages().filter(
  (page) => !["docs/licenses.md", "docs/options.md", "CODE_OF_CONDUCT.md"].includes(page), // generated; a published text
);

test.each(pages)("the words of %s are in the US dictionary or in test/docs/words.txt", (page) => {
  const unknown = wordsOf(proseOf(readText(page))).filter((word) => !isKnown(word));
  expect([...new Set(unknown)]).toEqual([]);
});

test("misspelled and British words are found", () => {
  const text = "A `slpi` in code, a slpi in text, a colour, and conform_all.";
  expect(wordsOf(proseOf(text)).filter((word) => !isKnown(word))).toEqual(["slpi", "colour"]);
});

/** Private words for things that have a standard one, and the standard one. */
const FLAGGED: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\brivals?\b/i, "baseline"],
  [/\bbrought\b|\bbrings? along\b/i, "existing classifier, import"],
  [/\bgone on\b|\bbroken off\b/i, "resume, interrupted"],
  [/\bfound out\b/i, "detect automatically"],
  [/\bmade-once\b/i, "cached"],
  [/\bhidden cells?\b/i, "masked cells"],
  [/\bjudged?\b|\bjudging\b/i, "score, evaluate"],
  [/\bwith(out)? a word\b/i, "report, warn"],
  [/\b(it|gap|they|model) (is|are) worth\b/i, "evaluation, effect"],
];
/** Pages not yet rewritten in the standard vocabulary. */
const NOT_YET = ["paper/RESULTS.md"];

test.each(pages.filter((page) => !NOT_YET.includes(page)))("%s uses standard terms", (page) => {
  expect(flaggedIn(proseOf(readText(page)))).toEqual([]);
});

test.each(["packages/page/src/frame/texts.ts", "packages/page/src/frame/studio-texts.ts"])(
  "%s uses standard terms and US spelling",
  (file) => {
    const texts = Array.from(readText(file).matchAll(/"([^"\n]*)"|`([^`]*)`/g), ([, a, b]) => a ?? b)
      .filter((text) => text.includes(" ")) // sentences, not keys and names of modules
      .map((text) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, " "));
    expect(texts.flatMap(flaggedIn)).toEqual([]);
    expect(texts.flatMap(wordsOf).filter((word) => !isKnown(word))).toEqual([]);
  },
);

/** Mean words per sentence that a page may have; `LENGTHS=1` prints the mean and the longest of every page. */
const LONGEST_MEAN = 18;

test.each(pages.filter((page) => !NOT_YET.includes(page)))(
  "the sentences of %s are short on average",
  (page) => {
    const lengths = proseOf(readText(page))
      .replace(/^[|#].*$/gm, ".") // tables and headings are no sentences
      .split(/[.!?:](?=\s)|\n\s*\n|^\s*[-\d.]+ /m)
      .map((sentence) => wordsOf(sentence).length)
      .filter((length) => length > 2);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    if (process.env.LENGTHS) console.log(page, mean.toFixed(1), Math.max(0, ...lengths));
    expect(mean).toBeLessThan(LONGEST_MEAN);
  },
);

/** Most words that docs/ may have without its generated pages: a page that grows makes another one shorter. */
const MOST_WORDS = 26_000;
const GENERATED = ["docs/comparison.md", "docs/licenses.md", "docs/options.md"];

test("docs/ stays short", () => {
  const written = documentationPages().filter(
    (page) => page.startsWith("docs/") && !GENERATED.includes(page),
  );
  // Marks of tables and lists are no words.
  const counts = written.map((page) => readText(page).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(MOST_WORDS);
});

function flaggedIn(text: string): string[] {
  return FLAGGED.flatMap(([pattern, write]) => {
    const found = pattern.exec(text);
    return found ? [`"${found[0]}": write ${write}`] : [];
  });
}
