import { loadModel, type Model, predict, type Random, random, saveModel } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  type FitResult,
  fitModel,
  memorySource,
  readCsvTable,
  type TrainingOptions,
  USUAL_TRAINING,
} from "conformant-workbench";
import { fitReportJson, summarizeFit } from "conformant-workbench/describe";
import { expect, test } from "vitest";
import { noRemedies } from "../support/fit-in-memory.ts";

/** Fits a table whose label is `y`, in memory. */
async function fitTable(
  rows: readonly string[],
  training: Partial<TrainingOptions> = {},
): Promise<FitResult> {
  async function* pieces(): AsyncGenerator<string> {
    yield `${rows.join("\n")}\n`;
  }
  const table = await readCsvTable("t.csv", pieces(), { expected: ["y"], twiceNamed: "", tooLarge: "" });
  return fitModel(
    memorySource(table, noRemedies),
    {
      label: "y",
      columns: { columns: undefined, exclude: [], types: new Map() },
      missingTexts: MISSING_TEXTS,
      training: { ...USUAL_TRAINING, ...training },
    },
    { reporter: { warn: () => undefined, progress: () => undefined } },
  );
}

/** Rows with a header, drawn one by one. */
function table(header: string, count: number, draw: (g: Random) => readonly (string | number)[]): string[] {
  const g = random(count);
  return [header, ...Array.from({ length: count }, () => draw(g).join(","))];
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** The class depends on a number and, by some strength, on whether two numbers have the same sign, which no sum of columns tells. */
const interaction = (count: number, strength: number): string[] =>
  table("a,b,c,y", count, (g) => {
    const [a, b, c] = [g.normal(), g.normal(), g.normal()];
    const y = g.uniform() < sigmoid(c + strength * Math.sign(a * b)) ? "yes" : "no";
    return [a, g.uniform() < 0.1 ? "" : b, c, y];
  });

/** The class depends on a sum of columns. */
const sum = (count: number): string[] =>
  table("a,b,c,y", count, (g) => {
    const [a, b, c] = [g.normal(), g.normal(), g.normal()];
    return [a, g.uniform() < 0.1 ? "" : b, c, g.uniform() < sigmoid(1.5 * a - b) ? "yes" : "no"];
  });

function textOf(fitted: FitResult, name: string): string | undefined {
  return summarizeFit(fitted.report).facts.find(([fact]) => fact === name)?.[1];
}

/** The choice as programs read it. */
interface Choice {
  readonly chosen: string;
  readonly rows: number;
  readonly logLoss: Readonly<Record<"logistic" | "trees", number>>;
  readonly maskedLogLoss?: Choice["logLoss"];
}

function choiceOf({ report }: FitResult): Choice {
  return (fitReportJson(report) as { training: { choice: Choice } }).training.choice;
}

test("trees are chosen at once where columns interact clearly, and the report has the losses of both models", async () => {
  const fitted = await fitTable(interaction(400, 2));
  expect(fitted.model.predictor.kind).toBe("trees");
  expect(textOf(fitted, "model")).toMatch(
    /^boosted trees: log loss on 400 new rows 0\.\d+, logistic regression 0\.\d+$/,
  );
  const { chosen, rows, logLoss } = choiceOf(fitted);
  expect([chosen, rows]).toEqual(["trees", 400]);
  expect(logLoss.trees).toBeLessThan(logLoss.logistic - 0.1);
  expect(saveModel((await fitTable(interaction(400, 2))).model)).toBe(saveModel(fitted.model));
});

test("where a first trial leaves it open, both are fitted and compared on rows as they are and with masked values", async () => {
  const fitted = await fitTable(interaction(500, 1.2));
  expect(textOf(fitted, "model")).toMatch(
    /^boosted trees: log loss on 500 new rows 0\.\d+, logistic regression 0\.\d+ \(with 30 % of the values masked 0\.\d+ and 0\.\d+\)$/,
  );
  const { chosen, rows, logLoss, maskedLogLoss } = choiceOf(fitted);
  expect([chosen, rows]).toEqual(["trees", 500]);
  expect(maskedLogLoss?.trees).toBeGreaterThan(logLoss.trees);
  // The verdict scores the same predictions.
  expect(fitted.report.verdict).toMatchObject({ folds: 5, logLoss: logLoss.trees });
});

test("a logistic regression is chosen where columns add up, and is the one that --model logistic fits", async () => {
  const fitted = await fitTable(sum(400));
  expect(fitted.model.predictor.kind).toBe("additive");
  expect(textOf(fitted, "model")).toMatch(
    /^logistic regression: log loss on \d+ new rows 0\.\d+, boosted trees 0\.\d+/,
  );
  expect(saveModel(fitted.model)).toBe(saveModel((await fitTable(sum(400), { model: "logistic" })).model));
});

test("trees are not tried on a few rows, nor without cross-validation", async () => {
  expect(textOf(await fitTable(sum(40)), "model")).toBe(
    "logistic regression; boosted trees not tried: fewer than 50 rows",
  );
  const unscored = await fitTable(interaction(400, 2), { crossValidation: false });
  expect(unscored.model.predictor.kind).toBe("additive");
  expect(textOf(unscored, "model")).toBe(
    "logistic regression; boosted trees not tried: they are compared by cross-validation",
  );
});

/** People of whom those without an age rarely vote; or of whom any may lack it. */
const voters = (count: number, isTelling: boolean): string[] =>
  table("age,income,y", count, (g) => {
    const missing = g.uniform() < 0.3;
    const [age, income] = [g.normal(), g.normal()];
    const p = isTelling && missing ? 0.15 : sigmoid(1 + income);
    return [missing ? "" : age, income, g.uniform() < p ? "yes" : "no"];
  });

test("trees take missing values as evidence where that predicts held-out rows better", async () => {
  const fitted = await fitTable(voters(600, true), { model: "trees" });
  const { model } = fitted;
  expect(model.schema.columns.map(({ name }) => name)).toEqual(["age", "income", "age is missing"]);
  expect(textOf(fitted, "missingness")).toMatch(/^used as evidence: rows without "age" are "yes" less often/);
  const yes = (row: Record<string, number>): number => (predict(model, row) as Record<string, number>).yes;
  expect(yes({ income: 0.5 })).toBeLessThan(0.35);
  expect(yes({ income: 0.5, age: 0 })).toBeGreaterThan(0.65);
  // Complete rows are answered as by the same trees without indicators.
  const plain = (await fitTable(voters(600, true), { model: "trees", gaps: "random" })).model;
  for (const row of [
    { income: 0.5, age: 0 },
    { income: -2, age: 1.3 },
  ])
    expect(predict(model, row)).toEqual(predict(plain, row));
  const again = loadModel(saveModel(model)) as Model;
  expect(predict(again, { income: 0.5 })).toEqual(predict(model, { income: 0.5 }));
  // Without a verdict the same held-out rows decide.
  const unscored = await fitTable(voters(600, true), { model: "trees", crossValidation: false });
  expect(unscored.report.verdict).toBeUndefined();
  expect(unscored.model.predictor).toEqual(model.predictor);
});

test("trees average over missing values that tell nothing, unless all are to be evidence", async () => {
  const fitted = await fitTable(voters(600, false), { model: "trees" });
  expect(fitted.model.schema.columns).toHaveLength(2);
  expect(textOf(fitted, "missingness")).toMatch(/^not used as evidence/);
  const asked = await fitTable(voters(600, true), { model: "trees", gaps: "informative" });
  expect(asked.model.schema.columns.map(({ name }) => name)).toContain("age is missing");
});

/** Bounds that make a table of a thousand rows a large one. */
const LOW = { ...USUAL_TRAINING.bounds, mixtureCells: 0, scoredRows: 200, triedRows: 1200, trainedOnce: 0 };

test("of a large table the mixture is of a sample, which the report tells, and the classifier is of all rows", async () => {
  const rows = table("a,b,c,y", 4500, (g) => {
    const [a, b, c] = [g.normal(), g.normal(), g.integer(3)];
    const y = g.uniform() < sigmoid(1.5 * a - b) ? "yes" : "no";
    return [g.uniform() < 0.6 ? "" : a, g.uniform() < 0.3 ? "" : b, `c${c}`, y];
  });
  const how = { components: 2, bounds: LOW } as const;
  const large = await fitTable(rows, { ...how, model: "logistic" });
  const { model, report } = large;
  expect(model.rows).toBeLessThan(3000);
  expect(model.predictor.kind === "additive" && model.predictor.training?.rows).toBe(4500);
  expect(report.verdict?.rows).toBeLessThanOrEqual(200);
  expect(textOf(large, "samples")).toBe(
    `the mixture is chosen on and fitted to ${model.rows.toLocaleString("en")} random rows`,
  );
  const small = await fitTable(rows, { components: 2, model: "logistic" });
  expect(textOf(small, "samples")).toBeUndefined();
  const [ours, theirs] = [large, small].map(({ model: { predictor } }) =>
    predictor.kind === "additive" ? predictor.weights : [],
  );
  // A weight has a standard error of about 0.05.
  for (const [j, weight] of ours.entries()) expect(Math.abs(weight - theirs[j])).toBeLessThan(0.1);
});

test("of a large table trees are tried on a sample, and those that are scored on held-out rows are the final ones", async () => {
  const rows = interaction(2600, 3);
  const { report, model } = await fitTable(rows, { components: 1, numeric: "atoms", bounds: LOW });
  expect(model.predictor.kind).toBe("trees");
  // 2,600 rows in 13 folds of 200, one of which is held out.
  expect(report.training?.rows).toBe(2400);
  expect(report.verdict?.rows).toBe(200);
});
