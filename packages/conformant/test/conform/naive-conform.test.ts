import { describe, expect, it } from "vitest";
import { holdProblem, reduce } from "../../src/conform/conform-problem.ts";
import { startingPoint } from "../../src/conform/newton.ts";
import { NewtonSystem } from "../../src/conform/newton-system.ts";
import { Objective } from "../../src/conform/objective.ts";
import {
  type Classifier,
  conform,
  createClassifier,
  logEvidence,
  type Marginals,
  type Model,
  predict,
} from "../../src/index.ts";
import { fastContext } from "../../src/kernels/context.ts";
import { plainFitKernels } from "../../src/kernels/plain-fitting.ts";
import { random } from "../../src/math/random.ts";
import { binaryMarginals } from "../support/binary.ts";
import { randomClassifier, randomMarginals, randomModel } from "../support/random-model.ts";

/** The bar for the match of the column marginals; the solver's own tolerance is 1e-11. */
const MARGINALS = 1e-9;

/** Σ_k P(k) P(v | k) for every atom of a model with one component. */
function modelMarginals({ atoms, components: [component] }: Model): Float64Array {
  const { logPrior, logQ, logZ } = component;
  const K = logPrior.length;
  const marginals = new Float64Array(logQ.length);
  atoms.columns.forEach(({ count }, i) => {
    for (let j = atoms.offsets[i]; j < atoms.offsets[i] + count; j++) {
      for (let k = 0; k < K; k++)
        marginals[j] += Math.exp(logPrior[k] + logQ[j] + atoms.scores[j * K + k] - logZ[i * K + k]);
    }
  });
  return marginals;
}

function shares({ columns }: Marginals): number[] {
  return columns.flatMap(({ counts }) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return [...counts].map((count) => count / total);
  });
}

describe("naive conformant learning", () => {
  it("matches every column's marginals where nothing is smoothed", () => {
    for (let seed = 0; seed < 40; seed++) {
      const g = random(seed);
      const classifier = randomClassifier(
        { seed, columns: 1 + (seed % 20), classes: 2 + (seed % 4), scale: 1 + (seed % 3) },
        g,
      );
      const marginals = randomMarginals(classifier, g);
      const model = conform(classifier, marginals, { pseudocount: 0 });
      expect(model.certificate.status).toBe("converged");
      const actual = modelMarginals(model);
      shares(marginals).forEach((share, j) => {
        expect(Math.abs(actual[j] - share)).toBeLessThan(MARGINALS);
      });
    }
  });

  it("has the authors' smoothed objective stationary: one pseudo-count per class and value", () => {
    const classifier = randomClassifier({ seed: 5, columns: 4, classes: 3, kinds: ["binary"] });
    const marginals = randomMarginals(classifier, random(5));
    const {
      components: [{ logPrior, logQ, logZ }],
      atoms,
    } = conform(classifier, marginals, { pseudocount: 2 });
    // The gradient of Σ_i Σ_v (N f_v + cK) u_v − (N + cK) log Z − c Σ_i (V_i − 1) Σ_k log Z_ki with respect to u.
    const [N, K, c] = [marginals.rows, 3, 2];
    marginals.columns.forEach(({ counts }, i) => {
      counts.forEach((count, v) => {
        const j = atoms.offsets[i] + v;
        let gradient = count + c * K;
        for (let k = 0; k < K; k++) {
          const conditional = Math.exp(logQ[j] + atoms.scores[j * K + k] - logZ[i * K + k]);
          gradient -= ((N + c * K) * Math.exp(logPrior[k]) + c * (counts.length - 1)) * conditional;
        }
        expect(Math.abs(gradient) / N).toBeLessThan(MARGINALS);
      });
    });
  });

  it("has a gradient that agrees with finite differences", () => {
    const classifier = randomClassifier({ seed: 9, columns: 6, classes: 4 });
    const problem = reduce(classifier, randomMarginals(classifier, random(9)), 1);
    const u = startingPoint(problem, fastContext);
    const objective = new Objective(holdProblem(problem, plainFitKernels));
    const gradient = objective.residuals(objective.evaluate(u)).slice();
    const step = 1e-5;
    gradient.forEach((derivative, j) => {
      const at = (shift: number) => objective.evaluate(u.map((x, i) => (i === j ? x + shift : x))).value;
      expect(Math.abs((at(step) - at(-step)) / (2 * step) - derivative)).toBeLessThan(1e-8);
    });
  });

  it("solves with the Hessian: finite differences of the gradient along the direction give the gradient back", () => {
    for (let seed = 0; seed < 10; seed++) {
      const classifier = randomClassifier({ seed, columns: 7, classes: 2 + (seed % 5) });
      const problem = reduce(classifier, randomMarginals(classifier, random(seed)), 1);
      const u = startingPoint(problem, fastContext);
      const held = holdProblem(problem, plainFitKernels);
      const objective = new Objective(held);
      const here = objective.evaluate(u);
      const gradient = objective.residuals(here).slice();
      const direction = new NewtonSystem(held).direction(here, gradient);
      const step = 1e-5;
      const along = (t: number) =>
        objective.residuals(objective.evaluate(u.map((x, j) => x + t * direction[j]))).slice();
      const [ahead, behind] = [along(step), along(-step)];
      gradient.forEach((g, j) => {
        expect(Math.abs((ahead[j] - behind[j]) / (2 * step) - g)).toBeLessThan(1e-7);
      });
    }
  });

  it("does not depend on the order, splitting or weights of the same rows", () => {
    const classifier = randomClassifier({
      seed: 11,
      columns: 5,
      classes: 3,
      kinds: ["binary", "categorical"],
    });
    const g = random(11);
    const rows = Array.from({ length: 60 }, () =>
      Object.fromEntries(
        classifier.schema.columns.map((c) => [
          c.name,
          c.kind === "categorical" ? c.values[g.integer(2)] : g.integer(2),
        ]),
      ),
    );
    const once = conform(classifier, rows, { pseudocount: 1 });
    const shuffled = conform(classifier, [...rows].reverse(), { pseudocount: 1 });
    const doubled = conform(classifier, rows, { pseudocount: 2, weights: rows.map(() => 2) });
    once.components[0].logQ.forEach((x, j) => {
      expect(shuffled.components[0].logQ[j]).toBe(x);
      expect(doubled.components[0].logQ[j]).toBeCloseTo(x, 10);
    });
  });

  it("counts rows with gaps for the columns they have", () => {
    const classifier = randomClassifier({ seed: 1, columns: 2, classes: 2, kinds: ["binary"] });
    const rows = [{ x0: 1, x1: 0 }, { x0: 0 }, { x0: 1, x1: null }, { x1: 1 }];
    const model = conform(classifier, rows, { pseudocount: 0 });
    const marginals = modelMarginals(model);
    expect(marginals[1]).toBeCloseTo(2 / 3, 9);
    expect(marginals[3]).toBeCloseTo(1 / 2, 9);
  });
});

