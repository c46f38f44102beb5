import { describe, expect, it, vi } from "vitest";
import * as normal from "../../src/math/normal.ts";
import {
  mixtureAbove,
  mixtureQuantile,
  mixtureQuantiles,
  type NormalMixture,
} from "../../src/math/normal-mixture.ts";

import { random } from "../../src/math/random.ts";

/** By halving from far outside, to the last bits. */
function byBisection(mixture: NormalMixture, p: number): number {
  let [low, high] = [-1e6, 1e6];
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    const below = mixtureAbove({ ...mixture, means: mixture.means.map((x) => -x) }, -middle);
    if (p < 0.5 ? below < p : mixtureAbove(mixture, middle) > 1 - p) low = middle;
    else high = middle;
  }
}

function randomMixture(seed: number, components: number, spread: number): NormalMixture {
  const g = random(seed);
  const weights = Float64Array.from({ length: components }, () => Math.exp(4 * g.normal()));
  const total = weights.reduce((a, b) => a + b, 0);
  return {
    weights: weights.map((w) => w / total),
    means: Float64Array.from({ length: components }, () => 3 + spread * g.normal()),
    standardDeviations: Float64Array.from({ length: components }, () => Math.exp(2 * g.normal())),
  };
}

const SHARES = Float64Array.of(1e-12, 0.001, 0.02, 0.3, 0.5, 0.500001, 0.77, 0.98, 0.999, 1 - 1e-9);

describe("quantiles of a mixture of normal distributions", () => {
  it("are those of bisection, with one and with many components, near and far apart", () => {
    for (const [seed, components] of [1, 2, 3, 12, 40].entries()) {
      for (const spread of [0.1, 5, 500]) {
        const mixture = randomMixture(seed, components, spread);
        const found = mixtureQuantiles(mixture, SHARES);
        SHARES.forEach((p, j) => {
          const truth = byBisection(mixture, p);
          expect(Math.abs(found[j] - truth)).toBeLessThan(1e-10 * (1 + Math.abs(truth)));
          expect(Math.abs(mixtureQuantile(mixture, p) - truth)).toBeLessThan(1e-10 * (1 + Math.abs(truth)));
        });
      }
    }
  });

  it("take a handful of evaluations", () => {
    const mixture = randomMixture(7, 5, 2);
    const count = vi.spyOn(normal, "normalBelow");
    mixtureQuantiles(
      mixture,
      Float64Array.from({ length: 32 }, (_, j) => (j + 0.5) / 32),
    );
    const evaluations = count.mock.calls.length / mixture.weights.length / 32;
    expect(evaluations).toBeGreaterThan(1);
    expect(evaluations).toBeLessThan(6);
    count.mockRestore();
  });

  it("jump at points, and lie at the edge of a gap", () => {
    const points = {
      weights: Float64Array.of(0.25, 0.5, 0.25),
      means: Float64Array.of(-1, 2, 0),
      standardDeviations: Float64Array.of(0, 0, 1),
    };
    expect(mixtureQuantile(points, 0.8)).toBeCloseTo(2, 12);
    expect(mixtureQuantile(points, 0.5)).toBeCloseTo(byBisection(points, 0.5), 9);
    const spike = {
      weights: Float64Array.of(0.5, 0.5),
      means: Float64Array.of(0, 1),
      standardDeviations: Float64Array.of(1e-15, 1e-15),
    };
    expect(mixtureQuantile(spike, 0.3)).toBeCloseTo(0, 12);
    expect(mixtureQuantile(spike, 0.7)).toBeCloseTo(1, 12);
  });
});

it("a component without spread is a point, which is above itself", () => {
  const mixture = {
    weights: Float64Array.of(0.25, 0.75),
    means: Float64Array.of(2, 5),
    standardDeviations: new Float64Array(2),
  };
  expect([1, 2, 2.5, 5, 6].map((t) => mixtureAbove(mixture, t))).toEqual([1, 1, 0.75, 0.75, 0]);
});
