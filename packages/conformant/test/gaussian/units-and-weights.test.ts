import {
  type Classifier,
  type Column,
  conformMixture,
  createClassifier,
  type Model,
  predict,
  type Row,
  random,
} from "conformant";
import { describe, expect, it } from "vitest";

function classifierOn(columns: readonly Column[], weights: readonly number[], intercept = 0): Classifier {
  return createClassifier({
    schema: { columns },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, intercept),
    weights: Float64Array.from(weights.flatMap((w) => [0, w])),
  });
}

const number = (name: string): Column => ({ name, kind: "numeric" });

/** Rows of correlated numbers. */
function correlatedRows(count: number, seed: number): Record<"a" | "b" | "c", number>[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const [u, v, w] = [g.normal(), g.normal(), g.normal()];
    return { a: u, b: 0.6 * u + 0.8 * v, c: 0.3 * u - 0.5 * v + w };
  });
}

const ABC = ["a", "b", "c"].map(number);

describe("a Gaussian fit", () => {
  const rows = correlatedRows(24, 8);
  const settings = { components: 1, numeric: "gaussian" } as const;
  const modelOf = (weights: readonly number[], own: readonly Row[], options = {}): Model =>
    conformMixture(classifierOn(ABC, weights, 0.3), own, { ...settings, ...options });
  const row = { a: 0.7 };
  const plain = predict(modelOf([1, -2, 1.5], rows), row).yes;

  it.each([2 ** 266, 2 ** -266])("does not depend on the unit of its columns: times %s", (unit) => {
    const scaled = rows.map(({ a, b, c }) => ({ a: unit * a, b: unit * b, c: unit * c }));
    const model = modelOf([1 / unit, -2 / unit, 1.5 / unit], scaled);
    expect(predict(model, { a: unit * row.a }).yes).toBeCloseTo(plain, 9);
  });

  it.each([2 ** 20, 2 ** -20])("does not depend on the unit of its columns: times %s", (unit) => {
    const scaled = rows.map(({ a, b, c }) => ({ a: unit * a, b: unit * b, c: unit * c }));
    const model = modelOf([1 / unit, -2 / unit, 1.5 / unit], scaled);
    expect(predict(model, { a: unit * row.a }).yes).toBeCloseTo(plain, 9);
  });

  it.each([
    ["a quarter and three quarters", [0.25, 0.75]],
    ["ten tenths", Array.from({ length: 10 }, () => 0.1)],
  ])("is the same where each row is cut into %s of it", (_, shares) => {
    const cut = rows.flatMap((own) => shares.map(() => own));
    const weights = rows.flatMap(() => shares);
    expect(predict(modelOf([1, -2, 1.5], cut, { weights }), row).yes).toBeCloseTo(plain, 9);
  });

  it("is the same where each row has weight 3 or stands there three times", () => {
    const weighted = modelOf([1, -2, 1.5], rows, { weights: rows.map(() => 3) });
    const repeated = modelOf([1, -2, 1.5], [...rows, ...rows, ...rows]);
    expect(predict(weighted, row).yes).toBeCloseTo(predict(repeated, row).yes, 9);
  });
});
