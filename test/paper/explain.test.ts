import { type Column, explain, random, type Table } from "conformant";
import { expect, it } from "vitest";
import { type Dataset, LABEL } from "../../paper/datasets/dataset.ts";
import { explainDigits } from "../../paper/explain/explain-digits.ts";
import { keepsDecision } from "../../paper/explain/keeps-decision.ts";
import { supportByWeight } from "../../paper/explain/support-by-weight.ts";
import { pickTwoDigits } from "../../paper/explain/two-digits.ts";
import { parseOptions } from "../../paper/options.ts";
import { explanationSection } from "../../paper/report/sections/explanation-section.ts";

const PIXELS = 12;

/** Images of 12 pixels of the digits 3, 4 and 5, whose pixels tend to be on in different places. */
function images(rows: number, seed: number): { bits: Int8Array[]; labels: string[] } {
  const g = random(seed);
  const labels = Array.from({ length: rows }, () => String(3 + g.integer(3)));
  const bits = Array.from({ length: PIXELS }, (_, i) =>
    Int8Array.from(labels, (label) => (g.uniform() < (i % 3 === Number(label) - 3 ? 0.6 : 0.35) ? 1 : 0)),
  );
  return { bits, labels };
}

function dataset(): Dataset {
  const [training, test] = [images(600, 1), images(200, 2)];
  const columns: Column[] = Array.from({ length: PIXELS }, (_, i) => ({ name: `pixel${i}`, kind: "binary" }));
  const label: Column = { name: LABEL, kind: "categorical", values: ["3", "4", "5"] };
  const codes = Int8Array.from(training.labels, (name) => Number(name) - 3);
  const table = (schema: Column[], cells: Int8Array[]): Table => ({
    schema: { columns: schema },
    rows: cells[0].length,
    columns: cells,
    unseen: [],
  });
  return {
    name: "mnist",
    title: "MNIST",
    training: table([...columns, label], [...training.bits, codes]),
    test: table(columns, test.bits),
    testLabels: test.labels,
  };
}

it("keeps the images of the two digits with their labels and pixels", () => {
  const all = dataset();
  const { training, test } = pickTwoDigits(all, ["3", "5"]);
  const label = all.training.columns[PIXELS];
  const kept = Array.from(label.keys()).filter((r) => label[r] !== 1);
  expect(training.rows).toBe(kept.length);
  expect(Array.from(training.columns[PIXELS])).toEqual(kept.map((r) => (label[r] === 2 ? 1 : 0)));
  expect(Array.from(training.columns[4])).toEqual(kept.map((r) => all.training.columns[4][r]));
  expect(test.map(({ label: own }) => own)).toEqual(all.testLabels.filter((name) => name !== "4"));
  for (const { index, row } of test) expect(row.pixel7).toBe(all.test.columns[7][index]);
});

it("measures what the library says of each image, and how far the choice by weight must go", () => {
  const all = dataset();
  const { results, model } = explainDigits(all);
  const { test } = pickTwoDigits(all, ["3", "5"]);
  const truth = test.map(({ row, label }) => {
    const explanation = explain(model, row);
    const { prediction, sufficient } = explanation;
    const byWeight = supportByWeight(model, row, explanation);
    let needed = 0;
    while (!keepsDecision(model, row, explanation, byWeight.slice(0, needed))) needed++;
    return { right: prediction === label, size: sufficient.length, needed };
  });
  const sum = (numbers: number[]): number => numbers.reduce((total, x) => total + x, 0);
  expect(results.accuracy).toBe(truth.filter(({ right }) => right).length / test.length);
  expect(results.all.mean_sufficient).toBeCloseTo(sum(truth.map(({ size }) => size)) / test.length, 12);
  expect(results.all.mean_top_needed).toBeCloseTo(sum(truth.map(({ needed }) => needed)) / test.length, 12);
  const asked = truth.filter(({ size }) => size > 0);
  expect(results.all.top_k_keeps).toBe(asked.filter(({ size, needed }) => size === needed).length);
  expect(results.all.none_needed).toBe(test.length - asked.length);
  expect(results.correct.images + results.misclassified.images).toBe(test.length);
  expect(explanationSection({ authors: [], ours: results }).join("\n")).toContain(
    `| ${results.all.mean_top_needed.toFixed(1)} |`,
  );
});

it("is run by its name, or with everything", () => {
  expect(parseOptions(["explain"])).toMatchObject({ studies: ["explain"], datasets: [] });
  expect(parseOptions([]).studies).toEqual(["explain", "claims"]);
  expect(parseOptions(["adult"]).studies).toEqual([]);
});
