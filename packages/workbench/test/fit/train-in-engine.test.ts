import { encode, train } from "conformant";
import { expect, test } from "vitest";
import type { ColumnReading } from "../../src/columns/read-columns.ts";
import { trainInEngine } from "../../src/fit/train-in-engine.ts";
import type { FitContext } from "../../src/fit/training-options.ts";
import type { CellReading, RowSums } from "../../src/source/table-source.ts";

test("the engine is told which columns of the classifier have missing values, and whether the label has", async () => {
  const rows = Array.from({ length: 40 }, (_, r) => ({
    whole: r % 3,
    gaps: r % 5,
    also: r % 2,
    y: r % 7 > 3 ? "b" : "a",
  }));
  const labeled = train(rows, { label: "y" });
  const { columns } = labeled.schema;
  const sample = encode(
    { columns: [...columns, { name: "y", kind: "categorical", values: ["a", "b"] }] },
    rows,
  );
  const known = new Map([
    ["gaps", 39],
    ["also", 38],
  ]);
  const told: (readonly string[])[] = [];
  const sums = {
    moments: ({ withGaps }: { readonly withGaps: readonly string[] }) => {
      told.push(withGaps);
      return Promise.reject(new Error("enough"));
    },
  } as unknown as RowSums<CellReading>;
  const context = { host: { reporter: { progress: () => undefined } } } as unknown as FitContext<CellReading>;
  for (const labels of [40, 37]) {
    const reading = {
      fields: { fields: new Map() },
      rows: 40,
      chosen: columns.map((column) => ({ column, known: known.get(column.name) ?? 40 })),
      also: columns.filter(({ name }) => name === "also"),
      label: { known: labels },
    } as unknown as ColumnReading<CellReading>;
    await expect(trainInEngine(sums, context, reading, sample, labeled)).rejects.toThrow("enough");
  }
  expect(told).toEqual([["gaps"], ["gaps", "y"]]);
});
