import { expect, test } from "vitest";
import { groupSlots, slotsWithin } from "../../src/sql/slot-groups.ts";

test("every column is in one group, and the slots of a group are all combinations of its columns' slots", () => {
  const sizes = [32, 2, 200, 3, 2, 11, 50, 2, 32];
  const groups = groupSlots(sizes, 8);
  expect(groups.flatMap(({ columns }) => columns).sort((a, b) => a - b)).toEqual(sizes.map((_, i) => i));
  expect(groups.length).toBeLessThan(sizes.length / 2);
  for (const group of groups) {
    expect(group.sizes).toEqual(group.columns.map((i) => sizes[i]));
    const within = Array.from({ length: group.count }, (_, slot) => slotsWithin(group, slot));
    expect(new Set(within.map(String)).size).toBe(group.sizes.reduce((a, b) => a * b, 1));
    expect(within.every((slots) => slots.every((v, c) => v < group.sizes[c]))).toBe(true);
  }
});

test("a group's tables stay small: many scores leave columns by themselves, and a large column is alone", () => {
  expect(groupSlots([32, 32, 32], 500).map(({ columns }) => columns)).toEqual([[0], [1], [2]]);
  expect(groupSlots([2, 9000], 1).map(({ columns }) => columns)).toEqual([[1], [0]]);
  for (const { count } of groupSlots(new Array(40).fill(33), 16))
    expect(count * 16).toBeLessThanOrEqual(8192);
});
