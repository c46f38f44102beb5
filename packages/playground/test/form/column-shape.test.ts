import { conform, type Row, train } from "conformant";
import { expect, test } from "vitest";
import { binHeights } from "../../src/form/bin-heights.ts";
import { type ColumnShape, columnShapes, type NumberShape } from "../../src/form/column-shape.ts";

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
  const heights = binHeights(shape, shape.shares);
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
