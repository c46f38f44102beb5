import { expect, it } from "vitest";
import { predict, type TreesJson } from "../../src/index.ts";
import { expectationOf } from "../../src/model/kinds.ts";
import { ONE_ROW } from "../../src/predictors/expectation.ts";
import { readRow } from "../../src/schema/read-row.ts";
import { enumerated, meanOf } from "../support/enumerate-trees.ts";
import { halfOf, randomTreeModel } from "../support/random-trees.ts";

/** Sums of a few thousand products of doubles. */
const EXACT = 1e-12;
const LINKS: readonly TreesJson["link"][] = ["probability", "logistic", "softmax"];

it("exact answers equal enumeration on 500 random ensembles and mixtures", () => {
  let largest = 0;
  for (let seed = 1000; seed < 1500; seed++) {
    const link = LINKS[seed % 3];
    const classes = link === "logistic" ? 2 : 2 + (seed % 4);
    const mixture = { components: 1 + (seed % 4), numeric: "atoms" as const, bins: 5 };
    const { model, rows, g } = randomTreeModel(seed, { link, classes, trees: 4 + (seed % 20) }, mixture);
    for (const row of rows.slice(0, 4)) {
      const known = halfOf(row, g);
      const truth = meanOf(enumerated(model, known));
      Object.values(predict(model, known)).forEach((p, k) => {
        largest = Math.max(largest, Math.abs(p - truth[k]));
      });
    }
  }
  console.log(`largest difference to enumeration: ${largest}`);
  expect(largest).toBeLessThan(EXACT);
});

it("10,000 drawn answers lie within the stated standard errors of enumeration as often as they should", () => {
  const within = [0, 0, 0, 0, 0];
  let drawn = 0;
  for (let seed = 2000; drawn < 10_000; seed++) {
    const link = seed % 2 ? "logistic" : "softmax";
    const classes = link === "logistic" ? 2 : 2 + (seed % 3);
    const mixture = { components: 3, numeric: "atoms" as const, bins: 6 };
    const { model, rows, g } = randomTreeModel(seed, { link, classes }, mixture);
    for (const row of rows.slice(0, 20)) {
      const known = halfOf(row, g);
      const how = { ...ONE_ROW, enumerate: 0, tolerance: 0.005, seed: seed + drawn };
      const answer = expectationOf(model).expect(readRow(model.schema, known, true), how);
      if (answer.standardError === 0 || drawn === 10_000) continue;
      drawn++;
      const truth = meanOf(enumerated(model, known));
      const off = Math.max(...truth.map((p, k) => Math.abs(answer.values[k] - p)));
      for (let n = 1; n <= 4; n++) if (off <= n * answer.standardError) within[n]++;
    }
  }
  const shares = within.slice(1).map((count) => count / drawn);
  console.log(`within 1, 2, 3, 4 standard errors: ${shares.join(", ")}`);
  // The largest error of a class is stated and the largest difference judged, so these are at least the normal shares.
  expect(shares[0]).toBeGreaterThan(0.6);
  expect(shares[1]).toBeGreaterThan(0.93);
  expect(shares[3]).toBeGreaterThanOrEqual(0.999);
});
