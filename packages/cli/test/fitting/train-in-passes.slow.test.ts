import { readFileSync } from "node:fs";
import { loadModel, random, train } from "conformant";
import { expect, test } from "vitest";
import { succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** More than are trained on at once. */
const ROWS = 201_000;

const generator = random(5);
const TABLE = Array.from({ length: ROWS }, () => {
  const [x, c] = [generator.normal(), generator.integer(4)];
  const y = generator.uniform() < 1 / (1 + Math.exp(-(0.8 * x + [0, 0.5, -0.5, 1][c]))) ? "yes" : "no";
  return { x, c: `c${c}`, y };
});

function fitted(name: string, rows: readonly { x: number; c: string; y: string }[], ...options: string[]) {
  place.write(
    name,
    `x,c,y\n${rows.map(({ x, c, y }) => `${Number.isNaN(x) ? "" : x},${c},${y}`).join("\n")}\n`,
  );
  const words = ["--label", "y", "--components", "1", "--no-cross-validation", "-o", "m.json"];
  succeed(["fit", name, ...words, ...options], { cwd });
  return loadModel(readFileSync(place.path("m.json"), "utf8")).classifier;
}

test("rows with gaps are completed by draws, or left out where that is asked for", () => {
  const gaps = random(6);
  const holes = TABLE.map((row) => (gaps.uniform() < 0.2 ? { ...row, x: Number.NaN } : row));
  const without = holes.filter(({ x }) => Number.isNaN(x)).length;
  const completed = fitted("holes.csv", holes);
  expect(completed.training).toMatchObject({ rows: ROWS, rowsCompleted: without });
  const left = fitted("holes.csv", holes, "--train-on", "complete");
  expect(left.training).toMatchObject({ rows: ROWS - without, rowsWithGaps: without });
  // What is missing does not depend on what it is, so that all three classifiers estimate the same; 0.03 is three standard errors.
  const own = train(TABLE, { label: "y" });
  for (const classifier of [completed, left])
    for (const [j, weight] of classifier.weights.entries())
      expect(Math.abs(weight - own.weights[j])).toBeLessThan(0.03);
}, 90_000);
