import { type Random, random } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import { fitAnyModel, memorySource, readCsvTable, USUAL_TRAINING } from "conformant-workbench";
import { expect, test } from "vitest";
import { noRemedies } from "../support/fit-in-memory.ts";

/** Fits rows of a, b and the number y in memory; returns the kind of the regressor and the warnings. */
async function fitted(
  count: number,
  draw: (g: Random) => readonly (string | number)[],
): Promise<{ kind: string; warnings: string }> {
  const g = random(count);
  const rows = Array.from({ length: count }, () => draw(g).join(","));
  async function* pieces(): AsyncGenerator<string> {
    yield `a,b,y\n${rows.join("\n")}\n`;
  }
  const table = await readCsvTable("t.csv", pieces(), { expected: ["y"], twiceNamed: "", tooLarge: "" });
  const warnings: string[] = [];
  const { model } = await fitAnyModel(
    memorySource(table, noRemedies),
    {
      label: "y",
      task: "regression",
      columns: { columns: undefined, exclude: [], types: new Map() },
      missingTexts: MISSING_TEXTS,
      training: { ...USUAL_TRAINING, crossValidation: false, components: 1, numeric: "atoms" },
    },
    { reporter: { warn: (text) => void warnings.push(text), progress: () => undefined } },
  );
  return { kind: model.predictor.kind, warnings: warnings.join("\n") };
}

/** y is 10 where exactly one of two numbers is positive, which no sum of columns tells. */
const exclusive = (g: Random, isMissing = false): (string | number)[] => {
  const [a, b] = [g.normal(), g.normal()];
  return [a, isMissing ? "" : b, (a > 0 === b > 0 ? 0 : 10) + 0.1 * g.normal()];
};

test("trees are chosen where their error on held-out rows is lower, and the warning has both errors", async () => {
  const { kind, warnings } = await fitted(200, (g) => exclusive(g));
  expect(kind).toBe("regression-trees");
  const [, rows, trees, linear] =
    /error on (\d+) held-out rows is lower, (\S+) instead of (\S+) \(RMSE\)/.exec(warnings) ?? [];
  expect(Number(rows)).toBe(200);
  // The standard deviation of y is 5, which no line improves on.
  expect(Number(linear)).toBeGreaterThan(4.5);
  expect(Number(linear)).toBeLessThan(5.5);
  expect(Number(trees)).toBeLessThan(3);
});

test("a linear regression is chosen where columns add up, and for fewer than 50 complete rows", async () => {
  const sum = (g: Random): number[] => {
    const [a, b] = [g.normal(), g.normal()];
    return [a, b, a - b + g.normal()];
  };
  expect(await fitted(200, sum)).toEqual({ kind: "linear", warnings: "" });
  expect(await fitted(49, (g) => exclusive(g))).toEqual({ kind: "linear", warnings: "" });
  expect((await fitted(50, (g) => exclusive(g))).kind).toBe("regression-trees");
});

test("trees are trained where fewer than 10 rows are complete", async () => {
  let row = 0;
  const { kind } = await fitted(60, (g) => exclusive(g, row++ >= 9));
  expect(kind).toBe("regression-trees");
  row = 0;
  expect((await fitted(60, (g) => exclusive(g, row++ >= 10))).kind).toBe("linear");
});
