import { writeList } from "conformant-workbench";
import { expect, test } from "vitest";
import type { Parsed } from "../../src/options/command.ts";
import { numberIn, readList } from "../../src/options/read-value.ts";

const given = (text: string): Parsed => ({ text: () => text }) as unknown as Parsed;

test.each([
  [["adelie", "gentoo"], "adelie, gentoo"],
  [
    ["Torgersen, north", 'so "called"', " edge ", "a b"],
    '"Torgersen, north", "so ""called""", " edge ", a b',
  ],
  [[], ""],
])("a list of names is written as options read it: %j", (names, text) => {
  expect(writeList(names)).toBe(text);
  expect(readList(given(text), "any")).toEqual(names);
});

test("numbers are those that people write", () => {
  expect(["12", "-0.5", "−3", ".5", "1e-3", " 7. ", "+2", "007"].map(numberIn)).toEqual([
    12, -0.5, -3, 0.5, 1e-3, 7, 2, 7,
  ]);
  for (const text of ["", " ", "0x10", "0b1", "1_000", "1,5", "Infinity", "NaN", "1e", ".", "--1", "1 2"])
    expect(numberIn(text)).toBeNaN();
});
