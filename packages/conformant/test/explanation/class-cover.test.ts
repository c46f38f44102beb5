import { describe, expect, it } from "vitest";
import { tangent } from "../../src/explanation/cover-search.ts";
import { random } from "../../src/math/random.ts";

describe("a tangent of the probability that must be kept", () => {
  it("cuts off the point it was made for and no set that keeps the probability", () => {
    let [cuts, touched] = [0, 0];
    for (let seed = 0; seed < 200; seed++) {
      const g = random(seed);
      const [others, items] = [1 + g.integer(4), 8];
      const gains = Array.from({ length: others }, () =>
        Float64Array.from({ length: items }, () => g.normal() + 0.3),
      );
      const before = Array.from({ length: others }, () => g.normal() - 1);
      const least = g.normal();
      const x = Float64Array.from({ length: items }, () => g.uniform());
      const cut = tangent(gains, before, least, x);
      const margins = (share: ArrayLike<number>): number[] =>
        before.map((m, r) => gains[r].reduce((sum, gain, j) => sum + gain * share[j], m));
      const logOdds = (share: ArrayLike<number>): number =>
        -Math.log(margins(share).reduce((sum, m) => sum + Math.exp(-m), 0));
      if (cut === undefined) {
        expect(logOdds(x)).toBeGreaterThan(least - 1e-5);
        continue;
      }
      cuts++;
      const side = (share: ArrayLike<number>): number =>
        cut.gains.reduce((sum, gain, j) => sum + gain * share[j], -cut.need);
      // Tangent: at its own point it is as far off as the goal.
      expect(side(x)).toBeCloseTo(logOdds(x) - least, 9);
      for (let mask = 0; mask < 2 ** items; mask++) {
        const set = Array.from({ length: items }, (_, j) => (mask >> j) & 1);
        if (logOdds(set) < least) continue;
        touched++;
        expect(side(set)).toBeGreaterThan(-1e-9);
      }
    }
    expect(cuts).toBeGreaterThan(50);
    expect(touched).toBeGreaterThan(500);
  });
});
