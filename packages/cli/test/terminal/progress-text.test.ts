import { expect, test } from "vitest";
import { progressText, type Stage } from "../../src/terminal/progress-text.ts";

const stage: Stage = { what: "choosing", done: 0.25, total: 1, detail: "tried 1, 2, 4", since: 1000 };
/** Twelve seconds later. */
const NOW = 13_000;

test("a stage says its share, its time, what is left and what came of it", () => {
  expect(progressText(stage, NOW, 100)).toBe(
    "choosing  ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  25 %  12 s  about 36 s left  tried 1, 2, 4",
  );
  expect(progressText({ ...stage, done: 1234567, total: undefined, detail: undefined }, NOW, 100)).toBe(
    "choosing  1,234,567 rows  12 s",
  );
  expect(
    progressText({ ...stage, done: undefined, total: undefined, detail: undefined }, 4_000_000, 100),
  ).toBe("choosing  1 h 6 min");
});

test("what is left is told only where there is something to go by", () => {
  expect(progressText(stage, 2000, 100)).not.toContain("left");
  expect(progressText({ ...stage, done: 0.001 }, NOW, 100)).not.toContain("left");
  expect(progressText({ ...stage, done: 1 }, NOW, 100)).not.toContain("left");
});

test("a narrow terminal gets less, and never more than a line", () => {
  for (let columns = 0; columns < 100; columns++)
    expect(progressText(stage, NOW, columns).length).toBeLessThanOrEqual(columns);
  expect(progressText(stage, NOW, 40)).toBe("choosing  25 %  12 s  about 36 s left");
  expect(progressText(stage, NOW, 20)).toBe("choosing  25 %  12 s");
  expect(progressText(stage, NOW, 5)).toBe("choos");
});
