import type { Model, Row } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportJson } from "../../../src/export/export-json.ts";
import { exportOnnx } from "../../../src/export/export-onnx.ts";
import { hasGaussianTerms } from "../../../src/sql/gaussian-stages.ts";
import { expectedAnswers, largestDifference, wrongLabels } from "./expected.ts";
import { inSinglePrecision, runOnnx } from "./onnx-runtime.ts";
import { predictByHand } from "./predict-by-hand.ts";
import { describeShape, gappyRows, type ModelShape, randomModel } from "./random-models.ts";
import { type SqlEngine, sqlEngines } from "./sql-engines.ts";

/** Sums in another order than the library's. */
export const DOUBLE = 1e-9;
/** Probabilities that are written in single precision. */
const SINGLE = 1e-5;

/** Compares what an engine answers, label first, with the library. */
export function compare(
  model: Model,
  rows: readonly Row[],
  answers: readonly (readonly unknown[])[],
  tolerance: number = DOUBLE,
): void {
  const { probabilities } = expectedAnswers(model, rows);
  const K = model.response.outputs.length;
  const own = answers.flatMap((answer) => answer.slice(1, K + 1).map(Number));
  expect(largestDifference(own, probabilities)).toBeLessThan(tolerance);
  const labels = answers.map(([label]) => String(label));
  expect(wrongLabels(labels, model, probabilities, tolerance)).toBe(0);
}

/** Tests that models of some shapes answer 500 rows with gaps in every format and engine as the library does. */
export function testRandomModels(shapes: readonly ModelShape[]): void {
  const models = shapes.map((shape) => {
    const model = randomModel(shape);
    return { name: describeShape(shape), model, rows: gappyRows(model, 500, shape.seed) };
  });

  describe.each(models)("$name", ({ model, rows }) => {
    test.each([
      { precision: "double", float: false, of: rows, tolerance: DOUBLE },
      { precision: "single", float: true, of: inSinglePrecision(rows), tolerance: SINGLE },
    ])("answers as the library does in ONNX, in $precision precision", async ({ float, of, tolerance }) => {
      const graph = exportOnnx(model, { float });
      const { labels, probabilities } = await runOnnx(graph, model.schema, of, float ? "float32" : "float64");
      const K = model.response.outputs.length;
      const answers = of.map((_, r) => [labels[r], ...Array.from(probabilities).slice(r * K, (r + 1) * K)]);
      compare(model, of, answers, tolerance);
    });

    test("answers as the library does by hand, with what JSON has", () => {
      const exported = JSON.parse(exportJson(model));
      compare(
        model,
        rows,
        rows.map((row) => predictByHand(exported, row)),
      );
    });
  });

  describe.each(sqlEngines)("in $name", ({ available, open }) => {
    let engine: SqlEngine | undefined;
    beforeAll(async () => {
      if (available) engine = await open();
    });
    afterAll(() => engine?.stop());

    test.skipIf(!available).each(models.filter(({ model }) => hasGaussianTerms(model)))(
      "$name answers as the library does",
      async ({ model, rows }) => {
        compare(model, rows, (await engine?.answer(model, rows)) ?? []);
      },
    );
  });
}
