import { readFileSync } from "node:fs";
import {
  askNext,
  conformMixture,
  loadModel,
  type Model,
  predict,
  predictColumns,
  type Row,
  random,
  sample,
  trainTrees,
} from "conformant";
import { describe, expect, test } from "vitest";
import { fittedPenguins } from "../../../cli/test/support/fitted-penguins.ts";
import { PROBABILITY } from "../../src/frame/quantity.ts";
import { reasonSteps, reasonWay } from "../../src/model/reason-steps.ts";
import { findCertainty, findReasons, ROUGH } from "../../src/worker/answer.ts";
import { findChanges } from "../../src/worker/find-changes.ts";
import { sampledQuestions } from "../../src/worker/sampled-questions.ts";

const model: Model = loadModel(readFileSync(fittedPenguins(), "utf8"));
const ROWS: readonly Row[] = [
  { island: "biscoe", bill_depth: 14.7, flipper_length: 217 },
  { island: "dream", bill_length: 43, bill_depth: 16, flipper_length: 200, body_mass: 4700, sex: "female" },
  { bill_length: 49, sex: "male", island: "torgersen" },
  { body_mass: 5200 },
];

/** Sums of rounded numbers. */
const ROUNDING = 1e-9;

describe("the parts of an answer", () => {
  test.each(ROWS)(
    "reasons lead from the prior to the answer through probabilities of what is known so far",
    (row) => {
      const reasons = findReasons(model, row);
      const { explanation } = reasons;
      expect(reasons.standardError).toBe(0);
      const steps = reasonSteps(reasonWay(reasons), 0);
      const known: Row = {};
      let from = predict(model, {})[explanation.prediction];
      for (const step of steps) {
        expect(Math.abs(step.from - from)).toBeLessThan(ROUNDING);
        const [{ column }] = step.columns;
        Object.assign(known, { [column]: row[column] });
        from = predict(model, known)[explanation.prediction];
        expect(Math.abs(step.to - from)).toBeLessThan(ROUNDING);
        expect(Math.min(step.to, 1 - step.to)).toBeGreaterThanOrEqual(0);
      }
      expect(Math.abs(from - predict(model, row)[explanation.prediction])).toBeLessThan(ROUNDING);
    },
  );

  test.each(ROWS)("marked rows raise the probability, and give the one that is stated", (row) => {
    const reasons = findReasons(model, row);
    const { explanation, sufficient, sufficientProbability } = reasons;
    for (const step of reasonSteps(reasonWay(reasons), PROBABILITY.little))
      if (step.isSufficient) expect(step.to).toBeGreaterThan(step.from);
    const kept = [...sufficient, ...explanation.opposing];
    const alone = Object.fromEntries(kept.map((column) => [column, row[column]]));
    const answer = predict(model, alone);
    expect(Math.abs(answer[explanation.prediction] - sufficientProbability)).toBeLessThan(ROUNDING);
    expect(Math.max(...Object.values(answer))).toBe(answer[explanation.prediction]);
  });

  test("rows of little effect are merged, and never a marked one", () => {
    const reasons = findReasons(model, ROWS[1]);
    const merged = reasonSteps(reasonWay(reasons), PROBABILITY.little);
    expect(merged.flatMap(({ columns }) => columns)).toHaveLength(6);
    expect(
      merged.filter(({ isSufficient }) => isSufficient).flatMap(({ columns }) => columns.length),
    ).toEqual(reasons.sufficient.map(() => 1));
    expect(reasonSteps(reasonWay(reasons), 0)).toHaveLength(6);
  });

  test("a range is there only where something is missing, and its ends are known to two points", () => {
    const answers = ROWS.map((row) => {
      const best = Object.entries(predict(model, row)).sort(([, p], [, q]) => q - p)[0][0];
      return { row, range: findCertainty(model, row, best).range };
    });
    for (const { row, range } of answers) {
      if (Object.keys(row).length === 6) expect(range).toBeUndefined();
      for (const { lower, upper } of range ?? []) expect((upper - lower) / 2).toBeLessThanOrEqual(ROUGH);
    }
    expect(answers.some(({ range }) => range !== undefined)).toBe(true);
  });

  test.each(ROWS)("changes lead to the answer that they name", (row) => {
    const best = Object.entries(predict(model, row)).sort(([, p], [, q]) => q - p)[0][0];
    for (const { column, value, prediction, probability } of findChanges(model, row, best) ?? []) {
      const answer = predict(model, { ...row, [column]: value });
      expect(Math.abs(answer[prediction] - probability)).toBeLessThan(ROUNDING);
      expect(prediction).not.toBe(best);
    }
  });

  test("changes have the digits that tell them from the present value, and a side only where all values beyond lead elsewhere", () => {
    const g = random(9);
    const rows = Array.from({ length: 400 }, () => {
      const year = 1990 + Math.floor(24 * g.uniform());
      return { year, other: g.normal(), y: year === 2001 || year > 2010 ? "new" : "old" };
    });
    const inputs = rows.map(({ y: _, ...row }) => row);
    const trees = conformMixture(trainTrees(rows, { label: "y" }), inputs, { components: 1 });
    const [change] = (findChanges(trees, { year: 2005 }, "old") ?? []).filter(
      ({ column }) => column === "year",
    );
    expect(change).toMatchObject({ prediction: "new" });
    expect(Math.abs(Number(change.value) - 2005)).toBeGreaterThan(1);
    expect(predict(trees, { year: change.value }).new).toBeGreaterThan(0.5);
    // Below 2001 the answer turns back, above 2010 it does not.
    expect(change.side).toBe(Number(change.value) > 2005 ? "higher" : undefined);
  });

  test("questions from completed rows agree with the exact ones up to their noise", () => {
    const row = { island: "dream" };
    const exact = askNext(model, row);
    const sampled = sampledQuestions(model, row);
    expect(sampled[0].column).toBe(exact[0].column);
    for (const { column, informationGain } of sampled) {
      const other = exact.find((own) => own.column === column)?.informationGain ?? Number.NaN;
      expect(Math.abs(informationGain - other)).toBeLessThan(0.06); // nats; 2000 rows in eighths
    }
  });

  test("reasons for trees are the answers of tables, with a standard error that they keep", () => {
    const g = random(4);
    const rows = Array.from({ length: 300 }, () => {
      const [a, b] = [g.normal(), g.normal()];
      const [c, d] = [a + g.normal(), a - b + g.normal()];
      return { a, b, c, d, y: a * b + c > 0 ? "yes" : "no" };
    });
    const inputs = rows.map(({ y: _, ...row }) => row);
    const trees = conformMixture(trainTrees(rows, { label: "y", iterations: 30 }), inputs, { components: 1 });
    const row = { a: 0.4, b: 1.1, c: -0.3 };
    const reasons = findReasons(trees, row);
    const { explanation, standardError } = reasons;
    const k = trees.response.outputs.indexOf(explanation.prediction);
    expect(standardError).toBeGreaterThan(0);
    expect(standardError).toBeLessThanOrEqual(0.01);
    const known: Row = {};
    for (const { columns, to } of reasonSteps(reasonWay(reasons), 0)) {
      Object.assign(known, { [columns[0].column]: row[columns[0].column as keyof typeof row] });
      // Many completions, none of them of the reasons.
      const drawn = predictColumns(trees, sample(trees, known, { count: 40_000, seed: 9 }));
      let mean = 0;
      for (let r = 0; r < 40_000; r++) mean += drawn.probabilities[2 * r + k] / 40_000;
      expect(Math.abs(to - mean)).toBeLessThan(4 * standardError + 0.01);
    }
    const table = predictColumns(trees, [row]).probabilities[k];
    expect(Math.abs(explanation.probability - table)).toBeLessThan(ROUNDING);
  });
});
