import { expect, it } from "vitest";
import { METHODS } from "../../compare/methods/methods.ts";
import { EXPECTED, TREE_METHODS } from "../../compare/methods/trees.ts";
import { comparisonPage, resultsPage } from "../../compare/page.ts";
import { otherResults } from "../../compare/publish.ts";
import { readText } from "../repository.ts";

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
  const page = resultsPage([table(0.1, 0)], MEASURED);
  expect(page).toContain("| a table | 20% | **51.0 ± 1.0** | 61.0 ± 1.0 |");
  expect(page).toContain(
    "lower than that of the best imputation in 4 of 4 cases, and higher by more than two standard errors in none",
  );
  expect(page).toContain("within 2% or one standard error of the best candidate in 4 of 4 cases.");
  expect(page).toContain('"trees, their own handling" in 4 of 4 cases');
  expect(page).toContain("on 2026-11-16");
});

it("reports losses", () => {
  const page = resultsPage([table(-0.1, -0.1)], MEASURED);
  expect(page).toContain("| a table | 20% | 51.0 ± 1.0 | **41.0 ± 1.0** |");
  expect(page).toContain(
    "in 0 of 4 cases, and higher by more than two standard errors in 4: a table at 20% (mean)",
  );
  expect(page).toContain("best candidate in 0 of 4 cases (not: a table at 20%, a table at 40%");
  expect(page).toContain('"trees, their own handling" in 0 of 4 cases');
});

it("has a table per question, with the methods that answer it", () => {
  const questions = resultsPage([table(0.1, 0)], MEASURED)
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

it("averages each question over the tables, a row per method", () => {
  const other = { ...table(0.3, 0), name: "another table" };
  const page = comparisonPage(resultsPage([table(0.1, 0), other], MEASURED));
  expect(page).toContain("| method | 20% masked | 40% masked | 60% masked | 80% masked |");
  expect(page).toContain("| ours | **51.0** | **51.0** | **51.0** | **51.0** |");
  expect(page).toContain("| mean | 71.0 | 71.0 | 71.0 | 71.0 |"); // of 61 and 81
  expect(page).toContain("Measured on 2026-11-16.");
});

it("skips a table that some methods could not run on, and shows its costs apart", () => {
  const fast = table(0.3, 0);
  const splits = fast.splits.map((split) => ({
    ...split,
    scores: split.scores.filter(({ method }) => method === "ours" || method === "mean"),
  }));
  const page = comparisonPage(
    resultsPage([table(0.1, 0), { ...fast, name: "a large table", splits }], MEASURED),
  );
  expect(page).toContain("| mean | 61.0 | 61.0 | 61.0 | 61.0 |");
  expect(page).toContain("| method | mean | a large table |");
  expect(page).toContain("| ours | 1.0 | 1.0 |");
  expect(page).toContain("| mice (R) | 1.0 |  |");
});

it("agrees with the published pages", () => {
  expect(readText("docs/comparison.md")).toBe(comparisonPage(readText("compare/RESULTS.md"), otherResults()));
});