/** A classifier on 0/1 columns from a K × n table of weights. */
function binaryClassifier(weights: readonly (readonly number[])[], intercept: readonly number[]): Classifier {
  const [K, n] = [weights.length, weights[0].length];
  return createClassifier({
    schema: { columns: Array.from({ length: n }, (_, i) => ({ name: `x${i}`, kind: "binary" })) },
    classes: Array.from({ length: K }, (_, k) => `c${k}`),
    intercept: Float64Array.from(intercept),
    weights: Float64Array.from({ length: n * K }, (_, j) => weights[j % K][Math.floor(j / K)]),
  });
}

function expectGood(model: Model): void {
  expect(model.certificate.status).toBe("converged");
  expect(model.certificate.marginalMismatch).toBeLessThan(MARGINALS);
  expect(model.certificate.conformityError).toBeLessThan(1e-12);
  expect(model.components[0].logZ.every(Number.isFinite)).toBe(true);
  const p = Object.values(predict(model, {}));
  expect(p.every((x) => x >= 0 && x <= 1)).toBe(true);
  expect(p.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 12);
}

describe("extremes", () => {
  it("weights of ±500 on every column", () => {
    for (let seed = 0; seed < 20; seed++) {
      const g = random(seed);
      const [K, n] = [2 + (seed % 4), 1 + (seed % 15)];
      const sign = () => (g.uniform() < 0.5 ? -500 : 500);
      const weights = Array.from({ length: K }, (_, k) =>
        Array.from({ length: n }, () => (K === 2 && k === 0 ? 0 : sign())),
      );
      const classifier = binaryClassifier(
        weights,
        Array.from({ length: K }, () => 0),
      );
      const marginals = binaryMarginals(
        classifier,
        Array.from({ length: n }, () => g.integer(1001)),
        1000,
      );
      expectGood(conform(classifier, marginals));
    }
  });

  it("columns that are always 0 or always 1, with and without smoothing", () => {
    const classifier = binaryClassifier(
      [
        [0, 0, 0],
        [1.5, -2, 0.7],
      ],
      [0, 0.3],
    );
    const marginals = binaryMarginals(classifier, [0, 1000, 400], 1000);
    expectGood(conform(classifier, marginals));
    const exact = conform(classifier, marginals, { pseudocount: 0 });
    expectGood(exact);
    // A column that is always 0 adds nothing when missing, one that is always 1 its whole weight.
    const [{ logZ }] = exact.components;
    expect([logZ[1] - logZ[0], logZ[3] - logZ[2]]).toEqual([0, -2]);
  });

  it("a class that never wins", () => {
    const classifier = binaryClassifier(
      [
        [0.3, -0.2],
        [0.1, 0.4],
        [0, 0],
      ],
      [0, 0, -800],
    );
    const model = conform(classifier, binaryMarginals(classifier, [300, 600], 1000));
    expectGood(model);
    expect(predict(model, {}).c2).toBeLessThan(1e-300);
  });

  it("one column with one value", () => {
    const schema = { columns: [{ name: "only", kind: "categorical", values: ["a"] }] } as const;
    const parts = {
      schema,
      classes: ["n", "y"],
      intercept: Float64Array.of(0, 1),
      weights: Float64Array.of(0, 2),
    };
    const model = conform(createClassifier(parts), [{ only: "a" }, { only: "a" }]);
    expectGood(model);
    expect(predict(model, {}).y).toBeCloseTo(1 / (1 + Math.exp(-3)), 14);
  });

  it("no column missing and all columns missing", () => {
    const model = randomModel({ seed: 4, columns: 3, classes: 3, kinds: ["binary"] });
    const none = predict(model, {});
    const prior = model.components[0].logPrior;
    Object.values(none).forEach((p, k) => {
      expect(p).toBeCloseTo(Math.exp(prior[k]), 13);
    });
    expect(predict(model, { x0: null, x1: Number.NaN, x2: undefined })).toEqual(none);
  });

  it("a value of a column that the data never shows", () => {
    const schema = { columns: [{ name: "c", kind: "categorical", values: ["a", "b", "never"] }] } as const;
    const parts = {
      schema,
      classes: ["n", "y"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1, 0, -1, 0, 50),
    };
    const classifier = createClassifier(parts);
    const rows = [{ c: "a" }, { c: "b" }, { c: "b" }];
    const model = conform(classifier, rows, { pseudocount: 0 });
    expectGood(model);
    expect(model.components[0].logQ[2]).toBe(Number.NEGATIVE_INFINITY);
    expect(predict(model, { c: "never" }).y).toBeCloseTo(1, 15);
    expectGood(conform(classifier, rows));
  });

  it("10⁵ columns", () => {
    const n = 100_000;
    const g = random(1);
    const weights = Array.from({ length: 10 }, () => Array.from({ length: n }, () => 0.01 * g.normal()));
    const classifier = binaryClassifier(
      weights,
      Array.from({ length: 10 }, () => g.normal()),
    );
    const model = conform(
      classifier,
      binaryMarginals(
        classifier,
        Array.from({ length: n }, () => g.integer(1001)),
        1000,
      ),
    );
    expect(model.certificate.status).toBe("converged");
    expect(model.certificate.marginalMismatch).toBeLessThan(MARGINALS);
    // Probabilities from sums of 10⁵ logarithms of order 1 each: the rounding of the inputs alone is about this.
    expect(model.certificate.conformityError).toBeLessThan(1e-10);
  });

  it("the likelihood in the certificate is that of the rows, whatever the pseudo-count makes of the marginals", () => {
    const classifier = createClassifier({
      schema: {
        columns: [
          { name: "a", kind: "binary" },
          { name: "b", kind: "binary" },
        ],
      },
      classes: ["n", "y"],
      intercept: Float64Array.of(0, -1),
      weights: Float64Array.of(0, 2, 0, -3),
    });
    const rows = [
      { a: 1, b: 1 },
      { a: 1, b: 0 },
      { a: 1, b: 1 },
    ];
    for (const pseudocount of [0, 1, 10]) {
      const model = conform(classifier, rows, { pseudocount });
      const own = rows.map(({ a, b }) => Math.log(1 + Math.exp(-1 + 2 * a - 3 * b)));
      const all = rows.reduce((sum, row, r) => sum + logEvidence(model, row) - own[r], 0) / rows.length;
      expect(model.certificate.logLikelihood).toBeCloseTo(all, 12);
    }
  });

  it("a problem stopped early says so with its residuals", () => {
    const classifier = randomClassifier({ seed: 3, columns: 10, classes: 3, scale: 3 });
    const { certificate } = conform(classifier, randomMarginals(classifier, random(3)), { maxIterations: 1 });
    expect(certificate.status).toBe("iteration-limit");
    expect(certificate.marginalMismatch).toBeGreaterThan(1e-9);
  });
});
