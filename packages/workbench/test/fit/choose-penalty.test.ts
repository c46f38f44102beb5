import { encode, inferSchema, random, train } from "conformant";
import { classifyRows, pickRows } from "conformant/internal";
import { expect, test } from "vitest";
import { choosePenalty } from "../../src/fit/choose-penalty.ts";
import { stratifiedFolds } from "../../src/fit/out-of-fold.ts";

const silent = { progress: () => undefined };
const names = Array.from({ length: 12 }, (_, c) => `x${c}`);

/** Rows of twelve numbers; the class depends on the first, as much as asked. */
function drawRows(count: number, effect: number, seed: number): Record<string, number | string>[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const row = Object.fromEntries(names.map((name) => [name, g.normal()]));
    const p = 1 / (1 + Math.exp(-effect * row.x0));
    return { ...row, y: g.uniform() < p ? "yes" : "no" };
  });
}

/** Trainings that begin at the class shares end within the tolerance of those on the path. */
const TOLERANCE = 1e-4;

test("the loss of each penalty is that of separate trainings, and the largest one near the least is chosen", () => {
  const rows = drawRows(150, 1, 2);
  const table = encode(inferSchema(rows), rows);
  const { l2, compared } = choosePenalty(table, "y", 4, silent);
  expect(compared.length).toBeGreaterThan(2);
  const codes = table.columns[names.length];
  const { fold } = stratifiedFolds({ labels: codes }, 5, 4);
  for (const { l2: penalty, logLoss } of compared) {
    let loss = 0;
    for (let f = 0; f < 5; f++) {
      const classifier = train(table, {
        label: "y",
        l2: penalty,
        weights: Array.from(fold, (g) => Number(g !== f)),
      });
      const held = Int32Array.from(fold.keys()).filter((r) => fold[r] === f);
      const probabilities = classifyRows(classifier, pickRows(table, held));
      held.forEach((r, at) => {
        loss -= Math.log(probabilities[2 * at + codes[r]]);
      });
    }
    expect(Math.abs(loss / 150 - logLoss)).toBeLessThan(TOLERANCE);
  }
  const least = Math.min(...compared.map(({ logLoss }) => logLoss));
  const best = compared.find(({ logLoss }) => logLoss === least);
  expect(l2).toBeGreaterThanOrEqual(best?.l2 ?? Number.NaN);
  expect((compared.find((own) => own.l2 === l2)?.logLoss ?? Number.NaN) - least).toBeLessThan(0.05);
});

test("noise gets the largest penalty, and rows with missing values count", () => {
  const noise = drawRows(60, 0, 3).map((row, r) => ({ ...row, [names[r % 12]]: null }));
  const table = encode(inferSchema(noise), noise);
  const { l2, compared } = choosePenalty(table, "y", 0, silent);
  expect(l2).toBeGreaterThanOrEqual(1000);
  expect(compared[0].rows).toBe(60);
});

test("too few rows have the default penalty", () => {
  const rows = drawRows(8, 1, 5);
  expect(choosePenalty(encode(inferSchema(rows), rows), "y", 0, silent)).toEqual({ l2: 1, compared: [] });
});
