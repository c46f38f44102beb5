import { MISSING_TEXTS } from "conformant/texts";
import { expect, test } from "vitest";
import { noRemedies } from "../../../cli/test/support/fit-in-memory.ts";
import { reviewTable } from "../../src/columns/review-table.ts";
import { memorySource, readCsvTable } from "../../src/index.ts";

test("a column with one value is left out, with that value as it is written", async () => {
  const columns = { number: "7.5", day: "2024-03-05", minute: "2024-03-05 12:30:00", time: "12:30", x: "1" };
  async function* pieces(): AsyncGenerator<string> {
    yield `${Object.keys(columns)}\n`;
    for (let r = 0; r < 50; r++) yield `${Object.values({ ...columns, x: r % 7 })}\n`;
  }
  const table = await readCsvTable("rows.csv", pieces(), { expected: [], twiceNamed: "", tooLarge: "" });
  const { columns: found } = await reviewTable(
    memorySource(table, noRemedies),
    undefined,
    { columns: { columns: undefined, exclude: [], types: new Map() }, gaps: MISSING_TEXTS, bins: 32 },
    { progress: () => undefined },
  );
  const written = { ...columns, minute: "2024-03-05 12:30" };
  for (const { name, notes } of found.filter((column) => column.name !== "x"))
    expect(notes.map(({ text }) => text)).toEqual([
      `dropped: it is ${written[name as keyof typeof columns]} in every row that has it`,
    ]);
  expect(found).toHaveLength(5);
});
