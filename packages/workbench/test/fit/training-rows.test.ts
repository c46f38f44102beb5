import { conform, encode, inferSchema, type Model, type Row, random, type Table, train } from "conformant";
import { pickRows } from "conformant/internal";
import { expect, test } from "vitest";
import { describeTrainingRows } from "../../src/fit/describe-training-rows.ts";
import { recognizeRows, type TrainingRows } from "../../src/fit/training-rows.ts";

/** Rows of a number, a category and a label; a tenth of the numbers is missing. */
function drawTable(count: number, seed: number, digits = 6): Table {
  const g = random(seed);
  const rows: Row[] = Array.from({ length: count }, (_, r) => ({
    x: r % 10 === 3 ? null : Number(g.normal().toFixed(digits)),
    color: ["red", "green", "blue"][g.integer(3)],
    y: ["no", "yes"][g.integer(2)],
  }));
  return encode(SCHEMA, rows);
}

const SCHEMA = inferSchema([
  { x: 0.5, color: "red", y: "no" },
  { x: 1.5, color: "green", y: "yes" },
  { x: 2.5, color: "blue", y: "no" },
]);

function fitted(table: Table): { model: Model; known: TrainingRows } {
  const model = conform(train(table, { label: "y" }), table);
  return { model, known: describeTrainingRows(model, table, table.rows) as TrainingRows };
}

function joined(a: Table, b: Table): Table {
  const columns = a.columns.map((cells, c) => Float64Array.from([...cells, ...b.columns[c]]));
  return { ...a, rows: a.rows + b.rows, columns };
}

test("training rows are recognized among others, in any order, and nothing else is", () => {
  const [own, fresh] = [drawTable(300, 1), drawTable(200, 2)];
  const { known } = fitted(own);
  expect(recognizeRows(fresh, known)).toBeUndefined();
  const mixed = joined(
    fresh,
    pickRows(
      own,
      Int32Array.from({ length: 120 }, (_, r) => 299 - r),
    ),
  );
  const found = recognizeRows(mixed, known);
  // A tenth of the rows has no number, and twins: these are not told apart from fresh rows.
  expect(found?.recognized).toBe(108);
  expect(Math.abs((found?.estimated ?? 0) - 120)).toBeLessThanOrEqual(1);
  const left = [...fresh.columns[0], ...Array(12).fill(Number.NaN)];
  expect([...(found?.others.columns[0] ?? [])]).toEqual(left);
});

test("rows that are equal by chance are no training rows", () => {
  // Numbers without decimals: most rows have twins.
  const { known } = fitted(drawTable(300, 1, 0));
  expect(known.hashes.length / known.digits).toBeLessThan(30);
  expect(recognizeRows(drawTable(300, 2, 0), known)).toBeUndefined();
});

test("a large table is recognized by a part of its rows, in a model file that stays small", () => {
  const own = drawTable(30_000, 3);
  const { known } = fitted(own);
  expect(known.hashes.length).toBeLessThan(90_000);
  const found = recognizeRows(
    joined(
      pickRows(
        own,
        Int32Array.from({ length: 6000 }, (_, r) => r),
      ),
      drawTable(6000, 4),
    ),
    known,
  );
  const share = (found?.estimated ?? 0) / 12_000;
  expect(Math.abs(share - 0.5)).toBeLessThan(0.03);
  expect(recognizeRows(drawTable(6000, 5), known)).toBeUndefined();
});
