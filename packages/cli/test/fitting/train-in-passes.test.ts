import { readFileSync } from "node:fs";
import { loadModel, random, train } from "conformant";
import { expect, test } from "vitest";
import { succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** More than are trained on at once. */
const ROWS = 201_000;
/** Both trainings end where no entry of the gradient is above 1e-6, which leaves the weights this far apart at most. */
const NEAR = 3;

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

test("more rows than are trained on at once give the classifier that all of them give", () => {
  const own = train(TABLE, { label: "y" });
  const passed = fitted("many.csv", TABLE);
  expect(passed.training).toMatchObject({ rows: ROWS, rowsWithGaps: 0, status: "converged" });
  for (const [j, weight] of passed.weights.entries()) expect(weight).toBeCloseTo(own.weights[j], NEAR);
}, 60_000);
