import { expect, test } from "vitest";
import { solvePrior } from "../../src/gaussian/class-prior.ts";
import { random } from "../../src/math/random.ts";

/** Both problems are solved to rounding, in sums of another length. */
const ROUNDING = 1e-12;

test.each([7, 40])(
  "the class prior of %d classes depends on their distances, not on how many coordinates say them",
  (K) => {
    // 40 classes in 2 coordinates are few directions, which steps go through; in 40 coordinates they are not.
    const rank = 2;
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
      const [ours, theirs] = [few, many].map(({ response }) => squareOf(matrixOf(response, K), K));
      ours.forEach((x, at) => {
        expect(Math.abs(x - theirs[at])).toBeLessThan(ROUNDING);
      });
    }
  },
);

/** R, K × K, from the rows that it turns unit vectors into. */
function matrixOf(timesRoot: ReturnType<typeof solvePrior>["response"], K: number): Float64Array {
  const unit = new Float64Array(2 * K);
  unit[K] = 1;
  const root = new Float64Array(K * K);
  for (let k = 0; k < K; k++) {
    timesRoot(unit, K - k, root, k * K);
  }
  return root;
}

/** R Rᵀ, which is the same for all roots R. */
function squareOf(root: Float64Array, K: number): Float64Array {
  return Float64Array.from({ length: K * K }, (_, at) => {
    const [k, l] = [Math.floor(at / K), at % K];
    let sum = 0;
    for (let j = 0; j < K; j++) sum += root[k * K + j] * root[l * K + j];
    return sum;
  });
}
