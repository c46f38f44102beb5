import { describe, expect, it } from "vitest";
import { conform, createClassifier, logEvidence, type Row, sample, surprise } from "../../src/index.ts";
import { randomGaussianModel } from "../support/random-gaussian-model.ts";

/** A line, how finely it is walked, and how well such a walk knows a share: a step at each end of where a density is high. */
const [FROM, TO, STEP, WALK_TOLERANCE] = [-15, 15, 0.015, 1e-2];
/** Five standard errors of the shares of 4000 draws. */
const DRAWN = 5 * Math.sqrt(0.25 / 4000);

describe("surprise with a Gaussian block", () => {
  it("enumerates where no number of the block is known", () => {
    for (let seed = 0; seed < 10; seed++) {
      const model = randomGaussianModel({
        seed,
        numbers: 3,
        classes: 2 + (seed % 3),
        components: 1 + (seed % 4),
      });
      const { share, expected } = surprise(model, { colour: "green", bit: 1 });
      const others = ["blue", "green", "red"].flatMap((colour) =>
        [0, 1].map((bit) => logEvidence(model, { colour, bit })),
      );
      const own = logEvidence(model, { colour: "green", bit: 1 });
      const truth = others.filter((e) => e <= own + 1e-9).reduce((sum, e) => sum + Math.exp(e), 0);
      expect(share.method).toBe("exact");
      expect(share.value).toBeCloseTo(truth, 12);
      expect(expected).toBeCloseTo(
        others.reduce((sum, e) => sum + Math.exp(e) * e, 0),
        11,
      );
    }
  });

  it("follows the density where one number is known, alone and beside a category", () => {
    for (let seed = 0; seed < 3; seed++) {
      const model = randomGaussianModel({
        seed,
        numbers: 2,
        classes: 2 + (seed % 3),
        components: 1 + (seed % 3),
      });
      for (const known of [{}, { colour: "red" }] as Row[]) {
        for (const x1 of [0.5, -6]) {
          const { share, expected, logEvidence: own } = surprise(model, { ...known, x1 });
          expect(own).toBeCloseTo(logEvidence(model, { ...known, x1 }), 12);
          const colours = "colour" in known ? ["blue", "green", "red"] : [undefined];
          let [truth, mean] = [0, 0];
          for (const colour of colours) {
            for (let x = FROM; x < TO; x += STEP) {
              const e = logEvidence(model, colour === undefined ? { x1: x } : { colour, x1: x });
              if (e <= own + 1e-9) truth += STEP * Math.exp(e);
              mean += STEP * Math.exp(e) * e;
            }
          }
          expect(share.method).toBe("exact");
          expect(Math.abs(share.value - truth)).toBeLessThan(WALK_TOLERANCE);
          expect(Math.abs(expected - mean)).toBeLessThan(WALK_TOLERANCE);
        }
      }
    }
  });

  it("agrees with rows drawn from the model where one number is known", () => {
    const model = randomGaussianModel({ seed: 5, numbers: 3, classes: 3, components: 2 });
    const row = { x2: 1.5, bit: 0 };
    const own = logEvidence(model, row);
    const drawn = sample(model, {}, { count: 4000, seed: 3 });
    const below = drawn.filter(({ x2, bit }) => logEvidence(model, { x2, bit } as Row) <= own + 1e-9).length;
    expect(Math.abs(surprise(model, row).share.value - below / 4000)).toBeLessThan(DRAWN);
  });
});

it("is finite where a value has probability 0", () => {
  const classifier = createClassifier({
    schema: { columns: [{ name: "c", kind: "categorical", values: ["a", "b", "never"] }] },
    classes: ["n", "y"],
    intercept: Float64Array.of(0, 0),
    weights: Float64Array.of(0, 1, 0, -1, 0, 2),
  });
  const model = conform(classifier, [{ c: "a" }, { c: "b" }], { pseudocount: 0 });
  const { expected, share } = surprise(model, { c: "a" });
  expect(Number.isFinite(expected)).toBe(true);
  expect(share.value).toBeCloseTo(1, 9);
});
