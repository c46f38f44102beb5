import {
  categoryFinder,
  categoryKey,
  foldText,
  isDateText,
  isMissingText,
  numberPattern,
  readNumberText,
  trimText,
  truthNotation,
} from "../../../../src/entries/texts.ts";
import { check, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** The cells of a problem as texts, and some that are hard to read. */
function textsOf({ problem }: World): string[] {
  const odd = [
    "",
    " ",
    "NA",
    "nan",
    "-",
    "1,5",
    "1.234,5",
    "1e400",
    "0x10",
    "007",
    "−3",
    "2026-11-15",
    "__proto__",
    "New  York",
    "İZMİR",
  ];
  return [...problem.cells.flat().map(String), ...odd];
}

export const texts = {
  trimText: (world) => {
    for (const text of textsOf(world))
      check(
        trimText(trimText(text)) === trimText(text),
        `${JSON.stringify(text)} is trimmed once and for all`,
      );
  },
  isMissingText: (world) => {
    for (const text of textsOf(world))
      check(!isMissingText(text, []) || trimText(text) === "", "only nothing is always a gap");
  },
  isDateText: (world) => {
    for (const text of textsOf(world))
      check(typeof isDateText(text) === "boolean", "a text is a date or not");
  },
  readNumberText: (world) => {
    for (const text of textsOf(world)) {
      const number = readNumberText(text);
      check(number === undefined || !Number.isNaN(number), `${JSON.stringify(text)} reads as ${number}`);
    }
  },
  numberPattern: (world, { flag }) => {
    const style = { decimal: flag[0] ? ("comma" as const) : ("point" as const), grouped: flag[1] };
    const pattern = new RegExp(`^(?:${numberPattern(style)})$`);
    for (const text of textsOf(world))
      check(
        readNumberText(text, style) === undefined || pattern.test(trimText(text)),
        `pattern and reading differ on ${JSON.stringify(text)}`,
      );
  },
  categoryFinder: (world) => {
    const values = [...new Set(textsOf(world))];
    const find = categoryFinder(values);
    for (const value of values) {
      const place = find(value);
      check(
        place === undefined || categoryKey(values[place]) === categoryKey(value),
        "a category is found by its key",
      );
    }
  },
  categoryKey: (world) => {
    for (const text of textsOf(world))
      check(
        categoryKey(categoryKey(text)) === categoryKey(text),
        `the key of ${JSON.stringify(text)} is one`,
      );
  },
  foldText: (world) => {
    for (const text of textsOf(world)) {
      const folded = foldText(text);
      check(
        foldText(folded) === folded && foldText(text.replaceAll(" ", "   ")) === folded,
        `${JSON.stringify(text)} is folded once and for all, however many spaces are in a row`,
      );
      // Folding changes letters of ASCII only: a dotted capital I would become two characters.
      const upper = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      check(foldText(upper) === folded, `${JSON.stringify(text)} is folded the same in capitals`);
    }
  },
  truthNotation: (world) => {
    const values = [...new Set(textsOf(world))];
    for (const own of [values, ["True", "false"], ["0", "1.0"]])
      truthNotation(own)?.forEach((other, place) => {
        check(categoryFinder(own)(other) === place, "a truth value is found in the other notation");
      });
  },
} satisfies Record<string, Entry>;
