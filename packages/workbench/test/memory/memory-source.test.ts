import type { Schema } from "conformant";
import { expect, test } from "vitest";
import { noRemedies } from "../../../cli/test/support/fit-in-memory.ts";
import { memorySource } from "../../src/memory/memory-source.ts";
import { readCsvTable } from "../../src/memory/read-csv-table.ts";

test("indicators of missing values follow from the columns that they mark", async () => {
  async function* pieces(): AsyncGenerator<string> {
    yield "age,town\n-3,Bonn\n,Ulm\n5,\n,\n";
  }
  const table = await readCsvTable("rows.csv", pieces(), { expected: [], twiceNamed: "", tooLarge: "" });
  const source = memorySource(table, noRemedies);
  const schema: Schema = {
    columns: [
      { name: "age is missing", kind: "binary", gapOf: "age" },
      { name: "age", kind: "numeric" },
      { name: "town", kind: "categorical", values: ["Bonn", "Ulm"] },
      { name: "town is missing", kind: "binary", gapOf: "town" },
    ],
  };
  const numbers = new Map([["age", { decimal: "point" as const, grouped: false }]]);
  const cells = source.cells(["age", "town"], {
    gaps: [],
    categories: new Map([["town", ["Bonn", "Ulm"]]]),
    numbers,
  });
  for await (const { columns } of source.rows(cells, schema)) {
    expect([...(columns[0] as Int8Array)]).toEqual([0, 1, 0, 1]);
    expect([...(columns[3] as Int8Array)]).toEqual([0, 0, 1, 1]);
  }
});
