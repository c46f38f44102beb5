import { expect, test } from "vitest";
import { solvePrior } from "../../src/gaussian/class-prior.ts";
import { random } from "../../src/math/random.ts";

/** Both problems are solved to rounding, in sums of another length. */
const ROUNDING = 1e-12;

test("the class prior depends on the distances of the classes, not on how many coordinates say them", () => {
  const [K, rank] = [7, 2];
  const generator = random(3);
  for (let round = 0; round < 20; round++) {
    const logits = Float64Array.from({ length: K }, () => generator.normal());
    const offset = Float64Array.from({ length: K }, () => generator.normal());
    const places = Float64Array.from({ length: K * rank }, () => 3 * generator.normal());
    const padded = new Float64Array(K * K);
    for (let k = 0; k < K; k++) for (let j = 0; j < rank; j++) padded[k * K + j] = places[k * rank + j];
    const [few, many] = [places, padded].map((x) => solvePrior(logits, { offset, places: x }));
    expect(few.value).toBeCloseTo(many.value, -Math.log10(ROUNDING));
    few.prior.forEach((p, k) => {
      expect(Math.abs(p - many.prior[k])).toBeLessThan(ROUNDING);
    });
    expect(few.residual).toBeLessThan(ROUNDING);
  }
});
