import { conform, conformMixture, createRegressor, predictColumns, type Row, random } from "conformant";
import { axes, dot, type Frame, label, line, type Point, picture, place } from "./plot.ts";

const [WIDTH, HEIGHT] = [740, 320];
const CORRELATIONS = [0, 0.2, 0.4, 0.6, 0.8, 0.95];
const frame: Frame = { left: 62, right: 480, top: 44, bottom: 250, x: [0, 1], y: [0, 2.5] };
const [COLUMNS, ROWS] = [4, 2000];

/**
 * Example 1 of the paper and its end: a sum of four standard normal columns of which every other one is missing, and the root mean squared
 * difference to the sum itself. Independent columns (`conform`) give the sum with means in the gaps.
 */
export function linearExample(): string {
  const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);
  const regressor = createRegressor({
    schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
    output: "sum",
    link: "identity",
    intercept: 0,
    weights: new Float64Array(COLUMNS).fill(1),
  });
  const errors = CORRELATIONS.map((correlation) => {
    const [training, test] = [1, 2].map((seed) => correlated(names, correlation, seed));
    const known = test.map((row) => ({ x0: row.x0, x2: row.x2 }));
    const models = [
      conformMixture(regressor, training, { components: 1, numeric: "gaussian" }),
      conform(regressor, training, { pseudocount: 0 }),
    ];
    return models.map((model) => {
      const { values } = predictColumns(model, known);
      const squares = test.map((row, r) => {
        const truth = names.reduce((sum, name) => sum + Number(row[name]), 0);
        return (values[r] - truth) ** 2;
      });
      return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / ROWS);
    });
  });
  const ways = [
    { words: "expected prediction", color: "ours" },
    { words: "mean imputation", color: "other" },
  ] as const;
  const lines = ways.flatMap(({ words, color }, way) => {
    const points = errors.map((own, i): Point => [CORRELATIONS[i], own[way]]);
    const [x, y] = place(frame, points[points.length - 1]);
    return [
      line(frame, points, color, { "stroke-width": 3 }),
      ...points.map((point) => dot(frame, point, color)),
      label([x + 30, y + 5], words, { color, "font-weight": 600 }),
    ];
  });
  return picture(
    WIDTH,
    HEIGHT,
    "Error of a linear function with half of its inputs missing: expected prediction and mean imputation agree where inputs are independent and part as they are correlated",
    axes(
      frame,
      { x: [0, 0.2, 0.4, 0.6, 0.8, 1], y: [0, 0.5, 1, 1.5, 2, 2.5] },
      { x: "correlation of the inputs", y: "error to the complete row's answer" },
      { x: String, y: String },
    ),
    ...lines,
  );
}

/** Rows of standard normal columns of which every two have this correlation. */
function correlated(names: readonly string[], correlation: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: ROWS }, () => {
    const shared = g.normal();
    return Object.fromEntries(
      names.map((name) => [name, Math.sqrt(correlation) * shared + Math.sqrt(1 - correlation) * g.normal()]),
    );
  });
}
