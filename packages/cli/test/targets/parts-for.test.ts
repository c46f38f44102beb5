import { expect, test } from "vitest";
import { partsFor } from "../../src/targets/predict-into.ts";

test("a run is written in parts of 50 million rows, up to four", () => {
  const rows = [0, 50_000_000, 50_000_001, 100_000_000, 100_000_001, 1e12];
  expect(rows.map(partsFor)).toEqual([1, 1, 2, 2, 4, 4]);
});
