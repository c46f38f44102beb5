import type { Schema } from "conformant";
import { expect, it } from "vitest";
import { maskTable } from "../../compare/fit-texts.ts";
import { encodeTexts, encodingOf } from "../../compare/peers/missing-inputs.ts";
import { meanOverTables } from "../../compare/statistics.ts";

const schema: Schema = {
  columns: [
    { name: "age", kind: "numeric" },
    { name: "age is missing", kind: "binary", gapOf: "age" },
    { name: "town", kind: "categorical", values: ["Bonn", "Ulm"] },
  ],
};
const table = {
  schema,
  rows: 2,
  columns: [Float64Array.of(40, Number.NaN), Int8Array.of(0, 1), Int8Array.of(1, 0)],
  unseen: [],
};

it("sets the indicator of a masked cell only where it counts as missing for the table's own reasons", () => {
  const isMasked = (row: number, name: string) => row === 0 && name === "age";
  const [told, untold] = [true, false].map((known) => maskTable(table, isMasked, known).columns);
  expect(told.map((cells) => [...cells])).toEqual([
    [Number.NaN, Number.NaN],
    [0, 1],
    [1, 0],
  ]);
  expect([...untold[1]]).toEqual([1, 1]);
  expect(table.columns[0][0]).toBe(40);
});

it("writes numbers as they are and categories as codes, the most common first", () => {
  const rows = {
    names: ["age", "town", "label"],
    rows: [
      ["40", "Ulm", "yes"],
      [null, "Bonn", "no"],
      ["-1", "Bonn", "no"],
    ],
  };
  const encoding = encodingOf(rows, rows);
  expect(encodeTexts(encoding, rows)).toEqual([
    [40, 1],
    [null, 0],
    [-1, 0],
  ]);
});

it("gives the standard error that splits cause in a mean over tables", () => {
  const { mean, error } = meanOverTables([
    [1, 3],
    [5, 7],
  ]);
  expect(mean).toBe(4);
  expect(error).toBeCloseTo(Math.sqrt(2) / 2, 12); // each table: 1
});
