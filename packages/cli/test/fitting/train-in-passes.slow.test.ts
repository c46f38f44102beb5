import { classify, random, train } from "conformant";
import { expect, test } from "vitest";
import { fitMany, MANY, manyRows } from "../support/many-rows.ts";

const rows = manyRows();

/** Both trainings end where no entry of the gradient is above 1e-6, which leaves probabilities this far apart at most. */
const NEAR = 3;

test("rows with gaps are completed by draws, or left out where that is asked for", async () => {
  const gaps = random(6);
  const holes = rows.map((row) => (gaps.uniform() < 0.2 ? { ...row, x: Number.NaN } : row));
  const without = holes.filter(({ x }) => Number.isNaN(x)).length;
  const completed = await fitMany(holes);
  expect(completed.training).toMatchObject({ rows: MANY, rowsCompleted: without });
  const left = await fitMany(holes, { trainOn: "complete" });
  expect(left.training).toMatchObject({ rows: MANY - without, rowsWithGaps: without });
  // What is missing does not depend on what it is, so that all three classifiers estimate the same; 0.03 is three standard errors.
  const own = train(rows, { label: "y" });
  for (const classifier of [completed, left])
    for (const [j, weight] of classifier.weights.entries())
      expect(Math.abs(weight - own.weights[j])).toBeLessThan(0.03);
}, 90_000);

test("a class that hardly ever occurs, and not among the rows that training begins with, keeps its place", async () => {
  const some = rows.map((row, r) => (r === 123 ? { ...row, y: "maybe" } : row));
  const passed = await fitMany(some);
  const own = train(some, { label: "y", l2: passed.training?.l2 });
  expect(passed.classes).toEqual(["maybe", "no", "yes"]);
  expect(passed.training).toMatchObject({ rows: MANY, rowsWithGaps: 0, status: "converged" });
  for (const row of rows.slice(0, 100)) {
    const [found, truth] = [passed, own].map((classifier) => classify(classifier, { x: row.x, c: row.c }));
    for (const name of passed.classes) expect(found[name]).toBeCloseTo(truth[name], NEAR);
  }
}, 60_000);
