import { describe, expect, it, vi } from "vitest";
import { answerOfTrees, answerRows } from "../../src/entries/trees.ts";
import { encode, type Row, type TreeClassifier, trainTreeRegressor, trainTrees } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";

/** Rows whose class is an interaction that no sum over columns can tell: the sign of a · b, or the city for some. */
function interacting(count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const [a, b, noise] = [g.normal(), g.normal(), g.normal()];
    const city = ["Bonn", "Köln", "Ulm"][g.integer(3)];
    return { a, b, noise, city, y: city === "Ulm" || a * b > 0 ? "yes" : "no" };
  });
}

function accuracy(trees: TreeClassifier, rows: readonly Row[]): number {
  const table = encode(trees.schema, rows, { extra: "ignore" });
  const right = rows.filter((row, r) => {
    const p = answerOfTrees(
      trees,
      Float64Array.from(table.columns, (cells) =>
        cells[r] < 0 && cells instanceof Int8Array ? Number.NaN : cells[r],
      ),
    );
    return trees.classes[p.indexOf(Math.max(...p))] === row.y;
  });
  return right.length / rows.length;
}

describe("training trees", () => {
  it("learns what no sum over columns can tell", () => {
    const trees = trainTrees(interacting(2000, 1), { label: "y" });
    expect(accuracy(trees, interacting(1000, 2))).toBeGreaterThan(0.95);
  });

  it("learns more classes than two, from few rows as well", () => {
    const g = random(3);
    const rows = Array.from({ length: 400 }, () => {
      const x = 6 * g.uniform();
      return { x, z: g.normal(), y: `class ${Math.floor(x / 2)}` };
    });
    expect(accuracy(trainTrees(rows, { label: "y" }), rows)).toBeGreaterThan(0.97);
    const few = trainTrees(rows.slice(0, 12), { label: "y" });
    expect(few.classes).toHaveLength(3);
  });

  it("is not sure of what few rows do not tell", () => {
    const g = random(6);
    const rows = Array.from({ length: 60 }, () => ({
      x: g.normal(),
      z: g.normal(),
      y: `class ${g.integer(3)}`,
    }));
    const trees = trainTrees(rows, { label: "y" });
    const table = encode(trees.schema, rows, { extra: "ignore" });
    const answers = answerRows(trees, table);
    // A guess has log 3; trees that learned the noise by heart are far below on the rows they know.
    const loss =
      rows.reduce((sum, { y }, r) => sum - Math.log(answers[3 * r + trees.classes.indexOf(y)]), 0) / 60;
    expect(loss).toBeGreaterThan(0.8 * Math.log(3));
  });

  it("takes rows with gaps and sends gaps where it pays", () => {
    const g = random(4);
    const rows = Array.from({ length: 600 }, (): Row => {
      const gap = g.uniform() < 0.3;
      const x = g.normal();
      return { x: gap ? null : x, y: gap || x > 1 ? "yes" : "no" };
    });
    expect(accuracy(trainTrees(rows, { label: "y" }), rows)).toBeGreaterThan(0.98);
  });

  it("splits where the squared error falls most, as a search over all splits does", () => {
    const g = random(8);
    const cities = ["Bonn", "Jena", "Köln", "Ulm"];
    for (let table = 0; table < 20; table++) {
      const rows = Array.from({ length: 60 }, (_, r) => ({
        x: g.uniform() < 0.2 ? null : g.integer(40),
        // As many rows of each city: their mean gradients then are in the order of their means.
        city: cities[r % 4],
        y: g.normal() + (r % 4 === table % 4 ? 1 : 0),
      }));
      const sides: ((row: (typeof rows)[number]) => boolean)[] = [];
      for (let cut = 0; cut < 40; cut++)
        for (const gapsLeft of [false, true]) sides.push(({ x }) => (x === null ? gapsLeft : x <= cut));
      for (let set = 1; set < 15; set++) sides.push(({ city }) => ((set >> cities.indexOf(city)) & 1) === 1);
      const mean = (some: typeof rows): number => some.reduce((sum, { y }) => sum + y, 0) / some.length;
      const errorOf = (some: typeof rows): number =>
        some.reduce((sum, { y }) => sum + (y - mean(some)) ** 2, 0);
      const least = Math.min(
        ...sides.map((isLeft) => {
          const [left, right] = [rows.filter(isLeft), rows.filter((row) => !isLeft(row))];
          return Math.min(left.length, right.length) < 5 ? Infinity : errorOf(left) + errorOf(right);
        }),
      );
      const how = { label: "y", leaves: 2, leastRows: 5, l2: 0, rate: 1, maxIterations: 1 };
      const answers = answerRows(trainTreeRegressor(rows, how), rows);
      const error = rows.reduce((sum, { y }, r) => sum + (y - answers[r]) ** 2, 0);
      expect(error).toBeCloseTo(least, 9);
    }
  });

  it("trains the same trees without WebAssembly, to the last bit", async () => {
    const rows = interacting(400, 9).map((row, r) => (r % 7 === 0 ? { ...row, a: null, city: null } : row));
    const trained = JSON.stringify(trainTrees(rows, { label: "y" }));
    vi.stubGlobal("WebAssembly", undefined);
    vi.resetModules();
    const plain = await import("../../src/index.ts");
    vi.unstubAllGlobals();
    expect(JSON.stringify(plain.trainTrees(rows, { label: "y" }))).toBe(trained);
  });

  it("gives the same trees for the same seed, and others for another", () => {
    const rows = interacting(500, 5);
    const texts = [0, 0, 1].map((seed) => JSON.stringify(trainTrees(rows, { label: "y", seed })));
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(texts[2]);
  });

  it("refuses what it cannot learn from", () => {
    expectError(() => trainTrees([{ x: 1, y: "a" }], { label: "y" }), "single-class", /two or more classes/);
    expectError(
      () => trainTrees(interacting(50, 6), { label: "y", leaves: 1 }),
      "invalid-argument",
      /options\.leaves/,
    );
  });
});
it("trainTrees tells categories apart that lie 65,536 places from each other", () => {
  const [count, late] = [66_000, 65_536];
  const names = Array.from({ length: count }, (_, v) => `c${String(v).padStart(5, "0")}`);
  // The last categories are all "yes", all others "no".
  const data = { city: names, y: names.map((_, v) => (v >= late ? "yes" : "no")) };
  const options = {
    label: "y",
    types: { city: "categorical" },
    maxIterations: 3,
    rate: 1,
    leastRows: 1,
    leaves: 2,
  } as const;
  const answers = answerRows(trainTrees(data, options), data);
  const shareOfYes = (from: number, to: number): number => {
    let share = 0;
    for (let v = from; v < to; v++) if (answers[2 * v + 1] > 0.5) share += 1 / (to - from);
    return share;
  };
  // A tenth of the rows is held out, so a tenth of the categories is unknown to the trees.
  expect(shareOfYes(late, count)).toBeGreaterThan(0.8);
  expect(shareOfYes(0, count - late)).toBeLessThan(0.2);
});
