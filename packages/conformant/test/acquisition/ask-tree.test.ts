import { describe, expect, test } from "vitest";
import { branchInWords } from "../../src/entries/internal.ts";
import { askNext, askTree, predict, type Questionnaire, type Row } from "../../src/index.ts";
import { completed, topClass } from "../support/enumerate.ts";
import { expectError } from "../support/error.ts";
import { randomGaussianModel } from "../support/random-gaussian-model.ts";
import { randomMixture } from "../support/random-mixture.ts";

/** Rounding of sums over all completions. */
const ROUNDING = 1e-9;

describe("a questionnaire of categories and bits", () => {
  const model = randomMixture({
    seed: 4,
    columns: 5,
    classes: 3,
    components: 2,
    kinds: ["binary", "categorical"],
    scale: 1.5,
  });

  test("asks what askNext would ask, says what the model says, and is reached as often as it says", () => {
    let asked = 0;
    const visit = (node: Questionnaire, known: Row): void => {
      const answer = predict(model, known);
      expect(node.prediction).toBe(topClass(answer));
      expect(Math.abs(node.probability - answer[node.prediction])).toBeLessThan(ROUNDING);
      const share = completed(model, {})
        .filter(({ row }) => Object.keys(known).every((name) => String(row[name]) === String(known[name])))
        .reduce((sum, { probability }) => sum + probability, 0);
      expect(Math.abs(node.share - share)).toBeLessThan(ROUNDING);
      if (!node.question) return;
      asked++;
      expect(node.question.column).toBe(askNext(model, known, { lookAhead: true })[0].column);
      for (const { values, next } of node.question.branches) {
        expect(values).toHaveLength(1);
        visit(next, { ...known, [node.question.column]: values?.[0] });
      }
    };
    visit(askTree(model, {}, { depth: 3, threshold: 1 }), {});
    expect(asked).toBeGreaterThan(4);
  });

  test("ends where the prediction is safe enough, or after so many questions", () => {
    const depthOf = (node: Questionnaire): number =>
      1 + Math.max(-1, ...(node.question?.branches ?? []).map(({ next }) => depthOf(next)));
    expect(depthOf(askTree(model, {}, { depth: 2, threshold: 1 }))).toBe(2);
    expect(askTree(model, {}, { threshold: 0.01 }).question).toBeUndefined();
    const ends = (node: Questionnaire): Questionnaire[] =>
      node.question ? node.question.branches.flatMap(({ next }) => ends(next)) : [node];
    const early = ends(askTree(model, {}, { depth: 5, threshold: 0.8 }));
    expect(early.some(({ probability }) => probability >= 0.8)).toBe(true);
  });
});

test("numbers are asked for by ranges that meet, cut where the decision changes", () => {
  const model = randomGaussianModel({ seed: 11, numbers: 3, classes: 3, components: 2 });
  const tree = askTree(model, { colour: "red", bit: 1 }, { depth: 1, threshold: 1 });
  const branches = tree.question?.branches ?? [];
  expect(branches.length).toBeGreaterThan(1);
  expect(branches[0].from).toBeUndefined();
  expect(branches[branches.length - 1].to).toBeUndefined();
  branches.slice(1).forEach(({ from }, b) => void expect(from).toBe(branches[b].to));
  expect(branches.reduce((sum, { next }) => sum + next.share, 0)).toBeCloseTo(1, 9);
  branches
    .slice(1)
    .forEach(({ next }, b) => void expect(next.prediction).not.toBe(branches[b].next.prediction));
  expect(branches.map(branchInWords)[0]).toMatch(/^below -?\d/);
});

test("options that are none are refused", () => {
  const model = randomGaussianModel({ seed: 1, numbers: 2, classes: 2, components: 1 });
  for (const depth of [0, 1.5, 13])
    expectError(() => askTree(model, {}, { depth }), "invalid-argument", /^options\.depth must be/);
  for (const threshold of [0, 2, Number.NaN])
    expectError(() => askTree(model, {}, { threshold }), "invalid-argument", /^options\.threshold must be/);
});
