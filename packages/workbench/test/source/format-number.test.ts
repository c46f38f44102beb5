import { expect, test } from "vitest";
import { duration, percent, short } from "../../src/source/format-number.ts";

test("whole numbers are shown with all their digits, others with a few that are true", () => {
  expect(
    [99999, 1484705, -20170101, 12345678901, 1484705.4, 99.996, 0.12345, 0.00001234, 0, -3.25678].map((x) =>
      short(x),
    ),
  ).toEqual([
    "99999",
    "1484705",
    "-20170101",
    "12345678901",
    "1484705",
    "100",
    "0.1235",
    "1.23e-5",
    "0",
    "-3.257",
  ]);
  expect(short(1484705.4, 6)).toBe("1484705");
  expect(short(Number.NaN)).toBe("NaN");
});

test("no share is shown as all or nothing that is neither", () => {
  expect([0, 1, 0.5, 0.9999, 0.0004, 0.99999, 1e-9, 0.998].map(percent)).toEqual([
    "0.0 %",
    "100.0 %",
    "50.0 %",
    "99.99 %",
    "0.04 %",
    "> 99.99 %",
    "< 0.01 %",
    "99.8 %",
  ]);
});

test("a minute never has 60 seconds", () => {
  expect([999.4, 999.6, 59_949, 59_960, 119_700, 3_599_800].map(duration)).toEqual([
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1 min 0 s",
    "2 min 0 s",
    "60 min 0 s",
  ]);
});
