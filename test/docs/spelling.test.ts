import dictionary from "dictionary-en-gb";
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

// What the evaluation writes is checked where it is written.
const pages = documentationPages().filter((page) => !["docs/licenses.md", "docs/options.md"].includes(page));

test.each(pages)("the words of %s are spelt as in a dictionary or in test/docs/words.txt", (page) => {
  const unknown = wordsOf(proseOf(readText(page))).filter((word) => !isKnown(word));
  expect([...new Set(unknown)]).toEqual([]);
});

test("a slip is found", () => {
  expect(
    wordsOf(proseOf("A `slpi` in code, a slpi in text, and conform_all.")).filter((word) => !isKnown(word)),
  ).toEqual(["slpi"]);
});
