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

it("shows the mean over the splits and its standard error, the lowest of a row in bold", () => {
  const page = comparisonPage([table(0.1, 0)], MEASURED);
  expect(page).toContain("| a table | 20% | **51.0 ± 1.0** | 61.0 ± 1.0 |");
  expect(page).toContain(
    "lower than that of the best imputation in 4 of 4 cases, and higher by more than two standard errors in none",
  );
  expect(page).toContain(
    "within 2% or one standard error of the best candidate in 4 of 4 cases; exceptions: none",
  );
  expect(page).toContain('"trees, their own handling" in 4 of 4 cases');
  expect(page).toContain("on 2026-11-16");
});

it("reports losses", () => {
  const page = comparisonPage([table(-0.1, -0.1)], MEASURED);
  expect(page).toContain("| a table | 20% | 51.0 ± 1.0 | **41.0 ± 1.0** |");
  expect(page).toContain(
    "in 0 of 4 cases, and higher by more than two standard errors in 4: a table at 20% (mean)",
  );
  expect(page).toContain("best candidate in 0 of 4 cases; exceptions: 4: a table at 20%, a table at 40%");
  expect(page).toContain('"trees, their own handling" in 0 of 4 cases');
});

it("has a table per question, with the methods that answer it", () => {
  const questions = comparisonPage([table(0.1, 0)], MEASURED)
    .split("\n## ")
    .slice(1);
  expect(questions.map((text) => text.split("\n")[0])).toEqual([
    "Which method stays closest to the complete-row prediction?",
    "Which method predicts the label best with the same classifier?",
    "Would another classifier predict better?",
    "And with boosted trees?",
    "What does it cost?",
  ]);
  expect(questions[0]).not.toContain("naive Bayes");
  expect(questions[2]).not.toContain("chained equations");
});
