import { expect, it } from "vitest";
import { METHODS } from "../../compare/methods/methods.ts";
import { EXPECTED, TREE_METHODS } from "../../compare/methods/trees.ts";
import { comparisonPage } from "../../compare/page.ts";

const MEASURED = new Date("2026-11-16T12:00:00Z");

/** Scores of a method, the same at every rate. */
const scoreOf = (method: string, value: number) => ({
  method,
  logLoss: [value, value, value, value],
  crossEntropy: [value, value, value, value],
  seconds: 1,
  memory: 120e6,
});

/** Ours has 0.5 and 0.52 in two splits, every other method a little more or less. */
const table = (others: number, candidate: number) => ({
  name: "a table",
  source: "somewhere",
  rows: 10,
  columns: 2,
  splits: [0.5, 0.52].map((ours) => ({
    scores: [...METHODS, ...TREE_METHODS].map(({ name }) =>
      scoreOf(name, name === "ours" || name === EXPECTED ? ours : ours + others),
    ),
    candidates: [scoreOf("atoms 1", ours + candidate)],
  })),
});

it("says where ours wins, in bold, with the mean over the splits and its standard error", () => {
  const page = comparisonPage([table(0.1, 0)], MEASURED);
  expect(page).toContain(
    "| ours | **51.0 ± 1.0** | **51.0 ± 1.0** | **51.0 ± 1.0** | **51.0 ± 1.0** | 1.0 | 120 |",
  );
  expect(page).toContain("| mean | 61.0 ± 1.0 |");
  expect(page).toContain(
    "ours is ahead in 4 of 4 cells, and behind by more than two standard errors in none",
  );
  expect(page).toContain("within 2 % or one standard error in 4 of 4 cells, and not in none");
  expect(page).toContain('ahead of "trees, their own handling" in 4 of 4 cells');
  expect(page).toContain("on 2026-11-16");
});

it("says where ours loses, too", () => {
  const page = comparisonPage([table(-0.1, -0.1)], MEASURED);
  expect(page).toContain("| ours | 51.0 ± 1.0 |");
  expect(page).toContain("| mean | **41.0 ± 1.0** |");
  expect(page).toContain(
    "ours is ahead in 0 of 4 cells, and behind by more than two standard errors in 4: a table at 20 % (mean)",
  );
  expect(page).toContain(
    "within 2 % or one standard error in 0 of 4 cells, and not in 4: a table at 20 %, a table",
  );
  expect(page).toContain('ahead of "trees, their own handling" in 0 of 4 cells');
});
