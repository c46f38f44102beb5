import { expect, test } from "vitest";
import { isAmbiguous, readNumber } from "../../src/model/read-number.ts";

test.each([
  ["12.5", 12.5],
  ["12,5", 12.5],
  ["0,125", 0.125],
  ["1234", 1234],
  ["1.234", 1.234],
  ["1,234.5", 1234.5],
  ["1,234,567", 1234567],
  [" -3 ", -3],
  ["1e3", 1000],
])("%j is a number in one way", (text, number) => {
  expect(readNumber(text)).toBe(number);
  expect(isAmbiguous(text)).toBe(false);
});

test.each(["1,234", "-12,500", "250,000"])(
  "%j may be thousands or a fraction, and is not guessed",
  (text) => {
    expect(readNumber(text)).toBeUndefined();
    expect(isAmbiguous(text)).toBe(true);
  },
);

test.each(["", "abc", "1,2,3", "1e999", "1e16", "3 000"])("%j is no number", (text) => {
  expect(readNumber(text)).toBeUndefined();
  expect(isAmbiguous(text)).toBe(false);
});
