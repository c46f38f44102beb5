import { describe, expect, it } from "vitest";
import { logJoint } from "../../src/entries/internal.ts";
import {
  classify,
  impute,
  logEvidence,
  type Model,
  predict,
  predictColumns,
  type Row,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completions, randomModel, randomRow } from "../support/random-model.ts";

/** Sums over up to 2¹² completions of products of 12 numbers: rounding stays well below this. */
const EXACT = 1e-12;

/** Columns kept of a row, by the bits of a mask. */
function keep(row: Row, mask: number): Row {
  return Object.fromEntries(Object.entries(row).filter((_, i) => (mask >> i) & 1));
}

/** E[F(y, m)] with m ~ P(m | y), by enumerating every completion m of the row and weighing F by P(y, m). */
function enumerated(model: Model, row: Row): { prediction: Record<string, number>; evidence: number } {
  const sums = Object.fromEntries(model.response.outputs.map((name) => [name, 0]));
  let evidence = 0;
  for (const full of completions(model, row)) {
    const weight = Math.exp(logEvidence(model, full));
    const answer = classify(model.predictor, full);
    for (const name of Object.keys(sums)) sums[name] += weight * answer[name];
    evidence += weight;
  }
  return {
    prediction: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / evidence])),
    evidence,
  };
}

function largestDifference(a: Record<string, number>, b: Record<string, number>): number {
  return Math.max(...Object.keys(a).map((name) => Math.abs(a[name] - b[name])));
}

describe("the expected prediction", () => {
  for (const classes of [2, 3, 4, 5]) {
    it(`equals enumeration over completions for every subset of mixed columns, ${classes} classes`, () => {
      for (let seed = 0; seed < 4; seed++) {
        const model = randomModel({ seed, columns: 5, classes });
        const row = randomRow(model, random(seed + 100));
        for (let mask = 0; mask < 32; mask++) {
          const given = keep(row, mask);
          const { prediction, evidence } = enumerated(model, given);
          expect(largestDifference(predict(model, given), prediction)).toBeLessThan(EXACT);
          expect(Math.abs(Math.exp(logEvidence(model, given)) - evidence)).toBeLessThan(EXACT);
        }
      }
    });

    it(`equals enumeration over completions for every subset of twelve 0/1 columns, ${classes} classes`, () => {
      const model = randomModel({ seed: classes, columns: 12, classes, kinds: ["binary"] });
      const row = randomRow(model, random(classes));
      const weights = new Map<number, { weight: number; answer: Record<string, number> }>();
      // Each full assignment once; a subset's expectation is a sum over those that agree with it.
      const names = model.schema.columns.map(({ name }) => name);
      for (let bits = 0; bits < 4096; bits++) {
        const full = Object.fromEntries(names.map((name, i) => [name, (bits >> i) & 1]));
        weights.set(bits, {
          weight: Math.exp(logEvidence(model, full)),
          answer: classify(model.predictor, full),
        });
      }
      const truth = names.reduce((bits, name, i) => bits | (Number(row[name]) << i), 0);
      for (let mask = 0; mask < 4096; mask++) {
        const sums = Object.fromEntries(model.response.outputs.map((name) => [name, 0]));
        let evidence = 0;
        const free = ~mask & 4095;
        for (let rest = free; ; rest = (rest - 1) & free) {
          const { weight, answer } = weights.get((truth & mask) | rest) as {
            weight: number;
            answer: Record<string, number>;
          };
          for (const name of model.response.outputs) sums[name] += weight * answer[name];
          evidence += weight;
          if (rest === 0) break;
        }
        const expected = Object.fromEntries(
          Object.entries(sums).map(([name, sum]) => [name, sum / evidence]),
        );
        const difference = largestDifference(predict(model, keep(row, mask)), expected);
        if (!(difference < EXACT)) expect.fail(`mask ${mask}: off by ${difference}`);
      }
    });
  }

  it("is the classifier's own answer on complete rows, to the last bit", () => {
    for (let seed = 0; seed < 50; seed++) {
      const model = randomModel({ seed, columns: 1 + (seed % 12), classes: 2 + (seed % 4), scale: 3 });
      const row = randomRow(model, random(seed));
      expect(predict(model, row)).toEqual(classify(model.predictor, row));
    }
  });

  it("uses the true value of an observed number, not its bin", () => {
    const model = randomModel({ seed: 3, columns: 4, classes: 3, kinds: ["numeric"] });
    const row = { x0: 0.123, x1: -40, x2: 17.5, x3: 0 };
    expect(predict(model, row)).toEqual(classify(model.predictor, row));
  });

  it("is the same for one row and for many columns of rows", () => {
    const model = randomModel({ seed: 8, columns: 9, classes: 4 });
    const g = random(8);
    const rows = Array.from({ length: 1500 }, () => keep(randomRow(model, g), g.integer(512)));
    const { probabilities, classes } = predictColumns(model, rows);
    rows.forEach((row, r) => {
      expect(classes.map((_, k) => probabilities[r * 4 + k])).toEqual(Object.values(predict(model, row)));
    });
  });
});

