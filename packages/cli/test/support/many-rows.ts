import { type Classifier, loadModel, random } from "conformant";
import { succeed } from "./run.ts";
import type { Workplace } from "./workplace.ts";

/** More rows than are trained on at once. */
export const MANY = 201_000;

export type ManyRow = { readonly x: number; readonly c: string; readonly y: string };

/** Rows whose class follows a logistic rule of a number and a category. */
export function manyRows(): ManyRow[] {
  const g = random(5);
  return Array.from({ length: MANY }, () => {
    const [x, c] = [g.normal(), g.integer(4)];
    const y = g.uniform() < 1 / (1 + Math.exp(-(0.8 * x + [0, 0.5, -0.5, 1][c]))) ? "yes" : "no";
    return { x, c: `c${c}`, y };
  });
}

/** The classifier that the command trains on them; NaN is a gap. */
export function fitMany(place: Workplace, rows: readonly ManyRow[], ...options: string[]): Classifier {
  const lines = rows.map(({ x, c, y }) => `${Number.isNaN(x) ? "" : x},${c},${y}`);
  place.write("many.csv", `x,c,y\n${lines.join("\n")}\n`);
  const words = ["--label", "y", "--components", "1", "--no-cross-validation", "-o", "m.json"];
  succeed(["fit", "many.csv", ...words, ...options], { cwd: place.folder });
  return loadModel(place.read("m.json")).predictor as Classifier;
}
