import { random, type Table } from "conformant";
import { isMissing } from "conformant/internal";
import { expect, test } from "vitest";
import { maskCells, maskNames } from "../../src/evaluate/mask-cells.ts";

/** Rows with one of three patterns: complete, without a and b, without c; and the indicator of a. */
function patterned(rows: number): Table {
  const g = random(5);
  const kinds = Array.from({ length: rows }, () => g.integer(3));
  const numbers = (lacking: number): Float64Array =>
    Float64Array.from(kinds, (kind, r) => (kind === lacking ? Number.NaN : r));
  return {
    schema: {
      columns: [
        { name: "a", kind: "numeric" },
        { name: "b", kind: "numeric" },
        { name: "c", kind: "binary" },
        { name: "a is missing", kind: "binary", gapOf: "a" },
      ],
    },
    rows,
    columns: [
      numbers(1),
      numbers(1),
      Int8Array.from(kinds, (kind) => (kind === 2 ? -1 : 1)),
      Int8Array.from(kinds, (kind) => Number(kind === 1)),
    ],
    unseen: [],
  };
}

/** The columns that a row lacks. */
function patternOf({ columns }: Table, r: number): string {
  return columns
    .slice(0, 3)
    .map((cells) => Number(isMissing(cells, r)))
    .join("");
}

test("patterns of other rows are overlaid: each row lacks what it lacked and what one other row lacks", () => {
  const table = patterned(600);
  const masked = maskCells(table, 1, "patterns", [], 3);
  const counts = new Map<string, number>();
  for (let r = 0; r < table.rows; r++) {
    const [before, after] = [patternOf(table, r), patternOf(masked, r)];
    expect(["000", "110", "001", "111"]).toContain(after);
    for (let c = 0; c < 3; c++) expect(after[c] >= before[c]).toBe(true);
    if (before === "000") counts.set(after, (counts.get(after) ?? 0) + 1);
    if (after[0] === "0") expect(masked.columns[0][r]).toBe(table.columns[0][r]);
  }
  // A complete row gets each of the three patterns about as often.
  for (const pattern of ["000", "110", "001"]) expect(counts.get(pattern)).toBeGreaterThan(45);
  expect(counts.get("111")).toBeUndefined();
  // What is masked is missing at random.
  expect(masked.columns[3]).toEqual(table.columns[3]);
  expect(maskCells(table, 1, "patterns", [], 3)).toEqual(masked);
  expect(maskCells(table, 0, "patterns", [], 3).columns).toEqual(table.columns);
});

test("a single row has no other one, and masks have names", () => {
  const one = patterned(1);
  expect(maskCells(one, 1, "patterns", [], 0).columns).toEqual(one.columns);
  expect(maskNames([0.2, 0.5], "mcar")).toEqual(["as they are", "20 %", "50 %"]);
  expect(maskNames([1], "patterns")).toEqual(["as they are", "patterns"]);
});
