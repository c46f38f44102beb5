import { describe, expect, test } from "vitest";
import { countMarginals } from "../../src/entries/remote.ts";
import {
  conform,
  conformMixture,
  createClassifier,
  explain,
  type Model,
  predict,
  type Row,
  type Shapley,
  sample,
  shapley,
  type Value,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";
import { randomTreeModel, randomTreeRows } from "../support/random-trees.ts";

/** Rounding of sums over all orders. */
const ROUNDING = 1e-10;
/** Standard errors within which a drawn value must lie: for a hundred values four are exceeded once in a hundred runs. */
const ERRORS = 5;

/** Shapley values by their first definition: the mean over all orders of what each column adds when it becomes known. */
function overAllOrders(
  names: readonly string[],
  v: (known: readonly string[]) => number,
): Map<string, number> {
  const orders: string[][] = [];
  const extend = (order: string[]): void => {
    if (order.length === names.length) orders.push(order);
    for (const name of names) if (!order.includes(name)) extend([...order, name]);
  };
  extend([]);
  const shares = new Map(names.map((name) => [name, 0]));
  const known = new Map<string, number>();
  const worth = (set: readonly string[]): number => {
    const key = [...set].sort().join();
    const found = known.get(key) ?? v(set);
    known.set(key, found);
    return found;
  };
  for (const order of orders) {
    order.forEach((name, j) => {
      const gain = worth(order.slice(0, j + 1)) - worth(order.slice(0, j));
      shares.set(name, (shares.get(name) ?? 0) + gain / orders.length);
    });
  }
  return shares;
}

function only(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function knownIn(row: Row): string[] {
  return Object.keys(row).filter((name) => row[name] !== null && row[name] !== undefined);
}

function expectShares(found: Shapley, truth: Map<string, number>, tolerance = ROUNDING): void {
  expect(found.contributions.map(({ column }) => column).sort()).toEqual([...truth.keys()].sort());
  for (const { column, contribution } of found.contributions)
    expect(Math.abs(contribution - (truth.get(column) ?? Number.NaN))).toBeLessThan(tolerance);
}

describe("the conditional game", () => {
  const models: [string, Model][] = [
    ["one component", randomModel({ seed: 3, columns: 6, classes: 3 })],
    ["a mixture", randomMixture({ seed: 4, columns: 6, classes: 3, components: 3 })],
    ["a block", randomGaussianModel({ seed: 5, numbers: 3, classes: 3, components: 2 })],
  ];
  test.each(models)("is shared as over all orders: %s", (name, model) => {
    for (let seed = 0; seed < 6; seed++) {
      const g = random(seed);
      const whole = name === "a block" ? randomGaussianRow(3, g) : randomRow(model, g);
      const row = someOf(whole, g, 0.7);
      const wanted = model.response.outputs[seed % 3];
      const found = shapley(model, row, { class: wanted });
      const v = (known: readonly string[]): number => predict(model, only(row, known))[wanted];
      expect(found.method).toBe("exact");
      expectShares(found, overAllOrders(knownIn(row), v));
      expect(found.baseline).toBeCloseTo(v([]), 12);
      expect(found.total).toBeCloseTo(v(knownIn(row)), 12);
    }
  });

  test("is shared as over all orders: trees whose answers are exact", () => {
    const { model, g } = randomTreeModel(1, { link: "probability" }, { components: 2, numeric: "atoms" });
    for (const row of randomTreeRows(g, 4)) {
      const found = shapley(model, row);
      const v = (known: readonly string[]): number => predict(model, only(row, known))[found.class];
      expectShares(found, overAllOrders(knownIn(row), v));
    }
  });

  test("in log-odds of two classes and one component is the sum of explain's terms", () => {
    const model = randomModel({ seed: 7, columns: 9, classes: 2 });
    const row = randomRow(model, random(7));
    const { contributions } = explain(model, row);
    const found = shapley(model, row, { scale: "logOdds" });
    expectShares(found, new Map(contributions.map(({ column, logOdds }) => [column, logOdds])));
  });

  test("of features that go together is that of one player", () => {
    const model = randomMixture({ seed: 8, columns: 5, classes: 2, components: 2 });
    const row = randomRow(model, random(8));
    const [a, b, ...rest] = knownIn(row);
    const found = shapley(model, row, { groups: { both: [a, b] } });
    const v = (known: readonly string[]): number =>
      predict(
        model,
        only(
          row,
          known.flatMap((name) => (name === "both" ? [a, b] : [name])),
        ),
      )[found.class];
    expectShares(found, overAllOrders(["both", ...rest], v));
    expect(found.contributions.find(({ column }) => column === "both")?.value).toEqual({
      [a]: row[a],
      [b]: row[b],
    });
  });

  test("of many columns is drawn, with a standard error that is true and a sum that is exact", () => {
    const model = randomMixture({
      seed: 9,
      columns: 30,
      classes: 2,
      components: 4,
      scale: 0.4,
      kinds: ["binary"],
    });
    const row = randomRow(model, random(9));
    const rough = shapley(model, row, { tolerance: 0.004 });
    const fine = shapley(model, row, { tolerance: 0.0004, seed: 1 });
    expect([rough.method, fine.method]).toEqual(["sampling", "sampling"]);
    for (const { column, contribution, standardError = 0 } of rough.contributions) {
      const other = fine.contributions.find((one) => one.column === column);
      const error = Math.hypot(standardError, other?.standardError ?? 0);
      expect(Math.abs(contribution - (other?.contribution ?? 0))).toBeLessThan(ERRORS * error);
    }
    const sum = rough.contributions.reduce((all, { contribution }) => all + contribution, rough.baseline);
    expect(sum).toBeCloseTo(predict(model, row)[rough.class], 10);
    expect(shapley(model, row, { tolerance: 0.004 })).toEqual(shapley(model, row, { tolerance: 0.004 }));
  });
});

describe("the interventional game", () => {
  test("is shared as over all orders, with all else drawn from the model", () => {
    const model = randomMixture({ seed: 10, columns: 4, classes: 2, components: 2 });
    const row = randomRow(model, random(10));
    const found = shapley(model, row, { game: "interventional", tolerance: 0.002 });
    const background = sample(model, {}, { count: 4000, seed: 5 });
    const v = (known: readonly string[]): number =>
      background.reduce((sum, other) => {
        const answer = predict(model, { ...other, ...only(row, known) } as Record<string, Value>);
        return sum + answer[found.class] / background.length;
      }, 0);
    // The truth is itself a mean of 4,000 draws.
    expectShares(found, overAllOrders(knownIn(row), v), 0.03);
    expect(found.method).toBe("sampling");
  });

  test("of a row with missing values shares out predict, with the known columns drawn and the missing ones missing", () => {
    const model = randomMixture({ seed: 21, columns: 5, classes: 3, components: 3 });
    const row = someOf(randomRow(model, random(21)), random(3), 0.6);
    const names = knownIn(row);
    expect(names.length).toBeLessThan(5);
    const found = shapley(model, row, { game: "interventional", tolerance: 0.002 });
    const background = sample(model, {}, { count: 4000, seed: 5 });
    const v = (known: readonly string[]): number =>
      background.reduce((sum, other) => {
        const answer = predict(model, { ...only(other, names), ...only(row, known) });
        return sum + answer[found.class] / background.length;
      }, 0);
    // The truth is itself a mean of 4,000 draws.
    expectShares(found, overAllOrders(names, v), 0.03);
    expect(found.total).toBeCloseTo(predict(model, row)[found.class], 14);
    expect(Math.abs(found.baseline - predict(model, {})[found.class])).toBeLessThan(5 * 0.002);
    const sum = found.contributions.reduce((all, { contribution }) => all + contribution, found.baseline);
    expect(sum).toBeCloseTo(found.total, 12);
    expect(found.converged).toBe(true);
  });

  test("says whether the standard errors are within the tolerance, and stops at the iterations asked for", () => {
    const model = randomMixture({ seed: 22, columns: 5, classes: 2, components: 2 });
    const row = randomRow(model, random(22));
    const game = "interventional";
    const few = shapley(model, row, { game, maxIterations: 20 });
    expect(few.converged).toBe(false);
    expect(few.contributions.some(({ standardError = 0 }) => standardError > 0.002)).toBe(true);
    expect(shapley(model, row, { game, maxIterations: 20, tolerance: 1 }).converged).toBe(true);
  });

  test("gives a copy of a column that has no weight nothing, the conditional one half of what is known", () => {
    // Two equal columns, of which the classifier uses the first.
    const rows = Array.from({ length: 400 }, (_, r) => ({ used: r % 2, copy: r % 2 }));
    const schema = {
      columns: [
        { name: "used", kind: "binary" as const },
        { name: "copy", kind: "binary" as const },
      ],
    };
    const classifier = createClassifier({
      schema,
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, -2),
      weights: Float64Array.of(0, 4, 0, 0),
    });
    const model = conformMixture(classifier, rows, { components: 2 });
    const share = (game: "conditional" | "interventional"): number[] => {
      const { contributions } = shapley(model, { used: 1, copy: 1 }, { game });
      return ["used", "copy"].map(
        (name) => contributions.find(({ column }) => column === name)?.contribution ?? 0,
      );
    };
    const [used, copy] = share("interventional");
    expect(Math.abs(copy)).toBeLessThan(1e-12);
    expect(used).toBeGreaterThan(0.3);
    const [first, second] = share("conditional");
    expect(Math.abs(first - second)).toBeLessThan(0.05);
    expect(second).toBeGreaterThan(0.15);
  });
});

test("what is asked wrongly is an error that names it", () => {
  const model = randomModel({ seed: 1, columns: 2, classes: 2 });
  expectError(
    () => shapley(model, {}, { class: "other" }),
    "invalid-argument",
    /options\.class must be one of/,
  );
  expectError(
    () => shapley(model, {}, { game: "both" as "conditional" }),
    "invalid-argument",
    /options\.game must be "conditional" or "interventional", got "both"/,
  );
  expectError(
    () => shapley(model, {}, { tolerence: 0.1 } as object),
    "invalid-argument",
    /options\.tolerence is unknown.*tolerance/,
  );
  expectError(() => shapley(model, {}, { tolerance: -1 }), "invalid-argument", /options\.tolerance/);
});

test("of a row of which nothing is known there is nothing to share", () => {
  const classifier = createClassifier({
    schema: { columns: [{ name: "x", kind: "binary" }] },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 1),
    weights: Float64Array.of(0, 2),
  });
  const model = conform(classifier, countMarginals(classifier.schema, [{ x: 1 }, { x: 0 }]));
  const found = shapley(model, { x: null });
  expect(found.contributions).toEqual([]);
  expect(found.total).toBe(found.baseline);
});
