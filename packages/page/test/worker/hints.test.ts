import { expect, test } from "vitest";
import { REMEDIES } from "../../src/frame/studio-texts.ts";

test("hints name what the page offers, not options of the command", () => {
  // The page has no groups of rows, so that hint names the command.
  const { date, nearlyNumbers, ambiguousNumber, readAsMissing, group: _, ...others } = REMEDIES;
  const texts = [
    date("seen", "month"),
    nearlyNumbers("comma"),
    nearlyNumbers(undefined),
    ambiguousNumber("comma", "3.75", "3,750"),
    readAsMissing(["-99", "x"]),
    ...Object.values(others).map((own) => (typeof own === "function" ? own("a", "b") : own)),
  ];
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(text).not.toMatch(/--|conformant /);
});
