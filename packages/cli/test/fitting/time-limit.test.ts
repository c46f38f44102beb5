import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadModel, predict, random, saveModel } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  type FitResult,
  fitAnyModel,
  memorySource,
  readCsvTable,
  type TrainingOptions,
  USUAL_TRAINING,
} from "conformant-workbench";
import { summarizeFit } from "conformant-workbench/describe";
import { expect, test } from "vitest";
import { noRemedies } from "../support/fit-in-memory.ts";

const penguins = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));

/** Rows of two numbers and a category, a third of them with a missing value, and a class or a number that depends on them. */
function rowsOf(count: number, isNumber: boolean): string {
  const g = random(1);
  const lines = Array.from({ length: count }, () => {
    const [a, b] = [g.normal(), g.normal()];
    const y = isNumber ? 3 * a + g.normal() : a + g.normal() > 0 ? "yes" : "no";
    return [g.uniform() < 0.3 ? "" : a, g.uniform() < 0.1 ? "" : b, `c${g.integer(3)}`, y].join(",");
  });
  return `a,b,c,y\n${lines.join("\n")}\n`;
}

async function fitRows(
  text: string,
  training: Partial<TrainingOptions>,
): Promise<Pick<FitResult, "report"> & { readonly saved: string; readonly warnings: readonly string[] }> {
  async function* pieces(): AsyncGenerator<string> {
    yield text;
  }
  const warnings: string[] = [];
  const table = await readCsvTable("t.csv", pieces(), { expected: [], twiceNamed: "", tooLarge: "" });
  const { model, report } = await fitAnyModel(
    memorySource(table, noRemedies),
    {
      label: "y",
      columns: { columns: undefined, exclude: [], types: new Map() },
      missingTexts: MISSING_TEXTS,
      training: { ...USUAL_TRAINING, ...training },
    },
    { reporter: { warn: (warning) => warnings.push(warning), progress: () => undefined } },
  );
  return { report: report as FitResult["report"], saved: saveModel(model), warnings };
}

test.each(["auto", "logistic", "trees"] as const)(
  "without any time --model %s is still a model, whose verdict is missing, with a warning of what was cut short",
  async (model) => {
    const { report, saved, warnings } = await fitRows(rowsOf(400, false), { model, timeLimit: 0 });
    expect(predict(loadModel(saved), { a: 2 }).yes).toBeGreaterThan(0.5);
    expect(report.verdict).toBeUndefined();
    expect(loadModel(saved).metadata?.verdict).toBeUndefined();
    const facts = new Map(summarizeFit(report).facts);
    expect(facts.get("verdict")).toBe("none: the time limit was reached");
    expect(warnings.join()).toMatch(/the time limit of 0 s cut short: .*the verdict, which is missing/);
  },
);

test("without any time a number is predicted, with a warning", async () => {
  const { report, warnings } = await fitRows(rowsOf(400, true), { timeLimit: 0 });
  expect(report.verdict).toBeUndefined();
  expect(warnings.join()).toContain("the verdict, which is missing");
});

test("a time limit that is not reached changes nothing and warns of nothing", async () => {
  const rows = rowsOf(300, false);
  const [without, limited] = [await fitRows(rows, {}), await fitRows(rows, { timeLimit: 3600 })];
  expect(limited.saved).toBe(without.saved);
  expect(limited.warnings).toEqual(without.warnings);
});

/** Bounds that no table of these tests comes near to. */
const FAR_ABOVE = {
  mixtureCells: 1e15,
  scoredRows: 1e15,
  triedRows: 1e15,
  trainedOnce: 1e15,
  bytesAtOnce: 1e15,
};

test.each([
  ["penguins", readFileSync(penguins, "utf8").replace("species,", "y,")],
  ["rows with a class", rowsOf(1500, false)],
  ["rows with a number", rowsOf(700, true)],
])("the bounds of samples change nothing in a small table: %s", async (_, text) => {
  const [usual, unbounded] = [await fitRows(text, {}), await fitRows(text, { bounds: FAR_ABOVE })];
  expect(unbounded.saved).toBe(usual.saved);
  expect(usual.report.samples).toBeUndefined();
});

test("of many rows with a number the report tells that the mixture is of a sample", async () => {
  const bounds = { ...USUAL_TRAINING.bounds, mixtureCells: 0 };
  const { report } = await fitRows(rowsOf(6000, true), { model: "logistic", components: 2, bounds });
  const { rows } = report.model;
  expect(rows).toBeLessThan(6000);
  expect(new Map(summarizeFit(report).facts).get("samples")).toBe(
    `the mixture is chosen on and fitted to ${rows.toLocaleString("en")} random rows`,
  );
});
