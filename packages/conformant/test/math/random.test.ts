import { expect, it } from "vitest";
import { drawIndex, random } from "../../src/math/random.ts";

/** Draws of an index; five standard errors of a share bound its deviation. */
const DRAWS = 20_000;
const FIVE_ERRORS = 5 * Math.sqrt(0.25 / DRAWS);

it.each([[[3, 0, 5, 2, 0]], [[0.25, 0.75]], [[7]]])(
  "an index is drawn as often as its weight says: %j",
  (weights) => {
    const g = random(3);
    const total = weights.reduce((sum, w) => sum + w, 0);
    const seen = weights.map(() => 0);
    for (let draw = 0; draw < DRAWS; draw++) seen[drawIndex(g, weights.length, (j) => weights[j])]++;
    weights.forEach((w, j) => {
      expect(Math.abs(seen[j] / DRAWS - w / total)).toBeLessThanOrEqual(w === 0 ? 0 : FIVE_ERRORS);
    });
  },
);

it("a known total saves the sum and changes no draw", () => {
  const weights = [0.5, 0.125, 0.375];
  const [a, b] = [random(8), random(8)];
  for (let draw = 0; draw < 100; draw++)
    expect(drawIndex(a, 3, (j) => weights[j], 1)).toBe(drawIndex(b, 3, (j) => weights[j]));
});
