import { encode } from "conformant";
import { expect, test } from "vitest";
import { divideRows } from "../../src/evaluate/divide-rows.ts";

test("a table is divided into two halves without a row in common, each in the order of the table", () => {
  const rows = Array.from({ length: 101 }, (_, r) => ({ x: r }));
  const all = encode({ columns: [{ name: "x", kind: "numeric" }] }, rows);
  const { judged, training } = divideRows(all, 1000, 7);
  const [tested, taught] = [judged, training].map(({ columns: [cells] }) => Array.from(cells));
  const inOrder = (cells: readonly number[]): number[] => [...cells].sort((a, b) => a - b);
  expect([tested, taught]).toEqual([inOrder(tested), inOrder(taught)]);
  expect([tested.length, taught.length]).toEqual([51, 50]);
  expect(inOrder([...tested, ...taught])).toEqual(rows.map(({ x }) => x));
  expect(tested).not.toEqual(rows.slice(50).map(({ x }) => x));
  expect(divideRows(all, 10, 7).judged.rows).toBe(10);
});
