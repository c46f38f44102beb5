import { random } from "conformant";
import { countMarginals } from "conformant/remote";
import { expect, test } from "vitest";
import { mayBeId } from "../../src/columns/column-notes.ts";

/** The counts of a column of numbers, as they are read from a table. */
function counts(x: readonly number[]) {
  const [marginal] = countMarginals(
    { columns: [{ name: "x", kind: "numeric" }] },
    { x },
    { bins: 32 },
  ).columns;
  if (marginal.kind !== "numeric") throw new Error("not numeric");
  return {
    kind: "number",
    known: x.length,
    least: Math.min(...x),
    most: Math.max(...x),
    bits: false,
    different: new Set(x).size,
    whole: x.every(Number.isInteger),
    others: new Map<string, number>(),
    marginal,
  } as const;
}

test("whole numbers that are all different and evenly spread may identify rows, in any order and in a sample", () => {
  const g = random(3);
  const shuffled = Array.from({ length: 400 }, (_, r) => 5000 + ((r * 7919) % 400));
  const sample = shuffled.filter(() => g.uniform() < 0.6);
  expect([shuffled, sample].map((x) => mayBeId(counts(x)))).toEqual([true, true]);
  const squares = shuffled.map((x) => (x - 5000) ** 2);
  const repeated = [...shuffled, 5000];
  const halves = shuffled.map((x) => x / 2);
  const few = shuffled.slice(0, 40);
  expect([squares, repeated, halves, few].map((x) => mayBeId(counts(x)))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
