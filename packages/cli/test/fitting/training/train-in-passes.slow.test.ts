import { random, train } from "conformant";
import { expect, test } from "vitest";
import { fitMany, MANY, manyRows } from "../../support/many-rows.ts";
import { Workplace } from "../../support/workplace.ts";

const place = new Workplace();
const rows = manyRows();

test("rows with gaps are completed by draws, or left out where that is asked for", () => {
  const gaps = random(6);
  const holes = rows.map((row) => (gaps.uniform() < 0.2 ? { ...row, x: Number.NaN } : row));
  const without = holes.filter(({ x }) => Number.isNaN(x)).length;
  const completed = fitMany(place, holes);
  expect(completed.training).toMatchObject({ rows: MANY, rowsCompleted: without });
  const left = fitMany(place, holes, "--train-on", "complete");
  expect(left.training).toMatchObject({ rows: MANY - without, rowsWithGaps: without });
  // What is missing does not depend on what it is, so that all three classifiers estimate the same; 0.03 is three standard errors.
  const own = train(rows, { label: "y" });
  for (const classifier of [completed, left])
    for (const [j, weight] of classifier.weights.entries())
      expect(Math.abs(weight - own.weights[j])).toBeLessThan(0.03);
}, 90_000);
