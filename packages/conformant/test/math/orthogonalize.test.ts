import { describe, expect, it } from "vitest";
import { orthogonaliseColumns } from "../../src/math/orthogonalize.ts";
import { random } from "../../src/math/random.ts";

/** Rounding of sums of a dozen products. */
const ROUNDING = 1e-13;

describe("orthogonaliseColumns", () => {
  it("turns columns by a rotation until no two of them have a part in common", () => {
    const g = random(3);
    for (const [m, n] of [
      [1, 1],
      [5, 2],
      [2, 5],
      [12, 9],
    ]) {
      const before = Float64Array.from({ length: m * n }, () => g.normal());
      const turned = before.slice();
      const rotation = Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
      orthogonaliseColumns(turned, n, rotation);
      for (let p = 0; p < n; p++) {
        for (let q = 0; q < n; q++) {
          let [columns, rows] = [0, 0];
          for (let r = 0; r < m; r++) columns += turned[r * n + p] * turned[r * n + q];
          for (let r = 0; r < n; r++) rows += rotation[r * n + p] * rotation[r * n + q];
          if (p !== q) expect(Math.abs(columns)).toBeLessThan(ROUNDING * m);
          expect(Math.abs(rows - (p === q ? 1 : 0))).toBeLessThan(ROUNDING * n);
        }
        for (let r = 0; r < m; r++) {
          let product = 0;
          for (let j = 0; j < n; j++) product += before[r * n + j] * rotation[j * n + p];
          expect(Math.abs(product - turned[r * n + p])).toBeLessThan(ROUNDING * n);
        }
      }
    }
  });

  it("keeps the digits of a singular value that is 1e-12 of the largest", () => {
    const turned = Float64Array.of(1e6, 1e6, 1e-6, -1e-6);
    orthogonaliseColumns(turned, 2);
    const lengths = [0, 1].map((j) => Math.hypot(turned[j], turned[2 + j])).sort((a, b) => a - b);
    expect(lengths[0] / (Math.SQRT2 * 1e-6)).toBeCloseTo(1, 12);
    expect(lengths[1] / (Math.SQRT2 * 1e6)).toBeCloseTo(1, 12);
  });
});
