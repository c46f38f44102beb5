import {
  conform,
  conformMixture,
  encode,
  type Model,
  predict,
  type Row,
  random,
  type Table,
  train,
} from "conformant";
import { expect, test } from "vitest";
import { evaluateAsking } from "../../compare/asking/evaluate-asking.ts";
import { parityTrees } from "../../packages/conformant/test/support/parity-trees.ts";

/** Rounding of means over a few rows. */
const ROUNDING = 1e-9;

function request(model: Model, tested: Table, training: Table, labels: ArrayLike<number>) {
  return { model, tested, training, trainingLabels: labels, costs: {}, seed: 1, progress: () => undefined };
}

test("ours asks for the two bits of a parity first, and is right after both of them", () => {
  const names = ["first", "second", "hint", "noise", "more", "most"];
  const trees = parityTrees(names, false);
  const g = random(3);
  const rows = Array.from({ length: 120 }, () =>
    Object.fromEntries(names.map((name) => [name, g.integer(2)])),
  );
  const table = encode(trees.schema, rows);
  const labels = rows.map(({ first, second }) => first ^ second);
  const model = conformMixture(trees, rows, { components: 1 });
  const { curves } = evaluateAsking(request(model, table, table, labels), labels);
  const by = Object.fromEntries(curves.map((curve) => [curve.order, curve]));
  expect(Object.keys(by)).toEqual(["ours", "best fixed", "random"]); // trees have no weights
  // One bit says nothing, both say all: 95 % is met on the line between the two.
  const [, blind] = by.ours.accuracy;
  expect(Math.abs(by.ours.enough.questions - (1 + (0.95 - blind) / (1 - blind)))).toBeLessThan(ROUNDING);
  expect(by.ours.accuracy[2]).toBe(1);
  expect(by.random.enough.questions).toBeGreaterThan(3);
});

test("after each question stands what the model says of the answers so far; what is missing is not asked for", () => {
  const g = random(5);
  const rows: Row[] = Array.from({ length: 60 }, (_, r) => {
    const [a, b] = [g.normal(), g.normal()];
    return {
      a,
      b: r % 4 === 0 ? null : b,
      c: "xyz"[g.integer(3)],
      y: a + 2 * b + 0.3 * g.normal() > 0 ? "yes" : "no",
    };
  });
  const classifier = train(rows, { label: "y" });
  const model = conform(classifier, rows);
  const table = encode(classifier.schema, rows);
  const labels = rows.map(({ y }) => classifier.classes.indexOf(String(y)));
  const costs = { a: 2, b: 3, c: 5 };
  const { curves } = evaluateAsking({ ...request(model, table, table, labels), costs }, labels);
  expect(curves.map(({ order }) => order)).toEqual(["ours", "weights", "best fixed", "random"]);
  const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
  const lossOf = (known: (row: Row) => Row): number =>
    mean(rows.map((row, r) => -Math.log(predict(model, known(row))[classifier.classes[labels[r]]])));
  for (const { accuracy, logLoss, cost } of curves) {
    expect([accuracy.length, logLoss.length, cost.length]).toEqual([4, 4, 4]);
    expect(Math.abs(logLoss[0] - lossOf(() => ({})))).toBeLessThan(ROUNDING);
    expect(Math.abs(logLoss[3] - lossOf(({ a, b, c }) => ({ a, b, c })))).toBeLessThan(ROUNDING);
    expect(cost[0]).toBe(0);
    expect(Math.abs(cost[3] - mean(rows.map(({ b }) => (b === null ? 7 : 10))))).toBeLessThan(ROUNDING);
  }
  // The weight of b is twice that of a, and c says nothing: rows that lack b are asked for a first.
  const weights = curves.find(({ order }) => order === "weights");
  expect(
    Math.abs((weights?.logLoss[1] ?? 0) - lossOf(({ a, b }) => (b === null ? { a } : { b }))),
  ).toBeLessThan(ROUNDING);
});

test("a group is one question; a row has its last prediction after the last answer that changes it", () => {
  const g = random(7);
  const rows: Row[] = Array.from({ length: 80 }, () => {
    const [a, b, c] = [g.integer(2), g.integer(2), g.integer(2)];
    return { a, b, c, y: a + b + c > 1 ? "yes" : "no" };
  });
  const classifier = train(rows, { label: "y" });
  const model = conform(classifier, rows);
  const table = encode(classifier.schema, rows);
  const labels = rows.map(({ y }) => classifier.classes.indexOf(String(y)));
  const groups = { both: ["a", "b"] };
  const { curves, questions } = evaluateAsking({ ...request(model, table, table, labels), groups }, labels);
  expect(questions).toBe(2);
  // With everything known the classifier is right; what a and b say is enough where they agree.
  const decided = (row: Row): string => (predict(model, row).yes > 0.5 ? "yes" : "no");
  const expected = (steps: readonly ((row: Row) => Row)[]): number =>
    rows.reduce((sum, row) => {
      const all = steps.map((known) => decided(known(row)));
      let last = all.length - 1;
      while (last > 0 && all[last - 1] === all[last]) last--;
      return sum + last / rows.length;
    }, 0);
  const ours = curves.find(({ order }) => order === "ours");
  const want = expected([() => ({}), ({ a, b }) => ({ a, b }), ({ a, b, c }) => ({ a, b, c })]);
  expect(Math.abs((ours?.settled ?? 0) - want)).toBeLessThan(ROUNDING);
  expect(ours?.accuracy).toHaveLength(3);
});
