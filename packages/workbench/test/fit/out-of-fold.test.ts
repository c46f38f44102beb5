import { random, type Table } from "conformant";
import { expect, test } from "vitest";
import { predictOutOfFold } from "../../src/fit/out-of-fold.ts";
import { USUAL_TRAINING } from "../../src/fit/training-options.ts";

const silent = { progress: () => undefined };

/** A number that names its row, a column that is nearly empty, and a label of three classes, one of them rare. */
function numbered(rows: number): Table {
  const classOf = (r: number): number => (r < 6 ? 2 : r % 2);
  return {
    schema: {
      columns: [
        { name: "row", kind: "numeric" },
        { name: "rare", kind: "binary" },
        { name: "y", kind: "categorical", values: ["a", "b", "c"] },
      ],
    },
    rows,
    columns: [
      Float64Array.from({ length: rows }, (_, r) => r),
      Int8Array.from({ length: rows }, (_, r) => (r === 3 ? 1 : -1)),
      Int8Array.from({ length: rows }, (_, r) => classOf(r)),
    ],
    unseen: [],
  };
}

test("every row is predicted once, by a model of other rows that have the same share of each class", async () => {
  const seen: number[] = [];
  const out = await predictOutOfFold(
    numbered(100),
    (training) => {
      const taught = new Set(training.columns[0]);
      const codes = training.columns[training.columns.length - 1];
      expect(codes.filter((k) => k === 2).length).toBeGreaterThanOrEqual(4);
      const names = training.schema.columns.map(({ name }) => name);
      return (asked) => {
        expect(asked.schema.columns.map(({ name }) => name)).toEqual(names.slice(0, -1));
        for (const r of asked.columns[0]) {
          expect(taught.has(r)).toBe(false);
          seen.push(r);
        }
        expect(taught.size + asked.rows).toBe(100);
        return Float64Array.from(asked.columns[0]);
      };
    },
    { ...USUAL_TRAINING, seed: random(1).integer(100) },
    silent,
  );
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, r) => r));
  expect([...(out?.answers ?? [])]).toEqual(seen);
  expect([...(out?.labels ?? [])]).toEqual(seen.map((r) => (r < 6 ? 2 : r % 2)));
  expect(out?.folds).toBe(5);
});

test("of a large table one fifth is predicted, of a very large one a tenth or fewer, of a single row nothing", async () => {
  const count = (rows: number): ReturnType<typeof predictOutOfFold> =>
    predictOutOfFold(numbered(rows), () => (asked) => new Float64Array(asked.rows), USUAL_TRAINING, silent);
  expect((await count(25_000))?.labels.length).toBe(5000);
  expect((await count(5000))?.labels.length).toBe(2000);
  expect((await count(60_000))?.labels.length).toBe(6000);
  expect((await count(300_000))?.labels.length).toBe(10_000);
  expect(await count(1)).toBeUndefined();
});

test("of a small table whose fit is costly two fifths are predicted", async () => {
  const { schema, rows, columns } = numbered(500);
  const more = Array.from({ length: 60 }, (_, i) => ({ name: `x${i}`, kind: "numeric" as const }));
  const wide: Table = {
    schema: { columns: [...more, ...schema.columns] },
    rows,
    columns: [...more.map(() => columns[0]), ...columns],
    unseen: [],
  };
  const out = await predictOutOfFold(
    wide,
    () => (asked) => new Float64Array(asked.rows),
    USUAL_TRAINING,
    silent,
  );
  expect([out?.folds, out?.labels.length]).toEqual([2, 200]);
});
