import { conform, random, type Table, train } from "conformant";
import { expect, test } from "vitest";
import { boundedTraining } from "../../src/evaluate/create-methods.ts";
import { evaluateMethods, rowsFor } from "../../src/evaluate/evaluate-methods.ts";
import { evaluateRows } from "../../src/evaluate/evaluate-rows.ts";
import { mean, metricsOf, score, standardError } from "../../src/evaluate/metrics.ts";
import { classificationVerdict } from "../../src/verdict/classification-verdict.ts";
import { addReliability, calibrationError, reliability } from "../../src/verdict/reliability.ts";

/** Rounding of sums of a few numbers. */
const ROUNDING = 1e-12;

/** As scikit-learn 1.2.1 has them: log_loss, brier_score_loss (of two classes, both counted), f1_score(average="weighted"). */
test("scores are those of scikit-learn", () => {
  const positive = [0.9, 0.35, 0.6, 0.2, 0.75, 0.5, 0.05, 0.65];
  const labels = [1, 0, 0, 0, 1, 1, 0, 1];
  const probabilities = Float64Array.from(positive.flatMap((p) => [1 - p, p]));
  const verdict = classificationVerdict({ answers: probabilities, labels, classes: ["no", "yes"], folds: 0 });
  const bins = reliability(probabilities, labels, 2);
  const { accuracy, weightedF1, logLoss, brier, auc, recall, precision } = score(
    verdict,
    bins,
    probabilities,
    probabilities,
  );
  expect(accuracy).toBe(0.875);
  expect(weightedF1).toBeCloseTo(0.873015873015873, 12);
  expect(logLoss).toBeCloseTo(0.392310397303797, 12);
  expect(brier).toBeCloseTo(2 * 0.12125, 12);
  expect(auc).toBeCloseTo(15 / 16, 12);
  expect([recall, precision]).toEqual([1, 0.8]);
});

test("the calibration error is the mean distance of bins from the diagonal", () => {
  // Three answers of 0.72 of which two are right, and one of 0.95 that is wrong.
  const probabilities = Float64Array.of(0.72, 0.28, 0.72, 0.28, 0.72, 0.28, 0.05, 0.95);
  const bins = reliability(probabilities, [0, 0, 1, 0], 2);
  expect(bins.rows[7]).toBe(3);
  expect(bins.rows[9]).toBe(1);
  const expected = (3 * Math.abs(2 / 3 - 0.72) + 0.95) / 4;
  expect(Math.abs(calibrationError(bins) - expected)).toBeLessThan(ROUNDING);
  expect(calibrationError(addReliability([bins, bins]))).toBeCloseTo(expected, 12);
});

test("a probability of 1 is in the last bin, and an answer that is always right as it says has no error", () => {
  const bins = reliability(Float64Array.of(1, 0, 0, 1), [0, 1], 2);
  expect(bins.rows[9]).toBe(2);
  expect(calibrationError(bins)).toBe(0);
});

const LABEL = { name: "label", kind: "categorical", values: ["no", "yes"] } as const;
const plan = { rates: [0.5], repeats: 2, mechanism: "mcar", blocks: [], seed: 0 } as const;
const quiet = { warn: () => undefined, progress: () => undefined };

/** Numbers of which the first tells something about a rare class. */
function rareClass(rows: number, columns: number): Table {
  const generator = random(5);
  const labels = Int32Array.from({ length: rows }, () => (generator.uniform() < 0.12 ? 1 : 0));
  const names = Array.from({ length: columns }, (_, c) => `x${c}`);
  return {
    schema: { columns: [...names.map((name) => ({ name, kind: "numeric" as const })), LABEL] },
    rows,
    columns: [
      ...names.map((_, c) => Float64Array.from(labels, (k) => generator.normal() + (c === 0 ? k : 0))),
      labels,
    ],
    unseen: [],
  };
}

test("an evaluation shows guessing: with a rare class that is never found, accuracy is that of the class shares", () => {
  const rows = rareClass(1000, 2);
  const model = conform(train(rows, { label: "label" }), rows);
  const how = { label: "label", plan, against: ["mean"] as const, mostRows: 1000 };
  const { evaluation } = evaluateRows(model, rows, undefined, how, quiet);
  const [ours, , guess] = evaluation.methods;
  expect(evaluation.methods.map(({ name }) => name)).toEqual(["ours", "mean", "class_shares"]);
  expect(evaluation.metrics).toEqual(metricsOf(2));
  expect(guess.unmasked.auc).toBe(0.5);
  expect(guess.unmasked.recall).toBe(0);
  expect(guess.unmasked.precision).toBeNaN();
  expect(ours.unmasked.accuracy - guess.unmasked.accuracy).toBeLessThan(0.02);
  expect(ours.unmasked.auc).toBeGreaterThan(0.7);
  const [[, falsePositives], [missed, found]] = evaluation.verdict.confusion;
  expect(ours.unmasked.recall).toBe(found / (found + missed));
  expect(ours.unmasked.precision).toBe(found / (found + falsePositives));
  expect(evaluation.verdict.baselineAccuracy).toBe(guess.unmasked.accuracy);
  expect(evaluation.verdict.sentence).toMatch(/^On these rows: right in about 8\d% ± 1 \(guessing/);
});

test("nearest neighbors are scored on a random part of many rows, and every other method on all", () => {
  const rows = rareClass(3000, 3);
  const model = conform(train(rows, { label: "label" }), rows);
  const slow = { ...plan, rates: [0.2], repeats: 1 };
  const labels = rows.columns[3];
  const asked: number[] = [];
  const method = (name: string, work?: number) => ({
    name,
    ...(work !== undefined && { work }),
    predict: (table: Table) => {
      asked.push(table.rows);
      return Float64Array.from({ length: table.rows * 2 }, () => 0.5);
    },
  });
  const evaluation = evaluateMethods(
    model,
    [method("quick"), method("slow", 5e6), method("slowest", 5e9)],
    { table: { ...rows, schema: model.schema, columns: rows.columns.slice(0, 3) }, labels },
    slow,
    quiet,
  );
  expect(evaluation.methods.map((result) => result.rows)).toEqual([3000, 1000, 200]);
  expect(asked).toEqual([3000, 1000, 200, 3000, 1000, 200]);
});

test("of 20,000 rows, nearest neighbors are chosen from 10,000 and score fewer than the 10,000 that others score", () => {
  const { rows, work = 0 } = boundedTraining("knn", rareClass(20_000, 3));
  expect(rows.rows).toBe(10_000);
  expect(work).toBe(10_000 * rows.schema.columns.length);
  expect(boundedTraining("mean", rows)).toEqual({ rows });
  // 10¹⁰ operations for the rows as they are and ten repeats of five rates, each 40,000 operations per row.
  const chosen = rowsFor({ work }, 10_000, { ...plan, rates: [0.1, 0.2, 0.3, 0.5, 0.7], repeats: 10 });
  expect(chosen?.length).toBe(Math.floor(1e10 / (51 * 40_000)));
});

test("a mean and its standard error are those of the values that are defined", () => {
  const values = [1, Number.NaN, 2, 6];
  expect(mean(values)).toBe(3);
  // s² = (4 + 1 + 9) / 2
  expect(standardError(values)).toBeCloseTo(Math.sqrt(7 / 3), 12);
  expect(standardError([1, Number.NaN])).toBeNaN();
  expect(standardError([5, 5])).toBe(0);
});
