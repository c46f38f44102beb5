import { type AnyModel, type Model, predict, type Random, random, saveModel } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  type FitResult,
  fitModel,
  memorySource,
  readCsvTable,
  type TrainingOptions,
  USUAL_TRAINING,
} from "conformant-workbench";
import { summarizeFit } from "conformant-workbench/describe";
import { describe, expect, test } from "vitest";
import { openClassifierFile } from "../../src/commands/open-classifier-file.ts";
import { noRemedies } from "../support/fit-in-memory.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();

/** A classifier of people's answers, which knows nothing of missing ages. */
const logistic = place.write(
  "logistic.json",
  JSON.stringify({
    classes: ["no", "yes"],
    features: ["age", "income"],
    intercept: [1],
    coef: [[0, 1]],
  }),
);

/** Trees that send those without an age to the left, where few vote. */
const trees = place.write(
  "trees.json",
  JSON.stringify({
    kind: "trees",
    classes: ["no", "yes"],
    features: ["age", "income"],
    link: "logistic",
    trees: [
      {
        feature: [0, -1, 1, -1, -1],
        threshold: [-2.5, null, 0, null, null],
        left: [1, -1, 3, -1, -1],
        right: [2, -1, 4, -1, -1],
        gapsLeft: [1, 0, 0, 0, 0],
        value: [null, -1.7, null, 0.3, 1.7],
      },
    ],
  }),
);

/** People, some of whom do not tell their age; of these few vote, or as many as of the others. */
function people(isTelling: boolean, drawn: Random = random(7)): string {
  const lines = Array.from({ length: 600 }, () => {
    const missing = drawn.uniform() < 0.3;
    const [age, income] = [Math.max(-2.4, drawn.normal()), drawn.normal()];
    const p = isTelling && missing ? 0.15 : 1 / (1 + Math.exp(-1 - income));
    return [missing ? "" : age, income, drawn.uniform() < p ? "yes" : "no"].join(",");
  });
  return ["age,income,vote", ...lines, ""].join("\n");
}

async function fitImported(
  text: string,
  file: string,
  training: Partial<TrainingOptions> = {},
  label: string | null = "vote",
): Promise<FitResult> {
  async function* pieces(): AsyncGenerator<string> {
    yield text;
  }
  const table = await readCsvTable("t.csv", pieces(), { expected: ["vote"], twiceNamed: "", tooLarge: "" });
  return fitModel(
    memorySource(table, noRemedies),
    {
      label: label ?? undefined,
      classifier: openClassifierFile(file, {}),
      columns: { columns: undefined, exclude: [], types: new Map() },
      missingTexts: MISSING_TEXTS,
      training: { ...USUAL_TRAINING, ...training },
    },
    { reporter: { warn: () => undefined, progress: () => undefined } },
  );
}

const yes = (model: AnyModel, row: Record<string, number>): number =>
  (predict(model as Model, row) as Record<string, number>).yes;

describe.each([
  ["a logistic regression", logistic],
  ["trees", trees],
])("%s that is imported", (_, file) => {
  test("takes missing values as evidence where labels show that they are, and answers complete rows as before", async () => {
    const plain = await fitImported(people(true), file, { gaps: "random" });
    const { model, report } = await fitImported(people(true), file);
    expect(model.schema.columns.map(({ name }) => name)).toEqual(["age", "income", "age is missing"]);
    const fact = summarizeFit(report).facts.find(([name]) => name === "missingness")?.[1];
    expect(fact).toMatch(
      /^used as evidence: rows without "age" are "yes" less often .* on 600 held-out rows$/,
    );
    for (const income of [-1.3, 0.2, 2]) {
      const complete = { age: 0.7, income };
      expect(predict(model, complete)).toEqual(predict(plain.model, complete));
    }
    // 15% of those without an age vote, whatever their income.
    expect(yes(plain.model, { income: 0.2 })).toBeGreaterThan(0.6);
    expect(Math.abs(yes(model, { income: 0.2 }) - 0.15)).toBeLessThan(0.1);
    expect(saveModel((await fitImported(people(true), file)).model)).toBe(saveModel(model));
  });

  test("averages over missing values that tell nothing, and where there are no labels", async () => {
    for (const fitted of [
      await fitImported(people(false), file),
      await fitImported(people(true), file, {}, null),
    ])
      expect(fitted.model.schema.columns.map(({ name }) => name)).toEqual(["age", "income"]);
    const asked = await fitImported(people(false), file, { gaps: "informative" });
    expect(asked.model.schema.columns).toHaveLength(3);
  });
});

test("a feature of the classifier cannot be the label", async () => {
  await expect(fitImported(people(true), logistic, {}, "income")).rejects.toThrow(
    'has the feature "income", which cannot be the label',
  );
});
