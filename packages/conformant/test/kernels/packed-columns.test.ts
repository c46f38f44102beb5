import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packColumns } from "../../src/kernels/packed-columns.ts";
import { discreteColumns } from "../../src/logistic-regression/design-matrix.ts";
import { random } from "../../src/math/random.ts";
import { type Column, slotOffsets } from "../../src/schema/column.ts";
import { slotsOfRow, tableOf } from "../support/mixed-problem.ts";

describe("packColumns", () => {
  it("loses nothing: reference and changes give back every row", () => {
    const column = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 14 }), fc.integer(), (counts, seed) => {
        const g = random(seed);
        const columns = counts.map((count, i): Column => {
          const name = `c${i}`;
          if (count % 2 === 0) return { name, kind: "binary" };
          return { name, kind: "categorical", values: Array.from({ length: count }, (_, v) => `v${v}`) };
        });
        const cells = counts.map((count) =>
          Array.from({ length: 30 }, () => g.integer(count % 2 === 0 ? 2 : count)),
        );
        const table = tableOf(columns, cells);
        const rows = Int32Array.of(3, 3, 29, 0, 17);
        const slots = slotOffsets(table.schema)[columns.length];
        const packed = packColumns(discreteColumns(table, rows), slots, rows.length);
        rows.forEach((row, r) => {
          const x = packed.reference.slice();
          for (const p of packed.entries.subarray(packed.rowStart[r], packed.rowStart[r + 1])) {
            for (let i = packed.entryStart[p]; i < packed.entryStart[p + 1]; i++) {
              x[packed.changeSlot[i]] += packed.change[i];
            }
          }
          expect(x).toEqual(slotsOfRow(table, row));
        });
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
