import { describe, expect, it } from "vitest";
import { integrate } from "../../src/math/integrate.ts";
import { logNormalAbove, logNormalInterval, normalBelow, normalDensity } from "../../src/math/normal.ts";

/** x and P(X ≤ x), the tails to 60 digits by Laplace's continued fraction, the rest as the C library's erfc has it. */
const KNOWN = [
  [-30, 4.906713927148187e-198],
  [-8.3, 5.205569744890254e-17],
  [-3.0001, 0.001349454913260717],
  [-2.9999, 0.0013503412829549248],
  [-1, 0.15865525393145707],
  [-0.1, 0.460172162722971],
  [0, 0.5],
  [0.5, 0.6914624612740131],
  [2.7, 0.9965330261969594],
  [3.2, 0.9993128620620841],
  [6, 0.9999999990134123],
] as const;

describe("the normal distribution", () => {
  it("has the tails that erfc has, also where they are tiny", () => {
    for (const [x, p] of KNOWN) expect(Math.abs(normalBelow(x) / p - 1)).toBeLessThan(1e-13);
    for (const [x, p] of KNOWN) expect(Math.abs(logNormalAbove(-x) - Math.log(p))).toBeLessThan(1e-12);
  });

  it("is the integral of its density, across the seams of its approximations", () => {
    for (const seam of [-4 * Math.SQRT2, -0.46875 * Math.SQRT2, 0.46875 * Math.SQRT2, 4 * Math.SQRT2]) {
      const [from, to] = [seam - 0.01, seam + 0.01];
      const { value } = integrate(normalDensity, [from, to], 1e-16);
      const difference =
        seam < 0 ? normalBelow(to) - normalBelow(from) : normalBelow(-from) - normalBelow(-to);
      expect(Math.abs(difference - value)).toBeLessThan(1e-15);
      expect(Math.abs(Math.exp(logNormalAbove(seam)) - normalBelow(-seam))).toBeLessThan(1e-15);
    }
  });

  it("has intervals that are differences of tails, and narrow ones that are densities", () => {
    for (const z of [-4, -0.3, 0, 1.2, 7]) {
      for (const half of [1e-3, 0.2, 3]) {
        const { value } = integrate(
          (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI),
          [z - half, z + half],
          1e-16,
        );
        expect(Math.abs(logNormalInterval(z, half) - Math.log(value))).toBeLessThan(1e-9);
      }
      const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
      expect(logNormalInterval(z, 1e-9)).toBeCloseTo(Math.log(2e-9 * density), 12);
    }
    expect(logNormalInterval(50, 0.5)).toBeLessThan(-1200);
  });
});

describe("adaptive quadrature", () => {
  it("meets its tolerance on smooth and on peaked functions", () => {
    expect(integrate(Math.exp, [0, 1], 1e-13).value).toBeCloseTo(Math.E - 1, 13);
    const peak = integrate((x) => 1 / (1e-4 + x * x), [-1, 1], 1e-9);
    expect(Math.abs(peak.value - 200 * Math.atan(100))).toBeLessThan(1e-8);
  });
});
