import { expect, test } from "vitest";
import { commandLine } from "../../src/studio/command-line.ts";
import { NEW_STUDY } from "../../src/studio/study.ts";
import type { FitReport } from "../../src/worker/study-messages.ts";

const report = { seconds: 1 } as FitReport;

test("names with commas, quotes and a leading dash come to the command as they are", () => {
  const choices = {
    ...NEW_STUDY.choices,
    label: "-risk",
    exclude: ["cost, net", 'so "called"', "plain"],
    kinds: { "a,b": "numeric" as const },
  };
  expect(commandLine("my data.csv", "m.json", { choices, report })).toBe(
    `conformant fit 'my data.csv' --label=-risk --type '"a,b=numeric"' --exclude '"cost, net","so ""called""",plain' -o m.json`,
  );
});
