import { expect, test } from "vitest";
import { commandLine } from "../../src/studio/command-line.ts";
import { NEW_STUDY } from "../../src/studio/study.ts";

test("names with commas, quotes and a leading dash come to the command as they are", () => {
  const choices = {
    ...NEW_STUDY.choices,
    label: "-risk",
    exclude: ["cost, net", 'so "called"', "plain"],
    kinds: { "a,b": "numeric" as const },
    sheet: "Q1 2020",
  };
  expect(commandLine("my data.csv", "m.json", { choices })).toBe(
    `conformant fit 'my data.csv' --label=-risk --type '"a,b=numeric"' --exclude '"cost, net","so ""called""",plain' --sheet 'Q1 2020' -o m.json`,
  );
});
