import { writeList } from "conformant-workbench";
import { expect, test } from "vitest";
import type { Parsed } from "../../src/options/command.ts";
import {
  numberIn,
  readInteger,
  readList,
  readProbability,
  readShares,
} from "../../src/options/read-value.ts";

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

test("a probability is strictly between 0 and 1, a share may be 0 or 1, and a number ends its range", () => {
  const probability = (text: string): number => readProbability(given(text), "p", 0.5);
  expect(["0.001", "0.5", "0.999"].map(probability)).toEqual([0.001, 0.5, 0.999]);
  for (const text of ["0", "1", "-0.1", "1.5", "x"])
    expect(() => probability(text)).toThrow(`--p must be a probability between 0 and 1, got "${text}"`);
  expect(readShares(given("0,0.5,1"), "p", [])).toEqual([0, 0.5, 1]);
  for (const text of ["0,1.5", "-0.5", "x"])
    expect(() => readShares(given(text), "p", [])).toThrow("--p must be numbers from 0 to 1");
  const named = { ...given("7"), nameOf: () => "--n" };
  expect(readInteger(named, "n", 0, 7, 7)).toBe(7);
  expect(() => readInteger(named, "n", 0, 8, 9)).toThrow('--n must be a whole number from 8 to 9, got "7"');
  expect(() => readInteger(named, "n", 0, 1, 6)).toThrow('--n must be a whole number from 1 to 6, got "7"');
});
