import { describe, expect, it } from "vitest";
import {
  conformMixture,
  createClassifier,
  type Estimate,
  howSure,
  type Model,
  type Row,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completed, quantileOf, topClass } from "../support/enumerate.ts";
import { expectError } from "../support/error.ts";
import { randomMixture, someOf, tiedModel } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

/** Sums over a few thousand completions. */
const EXACT = 1e-10;

/** The truth by enumeration: the same-decision probability and the two ends of the interval for one class. */
function truth(
  model: Model,
  row: Row,
  level: number,
  name: string,
  same: (a: Record<string, number>) => boolean,
) {
  const all = completed(model, row);
  const values = all.map(({ answer, probability }) => ({ value: answer[name], probability }));
  return {
    same: all.reduce((sum, { answer, probability }) => (same(answer) ? sum + probability : sum), 0),
    low: quantileOf(values, (1 - level) / 2),
    high: quantileOf(values, (1 + level) / 2),
  };
}

function expectWithin(what: string, { lower, upper }: Estimate, value: number): void {
  if (!(value >= lower - EXACT && value <= upper + EXACT))
    expect.fail(`${what}: ${value} not in ${lower} … ${upper}`);
}

describe("how sure", () => {
  it("brackets the enumerated truth on the grid, for one component and for mixtures", () => {
    for (let seed = 0; seed < 60; seed++) {
      const model = randomMixture({
        seed,
        columns: 7,
        classes: 2,
        components: 1 + (seed % 3),
        scale: 0.5 + (seed % 2),
      });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.3);
      const sure = howSure(model, row, { enumerate: 0, coverage: 0.8 });
      const { same, low, high } = truth(model, row, 0.8, sure.class, (a) => topClass(a) === sure.prediction);
      expect(sure.sameDecision.method).toBe("grid");
      expectWithin(`seed ${seed}: same decision`, sure.sameDecision, same);
      expectWithin(`seed ${seed}: low`, sure.interval[0], low);
      expectWithin(`seed ${seed}: high`, sure.interval[1], high);
    }
  });

  it("brackets it where completions tie all the time, and is exact there with more classes", () => {
    for (let seed = 0; seed < 200; seed++) {
      const classes = 2 + (seed % 4);
      const model = tiedModel(seed, 2 + (seed % 9), classes);
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.3);
      for (const enumerate of classes === 2 ? [0, 1e6] : [1e6]) {
        const sure = howSure(model, row, { enumerate });
        const { same, low, high } = truth(
          model,
          row,
          0.9,
          sure.class,
          (a) => topClass(a) === sure.prediction,
        );
        expectWithin(`seed ${seed}: same decision`, sure.sameDecision, same);
        expectWithin(`seed ${seed}: low`, sure.interval[0], low);
        expectWithin(`seed ${seed}: high`, sure.interval[1], high);
      }
    }
  });

  it("brackets it with 14 columns missing", () => {
    for (const components of [1, 2]) {
      const model = randomMixture({
        seed: 7,
        columns: 14,
        classes: 2,
        components,
        kinds: ["binary"],
        scale: 0.6,
      });
      const sure = howSure(model, {}, { enumerate: 0 });
      const { same, low, high } = truth(model, {}, 0.9, sure.class, (a) => topClass(a) === sure.prediction);
      expect(sure.sameDecision.method).toBe("grid");
      expectWithin("same decision", sure.sameDecision, same);
      expectWithin("low", sure.interval[0], low);
      expectWithin("high", sure.interval[1], high);
    }
  });

  it("brackets it for a threshold on either class", () => {
    for (let seed = 0; seed < 40; seed++) {
      const model = randomModel({ seed, columns: 7, classes: 2 });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.3);
      const threshold = 0.1 + 0.8 * random(seed + 1).uniform();
      const name = `class ${seed % 2}`;
      for (const enumerate of [0, 1e6]) {
        const sure = howSure(model, row, { enumerate, threshold, class: name });
        const reached = sure.probability >= threshold;
        const { same, low, high } = truth(model, row, 0.9, name, (a) => a[name] >= threshold === reached);
        expect(sure.class).toBe(name);
        expectWithin(`seed ${seed}: same decision`, sure.sameDecision, same);
        expectWithin(`seed ${seed}: low`, sure.interval[0], low);
        expectWithin(`seed ${seed}: high`, sure.interval[1], high);
      }
    }
  });

  it("has bounds that are tight enough to use: within 0.001 for 20 missing numbers", () => {
    const model = randomModel({
      seed: 4,
      columns: 24,
      classes: 2,
      kinds: ["numeric", "categorical"],
      scale: 0.7,
    });
    const row = Object.fromEntries(Object.entries(randomRow(model, random(1))).slice(0, 4));
    const { sameDecision, interval } = howSure(model, row);
    expect(sameDecision.method).toBe("grid");
    for (const { lower, upper } of [sameDecision, ...interval]) expect(upper - lower).toBeLessThan(0.001);
  });

  it("is exact where completions are few, for any number of classes", () => {
    for (let seed = 0; seed < 40; seed++) {
      const model = randomMixture({ seed, columns: 5, classes: 2 + (seed % 4), components: 1 + (seed % 2) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.4);
      const sure = howSure(model, row);
      const { same, low, high } = truth(model, row, 0.9, sure.class, (a) => topClass(a) === sure.prediction);
      expect(sure.sameDecision.method).toBe("exact");
      expect(sure.sameDecision.value).toBeCloseTo(same, 10);
      expect(sure.interval[0].value).toBeCloseTo(low, 10);
      expect(sure.interval[1].value).toBeCloseTo(high, 10);
    }
  });

  it("draws completions for more classes, within its standard error, the same for the same seed", () => {
    let outside = 0;
    for (let seed = 0; seed < 60; seed++) {
      const model = randomMixture({ seed, columns: 6, classes: 3 + (seed % 2), components: 1 + (seed % 2) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.3);
      const options = { enumerate: 0, samples: 2000, seed };
      const sure = howSure(model, row, options);
      expect(howSure(model, row, options)).toEqual(sure);
      const { same } = truth(model, row, 0.9, sure.class, (a) => topClass(a) === sure.prediction);
      expect(sure.sameDecision.method).toBe("sampling");
      if (same < sure.sameDecision.lower || same > sure.sameDecision.upper) outside++;
      expect(Math.abs(sure.sameDecision.value - same)).toBeLessThan(0.06); // over five standard errors
    }
    expect(outside).toBeLessThan(10); // 95 % intervals: 3 of 60 are expected outside
  });

  it("is certain when nothing is missing", () => {
    const model = randomModel({ seed: 2, columns: 5, classes: 3 });
    const sure = howSure(model, randomRow(model, random(2)));
    expect(sure.sameDecision).toEqual({ value: 1, lower: 1, upper: 1, method: "exact" });
    expect(sure.interval[0].value).toBeCloseTo(sure.probability, 12);
  });

  it("refuses probabilities that are none and unknown classes", () => {
    const model = randomModel({ seed: 2, columns: 3, classes: 2 });
    expectError(
      () => howSure(model, {}, { coverage: 1 }),
      "invalid-argument",
      /options\.coverage must be a probability/,
    );
    expectError(
      () => howSure(model, {}, { threshold: -1 }),
      "invalid-argument",
      /options\.threshold .* got -1/,
    );
    expectError(() => howSure(model, {}, { class: "c" }), "unknown-class", /"c" is not a class/);
    expectError(() => howSure(model, { x9: 1 }), "unknown-column", /"x9"/);
  });
});

it("bounds of a grid are in order where all is certain and weights come to 1 and a rounding more", () => {
  const classifier = createClassifier({
    schema: {
      columns: [
        { name: "a", kind: "categorical", values: ["x", "y"] },
        { name: "b", kind: "binned", edges: [1, 3] },
        { name: "c", kind: "binary" },
      ],
    },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 1.83),
    weights: Float64Array.of(0, -0.285, 0, 2.481, 0, -2.568, 0, 2.997, 0, -2.691, 0, -2.79),
  });
  const rows = ["x10", "x00", "y00", "x01", "-00", "y01", "y10", "y11"].map(([a, b, c]) => ({
    a: a === "-" ? null : a,
    b: Number(b),
    c: Number(c),
  }));
  for (let seed = 0; seed < 6; seed++) {
    const model = conformMixture(classifier, rows, { components: 3, pseudocount: 100, seed });
    const { lower, value, upper } = howSure(model, { a: "y", b: 3, c: 0 }, { enumerate: 0 }).sameDecision;
    expect([lower <= value, value <= upper, upper <= 1]).toEqual([true, true, true]);
  }
});
