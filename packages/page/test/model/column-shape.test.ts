import { conform, conformMixture, impute, loadModel, type Row, random, train } from "conformant";
import { describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { createNames } from "../../src/frame/names.ts";
import { binHeights } from "../../src/model/bin-heights.ts";
import { type ColumnShape, columnShapes, type NumberShape } from "../../src/model/column-shape.ts";
import { likelyShares } from "../../src/model/likely-shares.ts";

const rows: Row[] = Array.from({ length: 400 }, (_, i) => ({
  size: 10 + (i % 100) / 10, // 10 to 19.9, evenly
  lit: i % 4 === 0 ? 1 : 0,
  colour: ["red", "green", "blue", "blue"][(i >> 2) % 4],
  y: i % 3 === 0 ? "yes" : "no",
}));
const model = conform(train(rows, { label: "y" }), rows, { pseudocount: 0 });
const shapes = new Map(columnShapes(model).map((shape): [string, ColumnShape] => [shape.name, shape]));

test("a number gets the range of its training data and a step that suits it", () => {
  const shape = shapes.get("size") as NumberShape;
  expect(shape.low).toBeGreaterThanOrEqual(9.8);
  expect(shape.low).toBeLessThanOrEqual(10.2);
  expect(shape.high).toBeGreaterThanOrEqual(19.7);
  expect(shape.high).toBeLessThanOrEqual(20.1);
  expect(shape.step).toBeCloseTo(0.1, 12);
});

test("its histogram has all of the mass, and evenly spread values look even", () => {
  const shape = shapes.get("size") as NumberShape;
  const heights = binHeights(shape, shape.ends, shape.shares);
  expect(heights.reduce((sum, height) => sum + height, 0)).toBeCloseTo(1, 12);
  const inner = heights.slice(2, -2);
  expect(Math.max(...inner) / Math.min(...inner)).toBeLessThan(1.3);
});

test("choices carry their share of the training data, and a bit is yes or no", () => {
  const colour = shapes.get("colour");
  if (colour?.kind !== "choice") throw new Error("colour must be a choice");
  expect(colour.choices.map(({ value, share }) => [value, Number(share.toFixed(6))])).toEqual([
    ["blue", 0.5],
    ["green", 0.25],
    ["red", 0.25],
  ]);
  const lit = shapes.get("lit");
  if (lit?.kind !== "choice") throw new Error("lit must be a choice");
  expect(lit.choices.map(({ value, label }) => [value, label])).toEqual([
    ["1", "yes"],
    ["0", "no"],
  ]);
  expect(lit.choices[0].share).toBeCloseTo(0.25, 9);
});

describe("a number that a Gaussian describes", () => {
  const g = random(7);
  const pairs: Row[] = Array.from({ length: 2000 }, (_, i) => {
    const height = (i % 2 === 0 ? 160 : 180) + 5 * g.normal();
    return { height, mass: height / 2 - 15 + 3 * g.normal(), y: g.uniform() < 0.5 ? "yes" : "no" };
  });
  const gaussian = conformMixture(train(pairs, { label: "y" }), pairs, {
    components: 2,
    numeric: "gaussian",
    seed: 1,
  });
  const shape = columnShapes(gaussian)[0] as NumberShape;
  const heights = pairs.map(({ height }) => Number(height));

  test("gets a range that holds nearly all of the training data, and a fine step", () => {
    expect(gaussian.gaussianColumns?.columns).toHaveLength(2);
    const inside = heights.filter((x) => x >= shape.low && x <= shape.high).length / heights.length;
    expect(inside).toBeGreaterThan(0.99);
    expect(shape.high - shape.low).toBeLessThan(1.25 * (Math.max(...heights) - Math.min(...heights)));
    expect((shape.high - shape.low) / shape.step).toBeGreaterThan(50);
  });

  test("has the training data's histogram, both of its hills", () => {
    const bins = binHeights(shape, shape.ends, shape.shares);
    expect(bins.reduce((sum, share) => sum + share, 0)).toBeCloseTo(0.998, 9);
    const width = (shape.high - shape.low) / bins.length;
    bins.forEach((share, bin) => {
      const from = shape.low + bin * width;
      const counted = heights.filter((x) => x >= from && x < from + width).length / heights.length;
      expect(Math.abs(share - counted)).toBeLessThan(0.02);
    });
  });

  test("once another is known has the density that is then likely, at the same places", () => {
    const likely = impute(gaussian, { mass: 75 }).height;
    const shares = Float64Array.from(likelyShares(shape.ends, likely));
    const middle = shares.reduce(
      (sum, share, piece) => sum + (share * (shape.ends[piece] + shape.ends[piece + 1])) / 2,
      0,
    );
    expect(likely.kind === "numeric" && Math.abs(middle - likely.mean)).toBeLessThan(0.5);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 2);
  });
});

test("a skewed number of a fitted table has the least and the largest value and the histogram of its rows", () => {
  const drawn = random(6);
  const enzyme = Array.from({ length: 300 }, () => Math.round(289 + Math.exp(6 + 1.3 * drawn.normal())));
  const place = new Workplace();
  const lines = enzyme.map((x) => `${x},${drawn.uniform() < Math.min(0.9, x / 3000) ? "yes" : "no"}`);
  place.write("liver.csv", ["enzyme,ill", ...lines, ""].join("\n"));
  const words = ["--label", "ill", "--model", "logistic", "--numeric", "gaussian", "--components", "1"];
  succeed(["fit", "liver.csv", ...words, "--quiet", "-o", "m.json"], { cwd: place.folder });
  const [shape] = columnShapes(loadModel(place.read("m.json"))) as NumberShape[];
  const [least, most] = [Math.min(...enzyme), Math.max(...enzyme)];
  expect([shape.low, shape.high, shape.isOfData]).toEqual([least, most, true]);
  // The fitted normal curve reaches below the data, even below zero.
  expect(shape.ends[0]).toBeLessThan(0);
  const { ends = [], shares = [] } = shape.data ?? {};
  expect([ends[0], ends[shares.length]]).toEqual([least, most]);
  shares.forEach((share, bin) => {
    const isLast = bin === shares.length - 1;
    const inBin = enzyme.filter((x) => x >= ends[bin] && (x < ends[bin + 1] || isLast));
    // Rows of a counted bin are spread evenly between its edges, which may lie in two bars.
    expect(Math.abs(share - inBin.length / enzyme.length)).toBeLessThan(0.02);
  });
});

test("a labels file names a field, orders its choices, and says how far a number goes", () => {
  const names = createNames({
    columns: {
      size: { label: "Size of it", unit: "cm", range: [5, 25] },
      colour: { values: [{ value: "red", label: "Red!" }, { value: "blue" }] },
    },
  });
  const [size, , colour] = columnShapes(model, names);
  expect(size).toMatchObject({ name: "size", title: "Size of it", unit: "cm", low: 5, high: 25 });
  expect(colour.kind === "choice" && colour.choices.map(({ label }) => label)).toEqual([
    "Red!",
    "blue",
    "green",
  ]);
});

test("a class that is a number has a word before it, so that it is not read with the percentage", () => {
  const names = createNames({ classes: { "2": "severe" } }, "0", "stage_of_illness");
  expect(["0", "2", "late"].map(names.class)).toEqual(["stage of illness 0", "severe", "late"]);
  expect(createNames({}, "0", "label").class("1")).toBe("class 1");
});
