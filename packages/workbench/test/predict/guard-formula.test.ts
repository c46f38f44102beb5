import { expect, test } from "vitest";
import { guardFormula } from "../../src/predict/guard-formula.ts";

test.each([
  '=HYPERLINK("http://x")',
  "+1+1",
  "-1+cmd|' /C calc'!A0",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "-x",
  "+49 30 1234",
  "-2026-01-01",
  "＝1",
])("%j gets an apostrophe", (text) => {
  expect(guardFormula(text)).toBe(`'${text}`);
});

test.each([
  "-3",
  "+1",
  "-0.5",
  "-.5e-7",
  "-1,5",
  "-12 %",
  "-Infinity",
  "+inf",
  "-",
  "+",
  "=",
  "",
  "a=b",
  " -x",
  "3-4",
])("%j stays as it is", (text) => {
  expect(guardFormula(text)).toBe(text);
});
