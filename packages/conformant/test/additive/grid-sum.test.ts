import { describe, expect, it } from "vitest";
import { gridSum, type Term } from "../../src/additive/grid-sum.ts";
import { conform, createClassifier, expectedPrediction, howSure, type Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";

/** Rounding of the enumeration itself. */
const EXACT = 1e-10;
/** Places that a grid of so many points may have at most. */
const [POINTS, MOST] = [4096, 3 * 4 * 4096];

/** P(sum ≥ t) by enumeration. */
function atLeast(terms: readonly Term[], t: number): number {
  const [first, ...rest] = terms;
  if (first === undefined) return Number(0 >= t);
  return first.values.reduce((sum, x, v) => sum + first.probabilities[v] * atLeast(rest, t - x), 0);
}

function randomTerms(seed: number): Term[] {
  const g = random(seed);
  return Array.from({ length: 1 + g.integer(9) }, () => {
    const count = 2 + g.integer(2);
    const size = 10 ** (g.integer(2) === 0 ? 3 * g.uniform() : -300 * g.uniform() ** 3);
    const odds = Array.from({ length: count }, () => Math.exp((g.integer(3) === 0 ? 30 : 1) * g.normal()));
    const total = odds.reduce((sum, p) => sum + p, 0);
    return {
      values: Float64Array.from({ length: count }, () => size * g.normal()),
      probabilities: Float64Array.from(odds, (p) => p / total),
    };
  });
}

describe("a sum on a grid", () => {
  it("brackets the enumerated sum for values of any size, with a bounded number of places", () => {
    for (let seed = 0; seed < 300; seed++) {
      const terms = randomTerms(seed);
      const { offset, step, places, mass, error, lost } = gridSum(terms, POINTS);
      expect(places.length).toBeLessThan(MOST);
      const beyond = (t: number): number =>
        mass.reduce((sum, p, j) => (offset + places[j] * step >= t ? sum + p : sum), 0);
      const g = random(seed + 1000);
      for (const t of Array.from({ length: 20 }, () =>
        terms.reduce((sum, { values }) => sum + values[g.integer(values.length)], 0),
      )) {
        const truth = atLeast(terms, t);
        // Enumeration adds in another order: numbers within its rounding of t may fall on either side.
        const near = error + 1e-12 * Math.abs(t);
        expect(beyond(t + near)).toBeLessThanOrEqual(truth + lost + EXACT);
        expect(beyond(t - near)).toBeGreaterThanOrEqual(truth - lost - EXACT);
      }
    }
  });

  it("is exact where one value is far from all others, and has no place between them", () => {
    const far: Term = { values: Float64Array.of(0, 1e9), probabilities: Float64Array.of(0.5, 0.5) };
    const near: Term = { values: Float64Array.of(0, 1e-3), probabilities: Float64Array.of(0.25, 0.75) };
    const { mass, places, error } = gridSum([near, far, near], 1024);
    expect([...mass]).toEqual(
      [1 / 32, 6 / 32, 9 / 32, 1 / 32, 6 / 32, 9 / 32].map((p) => expect.closeTo(p, 12)),
    );
    expect(places).toHaveLength(6);
    expect(error).toBeLessThan(1e-2);
  });
});

describe("sixteen 0/1 columns, one of weight w and the others of weight 1e-4", () => {
  const names = Array.from({ length: 16 }, (_, i) => `x${i}`);
  const model = (w: number) => {
    const weights = Float64Array.from({ length: 32 }, (_, j) => (j % 2 === 0 ? 0 : j === 1 ? w : 1e-4));
    const classifier = createClassifier({
      schema: { columns: names.map((name) => ({ name, kind: "binary" as const })) },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, -w / 2),
      weights,
    });
    const g = random(1);
    const rows: Row[] = Array.from({ length: 50 }, () =>
      Object.fromEntries(names.map((name) => [name, g.integer(2)])),
    );
    return conform(classifier, rows);
  };

  it.each([1e-300, 1e-4, 1, 40, 100, 1e3, -1e3])(
    "w = %s: the grid brackets what all completions give",
    (w) => {
      const fitted = model(w);
      const [grid, exact] = [0, 1 << 16].map((enumerate) => howSure(fitted, {}, { enumerate }));
      expect(grid.sameDecision.method).toBe("grid");
      expect(grid.sameDecision.lower).toBeLessThanOrEqual(exact.sameDecision.value + EXACT);
      expect(grid.sameDecision.upper).toBeGreaterThanOrEqual(exact.sameDecision.value - EXACT);
      expect(grid.sameDecision.upper - grid.sameDecision.lower).toBeLessThan(w === 1e-300 ? 1 : 1e-6);
      grid.interval.forEach(({ lower, upper }, end) => {
        expect(lower).toBeLessThanOrEqual(exact.interval[end].value + EXACT);
        expect(upper).toBeGreaterThanOrEqual(exact.interval[end].value - EXACT);
      });
      const other = createClassifier({ ...fitted.predictor, intercept: Float64Array.of(0, 0.3) });
      const [bounds, truth] = [0, 1 << 16].map(
        (enumerate) => expectedPrediction(other, fitted, {}, { enumerate }).yes,
      );
      expect(bounds.lower).toBeLessThanOrEqual(truth.value + EXACT);
      expect(bounds.upper).toBeGreaterThanOrEqual(truth.value - EXACT);
      expect(bounds.upper - bounds.lower).toBeLessThan(1e-6);
    },
  );
});
