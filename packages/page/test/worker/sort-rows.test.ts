import { expect, test } from "vitest";
import type { PredictedTable } from "../../src/worker/predict-table.ts";
import { sortRows } from "../../src/worker/sort-rows.ts";

const table: PredictedTable = {
  header: ["age", "city"],
  cells: [
    ["9", "Bonn"],
    ["NA", "aachen"],
    ["10", ""],
    ["old", "Bonn"],
  ],
  rows: [{}, {}, {}, {}],
  classes: ["no", "yes"],
  probabilities: Float64Array.of(0.9, 0.1, 0.4, 0.6, 0.3, 0.7, 0.8, 0.2),
  predicted: [0, 1, 1, 0],
  notes: [],
};

test.each([
  ["as it came, backwards", { by: "row", falling: true }, [3, 2, 1, 0]],
  ["by a column, numbers as numbers, then texts, gaps last", { by: 0, falling: false }, [0, 2, 3, 1]],
  ["by a column, falling, gaps still last", { by: 0, falling: true }, [3, 2, 0, 1]],
  ["by texts, whatever their case, equal ones in their order", { by: 1, falling: false }, [1, 0, 3, 2]],
  ["by prediction", { by: "prediction", falling: true }, [1, 2, 0, 3]],
  ["by probability", { by: "probability", falling: false }, [1, 2, 3, 0]],
] as const)("a table is sorted %s", (_, sorting, order) => {
  expect([...sortRows(table, sorting)]).toEqual(order);
});
