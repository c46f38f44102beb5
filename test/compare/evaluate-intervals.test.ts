import { random } from "conformant";
import { expect, test } from "vitest";
import { evaluateIntervals } from "../../compare/sets/evaluate-intervals.ts";

test("intervals are tested on rows of their own, under 20 masks, within what chance explains", () => {
  const { normal } = random(3);
  const rows = Array.from({ length: 200 }, () => {
    const x = normal();
    return { x, z: x + normal(), y: 2 * x + normal() };
  });
  const scores = evaluateIntervals(rows, "y", 1);
  const { testRows, calibrationRows } = scores;
  expect([testRows, calibrationRows]).toEqual([60, 60]);
  const deviation = Math.sqrt(0.09 / 60 + 0.09 / 62);
  for (const { covered, width } of [scores, scores.meanImputed]) {
    expect(covered).toHaveLength(20);
    for (const share of covered) expect(Math.abs(share - 0.9)).toBeLessThan(4 * deviation);
    expect(new Set(covered).size).toBeGreaterThan(1);
    // The noise of y alone needs 2 · 1.64, and with everything missing its deviation is √5.
    for (const own of width) expect(own).toBeGreaterThan(2.5);
    for (const own of width) expect(own).toBeLessThan(12);
  }
});
