import { train } from "conformant";
import { expect, test } from "vitest";
import { fitMany, MANY, manyRows } from "../support/many-rows.ts";

const rows = manyRows();

/** Both trainings end where no entry of the gradient is above 1e-6, which leaves the weights this far apart at most. */
const NEAR = 3;

test("more rows than are trained on at once give the classifier that all of them give", async () => {
  const passed = await fitMany(rows);
  const own = train(rows, { label: "y", l2: passed.training?.l2 });
  expect(passed.training).toMatchObject({ rows: MANY, rowsWithGaps: 0, status: "converged" });
  for (const [j, weight] of passed.weights.entries()) expect(weight).toBeCloseTo(own.weights[j], NEAR);
}, 60_000);
