import { expect, test } from "vitest";
import { verdictText } from "../../src/commands/verdict-text.ts";

test("a verdict is a sentence, facts in a column, and a table with its numbers aligned to the right", () => {
  const facts = [
    ["scored", "12 rows"],
    ["log loss", "0.4"],
  ] as const;
  const sentence = "On new rows: right in about 90%.";
  const lines = [sentence, "", "scored       12 rows", "log loss     0.4"];
  expect(verdictText({ sentence, facts }).split("\n")).toEqual(lines);
  const confusion = {
    header: ["true class", "→ a", "→ bb"],
    rows: [
      ["a", "10", "0"],
      ["bb", "1", "1"],
    ],
  };
  expect(verdictText({ sentence, facts, confusion }).split("\n")).toEqual([
    ...lines,
    "",
    "true class  → a  → bb",
    "a            10     0",
    "bb            1     1",
  ]);
});