describe("the fitted distribution", () => {
  it("sums to one over all rows and classes", () => {
    for (let seed = 0; seed < 10; seed++) {
      const model = randomModel({ seed, columns: 6, classes: 3 });
      let total = 0;
      for (const full of completions(model, {})) {
        for (const log of Object.values(logJoint(model, full))) total += Math.exp(log);
      }
      expect(Math.abs(total - 1)).toBeLessThan(EXACT);
      expect(Math.abs(logEvidence(model, {}))).toBeLessThan(EXACT);
    }
  });

  it("conforms: P(k | x) from the joint equals the classifier on complete rows", () => {
    for (let seed = 0; seed < 50; seed++) {
      const model = randomModel({ seed, columns: 8, classes: 2 + (seed % 4), scale: 2 });
      const row = randomRow(model, random(seed));
      const evidence = logEvidence(model, row);
      const posterior = Object.fromEntries(
        Object.entries(logJoint(model, row)).map(([name, log]) => [name, Math.exp(log - evidence)]),
      );
      expect(largestDifference(posterior, classify(model.predictor, row))).toBeLessThan(EXACT);
      expect(model.certificate.conformityError).toBeLessThan(EXACT);
    }
  });
});

describe("imputation", () => {
  it("equals enumeration: the share of the completions' probability in which the column has the value", () => {
    for (let seed = 0; seed < 12; seed++) {
      const model = randomModel({ seed, columns: 5, classes: 2 + (seed % 3) });
      const given = keep(randomRow(model, random(seed)), 1 + (seed % 15));
      const answer = impute(model, given);
      const missing = model.schema.columns.filter(({ name }) => given[name] === undefined);
      expect(Object.keys(answer)).toEqual(missing.map(({ name }) => name));
      for (const { name } of missing) {
        const shares = new Map<unknown, number>();
        let evidence = 0;
        for (const full of completions(model, given)) {
          const weight = Math.exp(logEvidence(model, full));
          shares.set(full[name], (shares.get(full[name]) ?? 0) + weight);
          evidence += weight;
        }
        const expected = [...shares.values()].map((share) => share / evidence);
        const actual = Object.values(answer[name].probabilities);
        expected.forEach((share, j) => {
          expect(Math.abs(actual[j] - share)).toBeLessThan(EXACT);
        });
      }
    }
  });

  it("gives a number its mean and standard deviation", () => {
    const model = randomModel({ seed: 2, columns: 3, classes: 2, kinds: ["numeric"] });
    const { x1 } = impute(model, { x0: 0 });
    if (x1.kind !== "numeric") return expect.fail("a numeric column was imputed as discrete");
    const mean = x1.values.reduce((sum, value, j) => sum + value * x1.probabilities[j], 0);
    const square = x1.values.reduce((sum, value, j) => sum + value ** 2 * x1.probabilities[j], 0);
    expect(x1.mean).toBeCloseTo(mean, 12);
    expect(x1.standardDeviation).toBeCloseTo(Math.sqrt(square - mean ** 2), 12);
  });
});
