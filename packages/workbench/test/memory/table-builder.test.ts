import { expect, test } from "vitest";
import { TableBuilder } from "../../src/memory/table-builder.ts";

const COLUMNS = 1000;
const columns = Array.from({ length: COLUMNS }, (_, c) => ({
  name: `c${c}`,
  storage: "text" as const,
  type: "text",
  unnamed: false,
}));
const fields = columns.map(() => "a");

/** Adds rows until they are refused. */
function fill(share: () => number, most: number): number {
  const builder = new TableBuilder("large.csv", { tooLarge: "", share });
  builder.addColumns(columns);
  for (let rows = 1; rows <= most; rows++) {
    try {
      builder.addRow(fields);
    } catch (thrown) {
      expect((thrown as Error).message).toMatch(
        /^"large.csv" has about [\d,]+ million cells, which is more than/,
      );
      return rows;
    }
  }
  return Number.POSITIVE_INFINITY;
}

test("a table that will clearly not fit is refused after a million cells, one that may fit is read on", () => {
  expect(fill(() => 0.01, 3000)).toBe(1000);
  expect(fill(() => 0.05, 3000)).toBe(Number.POSITIVE_INFINITY);
  expect(fill(() => 2, 3000)).toBe(Number.POSITIVE_INFINITY);
});
