import { readFileSync } from "node:fs";
import { random } from "conformant";
import { describe, expect, test } from "vitest";
import { succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const cwd = place.folder;

place.write(
  "logistic.json",
  JSON.stringify({ classes: ["no", "yes"], features: ["x", "z"], intercept: [0.3], coef: [[1.5, -1]] }),
);
place.write(
  "linear.json",
  JSON.stringify({ output: "price", features: ["x", "z"], intercept: 2, coef: [1.5, -1] }),
);

interface Point {
  readonly x: number;
  readonly z: number;
  readonly yes: boolean;
  readonly price: number;
}

const drawn = random(11);
const points: Point[] = Array.from({ length: 300 }, () => {
  const [x, z] = [drawn.normal(), drawn.normal()];
  const yes = drawn.uniform() < probability({ x, z });
  return { x, z, yes, price: 2 + 1.5 * x - z + drawn.normal() };
});

function probability({ x, z }: Pick<Point, "x" | "z">): number {
  return 1 / (1 + Math.exp(-(0.3 + 1.5 * x - z)));
}

/** Every fifth row lacks x where that is asked for, and one in seven has no label. */
function csv(hasGaps: boolean): string {
  const lines = points.map(({ x, z, yes, price }, r) => {
    const answers = r % 7 === 0 ? ["", ""] : [yes ? "yes" : "no", price];
    return [hasGaps && r % 5 === 0 ? "" : x, z, ...answers].join(",");
  });
  return ["x,z,bought,price", ...lines, ""].join("\n");
}
place.write("complete.csv", csv(false));
place.write("gaps.csv", csv(true));

const labeled = points.filter((_, r) => r % 7 !== 0);
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function verdictOf(words: readonly string[]): Record<string, number> & { readonly sentence: string } {
  const { stdout } = succeed(["fit", ...words, "--json", "-o", "m.json"], { cwd });
  const { verdict } = JSON.parse(stdout);
  expect(JSON.parse(readFileSync(`${cwd}/m.json`, "utf8")).metadata.verdict).toEqual(verdict);
  return verdict;
}

/** Sums in another order. */
const ROUNDING = 9;

describe("the verdict on an imported predictor", () => {
  test("is its own score where no value is missing, and says that it may have been trained on the rows", () => {
    const verdict = verdictOf(["complete.csv", "--classifier", "logistic.json", "--label", "bought"]);
    const right = labeled.filter((point) => point.yes === probability(point) > 0.5);
    const losses = labeled.map((point) =>
      point.yes ? -Math.log(probability(point)) : -Math.log(1 - probability(point)),
    );
    expect(verdict).toMatchObject({ rows: labeled.length, folds: 5, imported: true });
    expect(verdict.accuracy).toBeCloseTo(right.length / labeled.length, ROUNDING);
    expect(verdict.logLoss).toBeCloseTo(mean(losses), ROUNDING);
    expect(verdict.sentence).toMatch(
      /^On these rows, on which the classifier may have been trained: right in about \d+% ± \d+ /,
    );
  });

  test("is that of a regressor, too", () => {
    const verdict = verdictOf(["complete.csv", "--classifier", "linear.json", "--label", "price"]);
    const squares = labeled.map(({ x, z, price }) => (price - (2 + 1.5 * x - z)) ** 2);
    expect(verdict).toMatchObject({ rows: labeled.length, folds: 5, imported: true });
    expect(verdict.rmse).toBeCloseTo(Math.sqrt(mean(squares)), ROUNDING);
    expect(verdict.sentence).toMatch(/^On these rows, on which the regressor may have been trained: off by/);
  });

  test("counts rows with missing values by distributions of other rows", () => {
    const words = ["gaps.csv", "--classifier", "logistic.json", "--label", "bought"];
    const verdict = verdictOf([
      ...words,
      "--components",
      "1",
      "--numeric",
      "gaussian",
      "--missing",
      "random",
    ]);
    expect(verdict.rows).toBe(labeled.length);
    // x and z are independent and standard normal: P(yes | z) is a mean over x, here by the trapezoid rule.
    const given = (z: number): number => {
      const grid = Array.from({ length: 801 }, (_, i) => -8 + i / 50);
      const weights = grid.map((x) => Math.exp((-x * x) / 2));
      const total = weights.reduce((a, b) => a + b, 0);
      return grid.reduce((sum, x, i) => sum + (weights[i] / total) * probability({ x, z }), 0);
    };
    const losses = points.flatMap((point, r) => {
      if (r % 7 === 0) return [];
      const p = r % 5 === 0 ? given(point.z) : probability(point);
      return [point.yes ? -Math.log(p) : -Math.log(1 - p)];
    });
    // The distribution is estimated from 200 rows.
    expect(Math.abs(verdict.logLoss - mean(losses))).toBeLessThan(0.01);
  });

  test("stands without folds of a column that only one row knows", () => {
    const lines = readFileSync(`${cwd}/gaps.csv`, "utf8").trimEnd().split("\n");
    const rare = lines.map((line, r) => `${line},${r === 0 ? "rare" : r === 5 ? 3 : ""}`);
    place.write("rare.csv", `${rare.join("\n")}\n`);
    const known = { classes: ["no", "yes"], features: ["x", "rare"], intercept: [0], coef: [[1, 0.1]] };
    place.write("rare.json", JSON.stringify(known));
    const verdict = verdictOf(["rare.csv", "--classifier", "rare.json", "--label", "bought"]);
    expect(verdict).toMatchObject({ rows: labeled.length, imported: true });
  });

  test("is left out where that is asked for", () => {
    const words = ["fit", "complete.csv", "--classifier", "logistic.json", "--label", "bought"];
    const { stdout } = succeed([...words, "--no-cross-validation", "-o", "m.json"], { cwd });
    expect(stdout).not.toContain("On these rows");
  });
});
