import type { Table } from "conformant";
import { describe, expect, it } from "vitest";
import { sampleRows } from "../../src/source/sample-rows.ts";

const ROWS = 5000;

/** Row numbers, a number that three rows know, and a category that fifty know. */
function makeTable(): Table {
  const columns = [
    Float64Array.from({ length: ROWS }, (_, r) => r),
    Float64Array.from({ length: ROWS }, (_, r) => (r >= ROWS - 3 ? r : Number.NaN)),
    Int32Array.from({ length: ROWS }, (_, r) => (r % 100 === 7 ? 1 : -1)),
  ];
  const schema: Table["schema"] = {
    columns: [
      { name: "row", kind: "numeric" },
      { name: "scarce", kind: "numeric" },
      { name: "rare", kind: "categorical", values: ["a", "b"] },
    ],
  };
  return { schema, rows: ROWS, columns, unseen: [] };
}

describe("a sample of rows", () => {
  it.each([0, 1, 2, 3])("knows every column, in the order of the table, seed: %d", (seed) => {
    const { rows, columns } = sampleRows(makeTable(), 100, seed);
    const [row, scarce, rare] = columns;
    expect(Array.from(scarce).filter((x) => x >= 0)).toEqual([ROWS - 3, ROWS - 2, ROWS - 1]);
    expect(Array.from(rare).filter((code) => code === 1).length).toBeGreaterThanOrEqual(20);
    expect(rows).toBeGreaterThanOrEqual(100);
    expect(rows).toBeLessThanOrEqual(123);
    expect(Array.from(row)).toEqual(Array.from(row).sort((a, b) => a - b));
    expect(new Set(row).size).toBe(rows);
  });

  it("is the table where that has no more rows", () => {
    const table = makeTable();
    expect(sampleRows(table, ROWS, 0)).toBe(table);
  });
});
