import { random } from "conformant";
import { expect, test } from "vitest";
import { evaluateIntervals } from "../../compare/sets/evaluate-intervals.ts";

test("intervals are tested on rows of their own, under 20 masks, within what chance explains", () => {
  const { normal } = random(3);
  const rows = Array.from({ length: 200 }, () => {
    const x = normal();
    return { x, z: x + normal(), y: 2 * x + normal() };
  });
  const { covered, deviation } = evaluateIntervals(rows, "y", 1);
  expect(covered).toHaveLength(20);
  // 60 test rows and the quantile of 60 calibration rows.
  expect(Math.abs(deviation - Math.sqrt(0.09 / 60 + 0.09 / 62))).toBeLessThan(1e-12);
  for (const share of covered) expect(Math.abs(share - 0.9)).toBeLessThan(4 * deviation);
  expect(new Set(covered).size).toBeGreaterThan(1);
});
