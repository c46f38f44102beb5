import { expect, test } from "vitest";
import { mixtureBetween, usualRange } from "../../src/entries/internal.ts";
import type { NumericImputation } from "../../src/index.ts";

const normal = { kind: "numeric", mean: 5, standardDeviation: 2 } as const;

test("the usual range of a normal number is 3.0902 deviations about its mean", () => {
  const density = {
    weights: Float64Array.of(1),
    means: Float64Array.of(5),
    standardDeviations: Float64Array.of(2),
  };
  const [low, high] = usualRange({
    ...normal,
    values: Float64Array.of(4, 6),
    probabilities: Float64Array.of(0.5, 0.5),
    density,
  });
  expect(low).toBeCloseTo(5 - 2 * 3.090232306167813, 9);
  expect(high).toBeCloseTo(5 + 2 * 3.090232306167813, 9);
});

test("the usual range of a number with atoms goes from the first to the last", () => {
  const atoms: NumericImputation = {
    ...normal,
    values: Float64Array.of(1, 5, 9),
    probabilities: Float64Array.of(0.2, 0.6, 0.2),
  };
  expect(usualRange(atoms)).toEqual([1, 9]);
});

test("the mass between two numbers counts points where a deviation is 0, also on the edge", () => {
  const mixture = {
    weights: Float64Array.of(0.25, 0.75),
    means: Float64Array.of(3, 0),
    standardDeviations: Float64Array.of(0, 1),
  };
  expect(mixtureBetween(mixture, -1, 1)).toBeCloseTo(0.75 * 0.6826894921370859, 12);
  expect(mixtureBetween(mixture, 3, 4)).toBeCloseTo(0.25 + 0.75 * 0.0013182267897969, 12);
});
