import { totalmem } from "node:os";
import { expect, test } from "vitest";
import { memoryBudget } from "../../src/sources/duckdb/memory-budget.ts";

test("the default is a quarter of the machine, or of its container, and 640 MB at least", () => {
  const own = memoryBudget();
  expect(own).toBeGreaterThanOrEqual(640e6);
  expect(own).toBeLessThanOrEqual(Math.max(640e6, totalmem() / 4));
});

test.each([
  ["640MB", 640e6],
  ["512MiB", 2 ** 29],
  [" 1.5 gb ", 1.5e9],
  ["64kib", 2 ** 16],
  ["1TB", 1e12],
])("CONFORMANT_MEMORY=%s", (text, bytes) => {
  expect(memoryBudget(text)).toBe(bytes);
});

test.each(["", "much", "-1GB", "12", "12X", "GB"])("CONFORMANT_MEMORY=%s is refused", (text) => {
  expect(() => memoryBudget(text)).toThrow("CONFORMANT_MEMORY must be a size such as 640MB or 4GB");
});
