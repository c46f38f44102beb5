import {
  categoryFinder,
  categoryKey,
  decideNumberStyle,
  guardFormula,
  isDateText,
  isGapText,
  numberEvidence,
  numberPattern,
  readNumberText,
  trimText,
  usesCommas,
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
  guardFormula: (world) => {
    for (const text of [...textsOf(world), "=1+1", "-a", "\t=x", "@b"]) {
      const guarded = guardFormula(text);
      check(guarded === text || guarded === `'${text}`, `${JSON.stringify(text)} becomes ${guarded}`);
      check(guardFormula(guarded) === guarded, `${JSON.stringify(text)} is guarded once and for all`);
      if (readNumberText(text) !== undefined && /^[-+]/.test(text))
        check(guarded === text || /[^-+\d.,e]/i.test(text), `the number ${text} is left alone`);
    }
  },
  isGapText: (world) => {
    for (const text of textsOf(world))
      check(!isGapText(text, []) || trimText(text) === "", "only nothing is always a gap");
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
  numberEvidence: (world) => {
    check(
      Object.values(numberEvidence(textsOf(world))).every((part) => part !== undefined),
      "evidence is whole",
    );
  },
  usesCommas: (world) => {
    check(!usesCommas(numberEvidence(["1.5", "2.5"])), "points are no commas");
    usesCommas(numberEvidence(textsOf(world)));
  },
  decideNumberStyle: (world, { flag }) => {
    const style = decideNumberStyle(numberEvidence(textsOf(world)), flag[0]);
    check(style === undefined || style.decimal === "point" || style.decimal === "comma", "a style or none");
  },
} satisfies Record<string, Entry>;
