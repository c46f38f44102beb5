import type { TextColumn } from "conformant-workbench";
import { expect, test } from "vitest";
import { missingPatterns } from "../../src/worker/missing-patterns.ts";

function columnOf(name: string, cells: readonly (string | null)[]): TextColumn {
  const texts = [...new Set(cells.filter((cell) => cell !== null))];
  const codes = Int32Array.from(cells, (cell) => (cell === null ? -1 : texts.indexOf(cell)));
  return { name, texts, codes } as unknown as TextColumn;
}

test("sets of columns are counted where exactly they are missing, with texts for missing among them", () => {
  const columns = [
    columnOf("a", ["1", null, "NA", "3", "4", null]),
    columnOf("b", ["x", null, "", "y", "?", "x"]),
    columnOf("c", ["u", "u", "v", "v", "u", "v"]),
  ];
  expect(missingPatterns(columns, [])).toEqual([
    { columns: ["a", "b"], rows: 2 },
    { columns: ["a"], rows: 1 },
  ]);
  expect(missingPatterns(columns, ["?"])).toEqual([
    { columns: ["a", "b"], rows: 2 },
    { columns: ["a"], rows: 1 },
    { columns: ["b"], rows: 1 },
  ]);
  expect(missingPatterns([], [])).toEqual([]);
});
