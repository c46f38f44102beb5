import { describe, expect, it } from "vitest";
import {
  type Classifier,
  conformMixture,
  type Model,
  predictColumns,
  type Row,
  train,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { columnsToTry } from "../../src/mixture/candidates.ts";
import type { Description } from "../../src/mixture/mixture-problem.ts";
import { readWeightedRows } from "../../src/schema/rows.ts";

/** Sensors that all measure the same few things, each with noise of its own; of the first of these the class depends. */
function sensors(seed: number, count: number, columns: number): Row[] {
  const g = random(seed);
  const loadings = Array.from({ length: columns }, () => [g.normal(), g.normal()]);
  return Array.from({ length: count }, () => {
    const [a, b] = [g.normal(), g.normal()];
    const cells = loadings.map(([p, q], i) => [`s${i}`, p * a + q * b + 0.5 * g.normal()] as const);
    return { ...Object.fromEntries(cells), class: a + 0.3 * g.normal() > 0 ? "high" : "low" };
  });
}

function candidatesOf(classifier: Classifier, rows: readonly Row[]): Description[] {
  const data = readWeightedRows(classifier.schema, rows, { strict: false });
  return columnsToTry("auto", classifier, data, { bins: 32, sized: false });
}

describe("blocks of many numbers", () => {
  const rows = sensors(1, 120, 140);
  const classifier = train(rows, { label: "class" });

  it("have room for the numbers of 140 sensors, and answer rows with gaps better than each number by itself", () => {
    const asked = sensors(1, 220, 140).slice(120);
    const hidden = asked.map(({ class: _, ...row }, r) =>
      Object.fromEntries(Object.entries(row).map(([name, x], i) => [name, (r + i) % 5 ? null : x])),
    );
    const lossOf = (model: Model): number => {
      const { probabilities, classes } = predictColumns(model, hidden);
      return asked.reduce(
        (sum, row, r) => sum - Math.log(probabilities[2 * r + classes.indexOf(String(row.class))]),
        0,
      );
    };
    const auto = conformMixture(classifier, rows, { most: 1 });
    expect(auto.gaussianColumns?.columns).toHaveLength(140);
    expect(lossOf(auto)).toBeLessThan(
      0.8 * lossOf(conformMixture(classifier, rows, { numeric: "atoms", components: 1 })),
    );
  });

  it("have any covariance up to 256 columns, and one of low rank plus diagonal beyond", () => {
    const formsOf = (columns: number): (number | undefined)[] => {
      const wide = sensors(3, 40, columns);
      return candidatesOf(train(wide, { label: "class" }), wide).map(({ rank }) => rank);
    };
    expect(formsOf(256)).toEqual([undefined, undefined]);
    expect(formsOf(257)).toEqual([undefined, 51]);
  });

  it("take of more columns those that move the scores most", () => {
    const wide = sensors(2, 40, 1100);
    const all = train(wide, { label: "class" });
    const blocks = candidatesOf(all, wide).map(({ gaussianColumns }) => gaussianColumns);
    expect(blocks.map(({ length }) => length)).toEqual([0, 1024]);
    const influence = (i: number): number => {
      const cells = wide.map((row) => Number(row[`s${i}`]));
      const mean = cells.reduce((sum, x) => sum + x, 0) / cells.length;
      return Math.abs(all.weights[2 * i + 1]) * Math.sqrt(cells.reduce((sum, x) => sum + (x - mean) ** 2, 0));
    };
    const left = Array.from({ length: 1100 }, (_, i) => i).filter((i) => !blocks[1].includes(i));
    expect(Math.max(...left.map(influence))).toBeLessThan(Math.min(...blocks[1].map(influence)));
  });
});
