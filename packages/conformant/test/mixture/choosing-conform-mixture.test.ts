import { describe, expect, it, vi } from "vitest";
import {
  classify,
  conform,
  conformMixture,
  loadModel,
  logEvidence,
  predict,
  predictColumns,
  type Row,
  saveModel,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { completions, randomClassifier, randomModel, randomRow } from "../support/random-model.ts";

/** Conformity is exact; what is left is the rounding of sums over columns and components. */
const CONFORMITY = 1e-12;
/** How much the mean log-likelihood may fall by rounding. */
const ROUNDING = 1e-9;

/** Rows from two groups that differ in most columns, so that columns are far from independent. */
function clusteredRows(seed: number, count: number, columns: number, gaps = 0): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const group = g.integer(2);
    const cell = (i: number): [string, number | null] => [
      `x${i}`,
      g.uniform() < gaps ? null : g.uniform() < (group === 0 ? 0.1 : 0.9) ? 1 : 0,
    ];
    return Object.fromEntries(Array.from({ length: columns }, (_, i) => cell(i)));
  });
}

const binary = (columns: number, classes: number) =>
  randomClassifier({ seed: 7, columns, classes, kinds: ["binary"] });

describe("a conformant mixture", () => {
  it("is the classifier on complete rows, for every number of components", () => {
    const source = randomModel({ seed: 3, columns: 6, classes: 3 });
    const g = random(1);
    const rows = Array.from({ length: 200 }, () => randomRow(source, g));
    for (const components of [1, 2, 3, 5, 8]) {
      const model = conformMixture(source.predictor, rows, { components });
      expect(model.certificate.conformityError).toBeLessThan(CONFORMITY);
      for (const row of rows.slice(0, 40)) {
        const [ours, theirs] = [predict(model, row), classify(source.predictor, row)];
        for (const name of source.predictor.classes) expect(ours[name]).toBe(theirs[name]);
        const nearly = { ...row, [source.predictor.schema.columns[0].name]: null };
        expect(predictColumns(model, [row, nearly, row]).probabilities.slice(0, 3)).toEqual(
          Float64Array.from(source.predictor.classes, (name) => theirs[name]),
        );
      }
    }
  });

  it("never lets the likelihood fall, with complete rows and with gaps", () => {
    for (const gaps of [0, 0.3]) {
      for (const [pseudocount, shrinkage] of [
        [0, 0],
        [1, 1],
      ] as const) {
        const rows = clusteredRows(5, 400, 8, gaps);
        const { certificate } = conformMixture(binary(8, 3), rows, {
          components: 4,
          pseudocount,
          shrinkage,
          tolerance: 0,
          maxIterations: 30,
        });
        const { objective = [] } = certificate.mixture ?? {};
        expect(objective.length).toBe(31);
        objective.forEach((value, step) => {
          if (step > 0) expect(value).toBeGreaterThanOrEqual(objective[step - 1] - ROUNDING);
        });
      }
    }
  });

  it("reports the likelihood that its rows have, known columns only", () => {
    const rows = clusteredRows(9, 150, 6, 0.2);
    const model = conformMixture(binary(6, 2), rows, { components: 3, pseudocount: 0, shrinkage: 0 });
    const mean = rows.reduce((sum, row) => sum + logEvidence(model, row), 0) / rows.length;
    expect(model.certificate.mixture?.objective.at(-1)).toBeCloseTo(mean, 9);
  });

  it("is a distribution: it sums to one over all rows", () => {
    const model = conformMixture(binary(6, 3), clusteredRows(2, 100, 6), { components: 3 });
    let total = 0;
    for (const full of completions(model, {})) total += Math.exp(logEvidence(model, full));
    expect(Math.abs(total - 1)).toBeLessThan(1e-10);
  });

  it("gives the expected prediction by enumeration, whatever is missing", () => {
    const model = conformMixture(binary(6, 3), clusteredRows(2, 100, 6), { components: 3 });
    const row = { x0: 1, x3: 0 };
    const sums = new Map(model.response.outputs.map((name) => [name, 0]));
    let evidence = 0;
    for (const full of completions(model, row)) {
      const weight = Math.exp(logEvidence(model, full));
      for (const [name, p] of Object.entries(classify(model.predictor, full)))
        sums.set(name, (sums.get(name) ?? 0) + weight * p);
      evidence += weight;
    }
    const answer = predict(model, row);
    for (const [name, sum] of sums) expect(Math.abs(answer[name] - sum / evidence)).toBeLessThan(CONFORMITY);
  });

  it("with one component and complete rows is the paper's method", () => {
    const rows = clusteredRows(4, 120, 5);
    const classifier = binary(5, 3);
    const one = conformMixture(classifier, rows, { components: 1, shrinkage: 0 });
    const naive = conform(classifier, rows);
    one.components[0].logQ.forEach((x, j) => {
      expect(Math.abs(x - naive.components[0].logQ[j])).toBeLessThan(1e-8);
    });
  });

  it("finds the groups that one component cannot see", () => {
    const rows = clusteredRows(8, 600, 10);
    const held = clusteredRows(88, 200, 10);
    const classifier = binary(10, 2);
    const likelihood = (components: number): number => {
      const model = conformMixture(classifier, rows, { components });
      return held.reduce((sum, row) => sum + logEvidence(model, row), 0) / held.length;
    };
    expect(likelihood(2)).toBeGreaterThan(likelihood(1) + 1);
  });

  it("chooses its size by its answers to held-out rows with hidden cells and shows the curve", () => {
    const { components, certificate } = conformMixture(binary(10, 2), clusteredRows(8, 600, 10));
    const { curve = [], folds, rows, masks } = certificate.choice ?? {};
    expect(curve.map((score) => score.components)).toEqual([1, 2, 4, 8].slice(0, curve.length));
    expect(components.length).toBe(2);
    expect({ folds, rows, masks }).toEqual({ folds: 3, rows: 600, masks: 3 });
    expect(curve[1].crossEntropy).toBeLessThan(curve[0].crossEntropy as number);
    expect(curve[1].logLikelihood).toBeGreaterThan(curve[0].logLikelihood + 1);
    const independent = Array.from({ length: 300 }, (_, r) => ({
      x0: r % 2,
      x1: (r >> 1) % 2,
      x2: (r >> 2) % 2,
    }));
    expect(conformMixture(binary(3, 2), independent).components.length).toBe(1);
    const hurried = conformMixture(binary(10, 2), clusteredRows(8, 600, 10), { timeLimit: 0 });
    expect(hurried.certificate.choice?.curve).toHaveLength(1);
    expect(hurried.certificate.choice).toMatchObject({
      untried: [{ components: 2, gaussian: [] }],
      timedOut: true,
    });
  });

  it("is the same on a machine that is a million times slower, unless there is a time limit", () => {
    const rows = clusteredRows(8, 200, 6);
    const quick = saveModel(conformMixture(binary(6, 2), rows));
    let hours = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => 3_600_000 * hours++);
    try {
      expect(saveModel(conformMixture(binary(6, 2), rows))).toBe(quick);
      const limited = conformMixture(binary(6, 2), rows, { timeLimit: 60 });
      expect(limited.certificate.choice?.curve).toHaveLength(1);
    } finally {
      clock.mockRestore();
    }
  });

  it("counts weighted rows as if they were repeated", () => {
    const rows = clusteredRows(6, 80, 5, 0.2);
    const classifier = binary(5, 2);
    const repeated = conformMixture(classifier, [...rows, ...rows], {
      components: 1,
      maxIterations: 40,
      tolerance: 0,
    });
    const weighted = conformMixture(classifier, rows, {
      components: 1,
      weights: rows.map(() => 2),
      maxIterations: 40,
      tolerance: 0,
    });
    weighted.components[0].logQ.forEach((x, j) => {
      expect(x).toBeCloseTo(repeated.components[0].logQ[j], 7);
    });
  });

  it("is the same for the same seed, and drops components that run empty", () => {
    const rows = clusteredRows(3, 12, 4);
    const classifier = binary(4, 2);
    const build = () =>
      conformMixture(classifier, rows, { components: 10, seed: 4, shrinkage: 0, pseudocount: 0.1 });
    expect(saveModel(build())).toBe(saveModel(build()));
    const { components, certificate } = build();
    expect(components.length + (certificate.mixture?.dropped ?? 0)).toBe(10);
  });

  it("shares all of the weight among its components, also where one was left out in the last step", () => {
    let dropped = 0;
    for (let seed = 0; seed < 40; seed++) {
      const rows = clusteredRows(seed, 12, 1 + (seed % 4));
      const model = conformMixture(binary(1 + (seed % 4), 2), rows, {
        components: 8,
        maxIterations: 1 + (seed % 3),
        seed,
      });
      const weights = model.components.map(({ logWeight }) => Math.exp(logWeight));
      expect(Math.abs(weights.reduce((sum, w) => sum + w, 0) - 1)).toBeLessThan(CONFORMITY);
      dropped += model.certificate.mixture?.dropped ?? 0;
    }
    expect(dropped).toBeGreaterThan(0);
  });

  it("takes weights of any size: shares, and thousands of rows each", () => {
    const rows = clusteredRows(2, 40, 4);
    for (const weight of [1e-90, 1e-9, 1 / 40, 1e9]) {
      const model = conformMixture(binary(4, 2), rows, { weights: rows.map(() => weight), components: 4 });
      expect(model.components.length).toBeGreaterThan(0);
      expect(predict(model, rows[0])).toEqual(classify(model.predictor, rows[0]));
    }
  });

  it("survives the model file", () => {
    const model = conformMixture(binary(5, 3), clusteredRows(1, 60, 5), { components: 3 });
    const copy = loadModel(saveModel(model));
    expect(predict(copy, { x1: 1 })).toEqual(predict(model, { x1: 1 }));
    expect(copy.certificate).toEqual(model.certificate);
  });

  it("names the option that does not fit", () => {
    const rows = clusteredRows(1, 5, 4);
    expectError(
      () => conformMixture(binary(4, 2), rows, { components: 0 }),
      "invalid-argument",
      /options.components must be "auto" or a whole number of at least 1, got 0/,
    );
    expectError(
      () => conformMixture(binary(4, 2), rows, { components: 2, shrinkage: -1 }),
      "invalid-argument",
      /options.shrinkage .* got -1/,
    );
    expectError(() => conformMixture(binary(4, 2), [], { components: 2 }), "empty-data", /needs rows/);
  });

  it("chooses a size where one row alone has a value of some column, whichever rows are held out", () => {
    const rows = clusteredRows(1, 40, 4).map((row, r): Row => ({ ...row, x2: r === 17 ? 1 : null }));
    for (let seed = 0; seed < 20; seed++)
      expect(conformMixture(binary(4, 2), rows, { seed }).certificate.choice).toBeDefined();
    const one = conformMixture(binary(4, 2), [{ x0: 1, x1: 0, x2: 1, x3: 0 }]);
    expect(one.components).toHaveLength(1);
    expect(one.certificate.choice).toBeUndefined();
  });
});
