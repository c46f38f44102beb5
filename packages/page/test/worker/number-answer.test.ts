import {
  askNext,
  conformMixture,
  predictColumns,
  type RegressionModel,
  type Row,
  random,
  trainRegressor,
  trainTreeRegressor,
} from "conformant";
import { describe, expect, test } from "vitest";
import { reasonSteps, reasonWay } from "../../src/model/reason-steps.ts";
import { answerScale, drawnAnswers } from "../../src/worker/answer-scale.ts";
import {
  densityOf,
  findNumberCertainty,
  findNumberOutlook,
  findNumberReasons,
} from "../../src/worker/number-answer.ts";
import { predictTable } from "../../src/worker/predict-table.ts";
import { sampledReductions } from "../../src/worker/sampled-questions.ts";
import { viewRows } from "../../src/worker/sort-rows.ts";

const draw = (
  (generator) => () =>
    generator.uniform()
)(random(1));
const rows = Array.from({ length: 200 }, () => {
  const [area, noise] = [40 + 120 * draw(), draw() - 0.5];
  const near = draw() < area / 200 ? "yes" : "no";
  const age = Math.round(80 * draw());
  return { area, near, age, price: 3000 * area + (near === "yes" ? 90_000 : 0) - 500 * age + 40_000 * noise };
});
const inputs = rows.map(({ price: _, ...row }) => row);
const models: Record<"linear" | "trees", RegressionModel> = {
  linear: conformMixture(trainRegressor(rows, { label: "price" }), inputs, { components: 2 }),
  trees: conformMixture(trainTreeRegressor(rows, { label: "price" }), inputs, { components: 2 }),
};
const ROWS: readonly Row[] = [
  {},
  { area: 90 },
  { area: 120, near: "yes" },
  { area: 60, near: "no", age: 30 },
];
/** Sums of rounded numbers, as a share of the scale. */
const ROUNDING = 1e-9;

describe.each(["linear", "trees"] as const)("the parts of a number’s answer, %s", (name) => {
  const model = models[name];
  const scale = answerScale(model);
  const answerOf = (row: Row): number => predictColumns(model, [row]).values[0];
  const close = (a: number, b: number): void =>
    expect(Math.abs(a - b)).toBeLessThan(ROUNDING * (scale.high - scale.low));

  test.each(ROWS)(
    "steps lead from the average to the answer through answers to what is known so far",
    (row) => {
      const steps = reasonSteps(reasonWay(findNumberReasons(model, row)), 0);
      const known: Row = {};
      let from = answerOf({});
      for (const { columns, from: before, to } of steps) {
        close(before, from);
        Object.assign(known, { [columns[0].column]: row[columns[0].column] });
        from = answerOf(known);
        close(to, from);
      }
      close(from, answerOf(row));
    },
  );

  test.each(ROWS)(
    "the range holds 90% of the answers to completed rows, and nothing has one where nothing is missing",
    (row) => {
      const { range, curve, standardDeviation } = findNumberCertainty(model, row, scale);
      if (Object.keys(row).length === 3) {
        expect([range, curve?.now]).toEqual([undefined, undefined]);
        expect(standardDeviation?.value).toBe(0);
        return;
      }
      expect(curve?.now?.some((height) => height > 0)).toBe(true);
      if (name === "trees" && !range) return; // a busy machine has no time for enough draws
      const drawn = drawnAnswers(model, row, 4000);
      const [low, high] = range?.map(({ value }) => value) ?? [];
      const share = (test: (x: number) => boolean): number => drawn.filter(test).length / drawn.length;
      expect(share((x) => x < low)).toBeLessThan(0.07);
      expect(share((x) => x > high)).toBeLessThan(0.07);
      expect(share((x) => x >= low && x <= high)).toBeGreaterThan(0.87);
    },
  );

  test("questions are the library's, by how much they narrow the range; those from draws agree up to their noise", () => {
    const row = { near: "yes" };
    const { questions } = findNumberOutlook(model, row);
    const exact = askNext(model, row);
    expect(questions.map(({ column }) => column)).toEqual(exact.map(({ column }) => column));
    const [{ narrows = 0 }] = questions;
    const now = Math.sqrt(exact[0].standardDeviation ** 2 + exact[0].varianceReduction);
    expect(Math.abs(narrows - (1 - exact[0].standardDeviation / now))).toBeLessThan(ROUNDING);
    const drawn = sampledReductions(model, row);
    expect(drawn[0].column).toBe(exact[0].column);
    for (const { column, reduction, variance } of drawn) {
      const other = exact.find((own) => own.column === column);
      expect(Math.abs(reduction - (other?.varianceReduction ?? 0)) / variance).toBeLessThan(0.12); // 2000 rows in eighths
    }
  });

  test("a table has the form's numbers, and is sorted by them", () => {
    const table = predictTable(model, "area,near,age\n90,,\n120,yes,\n60,no,30\n,,\n");
    expect(Array.from(table.numbers ?? [])).toEqual(table.rows.map(answerOf));
    const { order } = viewRows(table, { sorting: { by: "prediction", falling: true } });
    const sorted = Array.from(order, (r) => table.numbers?.[r] ?? 0);
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
  });
});

test("impossible numbers of a table are unknown, as in the form, and counted in a note", () => {
  const limits = { area: { minimum: 0 }, age: { minimum: 0, maximum: 200 } };
  const { rows: read, notes } = predictTable(models.linear, "area,near,age\n-5,yes,30\n90,no,201\n", limits);
  expect(read).toEqual([
    { near: "yes", age: 30 },
    { area: 90, near: "no" },
  ]);
  expect(notes).toEqual([
    "area: 1 cell is not a value of this column and counts as unknown",
    "age: 1 cell is not a value of this column and counts as unknown",
  ]);
});

test("a density of draws has mass 1, and is about that of their law", () => {
  const n = 4000;
  const uniform = Float64Array.from({ length: n }, (_, i) => (i + 0.5) / n);
  const density = densityOf(uniform, -1, 2);
  const step = 3 / (density.length - 1);
  expect(Math.abs(density.reduce((sum, height) => sum + height * step, 0) - 1)).toBeLessThan(0.01);
  expect(Math.abs(density[Math.round(1.5 / step)] - 1)).toBeLessThan(0.02);
});
