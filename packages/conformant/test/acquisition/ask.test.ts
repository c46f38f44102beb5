import { describe, expect, it } from "vitest";
import {
  askNext,
  askPlan,
  conform,
  createClassifier,
  type Model,
  predict,
  type Row,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completed, topClass } from "../support/enumerate.ts";
import { expectError } from "../support/error.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomModel, randomRow, valueOfAtom } from "../support/random-model.ts";

const EXACT = 1e-10;

function entropy(p: Record<string, number>): number {
  return Object.values(p).reduce((sum, x) => (x > 0 ? sum - x * Math.log(x) : sum), 0);
}

/** Probability of each value of a column given the row, by enumerating completions. */
function shares(model: Model, row: Row, name: string): Map<unknown, number> {
  const found = new Map<unknown, number>();
  for (const { row: full, probability } of completed(model, row))
    found.set(full[name], (found.get(full[name]) ?? 0) + probability);
  return found;
}

describe("ask next", () => {
  it("has the information gain and the chance of a change that enumeration has", () => {
    for (let seed = 0; seed < 60; seed++) {
      const model = randomMixture({ seed, columns: 6, classes: 2 + (seed % 4), components: 1 + (seed % 3) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.4);
      const now = predict(model, row);
      for (const { column, informationGain, changesDecision } of askNext(model, row)) {
        let [left, changed] = [0, 0];
        for (const [value, share] of shares(model, row, column)) {
          const then = predict(model, { ...row, [column]: value as string });
          left += share * entropy(then);
          if (topClass(then) !== topClass(now)) changed += share;
        }
        expect(Math.abs(informationGain - (entropy(now) - left))).toBeLessThan(EXACT);
        expect(Math.abs(changesDecision - changed)).toBeLessThan(EXACT);
      }
    }
  });

  it("lists every missing column, the most gain per cost first", () => {
    const model = randomModel({ seed: 5, columns: 9, classes: 3 });
    const known = { x3: valueOfAtom(model, 3, 0) };
    const plain = askNext(model, known);
    expect(plain.map(({ column }) => column).sort()).toEqual([
      "x0",
      "x1",
      "x2",
      "x4",
      "x5",
      "x6",
      "x7",
      "x8",
    ]);
    expect(
      plain.every(({ cost, gainPerCost, informationGain }) => cost === 1 && gainPerCost === informationGain),
    ).toBe(true);
    const [first] = plain;
    const costs = { [first.column]: 1000 };
    const costly = askNext(model, known, { costs });
    expect(costly.at(-1)?.column).toBe(first.column);
    for (const list of [plain, costly]) {
      const order = list.map(({ gainPerCost }) => gainPerCost);
      expect(order).toEqual([...order].sort((a, b) => b - a));
    }
  });

  it("has nothing to ask when all is known", () => {
    const model = randomModel({ seed: 5, columns: 3, classes: 2 });
    expect(askNext(model, randomRow(model, random(1)))).toEqual([]);
  });

  it("refuses costs that are not positive and columns it does not know", () => {
    const model = randomModel({ seed: 5, columns: 3, classes: 2 });
    expectError(
      () => askNext(model, {}, { costs: { x0: -2 } }),
      "invalid-argument",
      /cost of "x0" must be a positive number, got -2/,
    );
    expectError(() => askNext(model, {}, { costs: { x0: Number.NaN } }), "invalid-argument", /got NaN/);
    expectError(() => askNext(model, {}, { costs: { age: 2 } }), "unknown-column", /options\.costs: "age"/);
    expectError(() => askNext(model, { age: 2 }), "unknown-column", /"age" is not a column/);
  });
});

describe("a plan of questions", () => {
  it("has the same-decision probability that enumeration has after each question", () => {
    for (let seed = 0; seed < 25; seed++) {
      const model = randomMixture({ seed, columns: 6, classes: 2 + (seed % 3), components: 1 + (seed % 2) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.3);
      const { questions, sameDecision, reached } = askPlan(model, row, { threshold: 1, enumerate: 1e6 });
      const all = completed(model, row);
      const agreement = (asked: readonly string[]): number =>
        all.reduce((sum, { row: full, probability, answer }) => {
          const answers = Object.fromEntries(asked.map((column) => [column, full[column]]));
          return topClass(predict(model, { ...row, ...answers })) === topClass(answer)
            ? sum + probability
            : sum;
        }, 0);
      expect(sameDecision.value).toBeCloseTo(agreement([]), 9);
      questions.forEach((question, t) => {
        const asked = questions.slice(0, t + 1).map(({ column }) => column);
        expect(question.sameDecision.value).toBeCloseTo(agreement(asked), 9);
      });
      expect(reached).toBe(true);
    }
  });

  it("begins with the best question, adds up costs and stops at the threshold", () => {
    const model = randomModel({ seed: 11, columns: 10, classes: 2 });
    const costs = { x0: 3, x4: 0.5 };
    const { questions, reached } = askPlan(model, {}, { threshold: 0.9, costs });
    expect(questions[0].column).toBe(askNext(model, {}, { costs })[0].column);
    expect(questions.at(-1)?.totalCost).toBeCloseTo(
      questions.reduce((sum, { cost }) => sum + cost, 0),
      12,
    );
    expect(reached).toBe(true);
    for (const { sameDecision } of questions.slice(0, -1)) expect(sameDecision.value).toBeLessThan(0.9);
  });

  it("asks nothing when the decision is safe, and no more than it may", () => {
    const model = randomModel({ seed: 11, columns: 10, classes: 2 });
    expect(askPlan(model, randomRow(model, random(1))).questions).toEqual([]);
    const short = askPlan(model, {}, { threshold: 1, most: 2 });
    expect(short.questions.length).toBe(2);
    expect(short.reached).toBe(false);
    expectError(() => askPlan(model, {}, { threshold: 2 }), "invalid-argument", /options\.threshold/);
  });
});

describe("weights so large that probabilities underflow", () => {
  const classifier = createClassifier({
    schema: {
      columns: [
        { name: "x", kind: "binary" },
        { name: "z", kind: "binary" },
        { name: "u", kind: "binary" },
      ],
    },
    classes: ["n", "y"],
    intercept: Float64Array.of(0, 0),
    weights: Float64Array.of(0, 800, 0, -800, 0, 0.1),
  });
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((r) => ({ x: r & 1, z: (r >> 1) & 1, u: (r >> 2) & 1 }));

  it("keep every gain a number, and the plan begins with the largest", () => {
    for (const pseudocount of [1, 1e-300, 0]) {
      const model = conform(classifier, rows, { pseudocount });
      for (const row of [{}, { z: 1 }, { z: 0 }, { x: 0 }, { x: 1 }]) {
        for (const { informationGain, changesDecision } of askNext(model, row)) {
          expect(informationGain).toBeGreaterThanOrEqual(0);
          expect(informationGain).toBeLessThanOrEqual(Math.LN2 + 1e-12);
          expect(Number.isFinite(changesDecision)).toBe(true);
        }
        const { questions } = askPlan(model, row, { threshold: 1 });
        for (const { informationGain } of questions) expect(Number.isFinite(informationGain)).toBe(true);
        if (questions.length > 0)
          expect(questions[0].informationGain).toBeCloseTo(askNext(model, row)[0].informationGain, 12);
      }
    }
  });
});
