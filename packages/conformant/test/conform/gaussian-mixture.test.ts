import { describe, expect, it } from "vitest";
import { createGaussianFactor } from "../../src/gaussian/gaussian-factor.ts";
import {
  conformMixture,
  createClassifier,
  loadModel,
  logEvidence,
  type Model,
  predict,
  type Row,
  saveModel,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { createComponent } from "../../src/model/model.ts";

/** Correlated numbers in two clumps and a colour that goes with the clump; a share of the cells missing. */
function makeRows(count: number, seed: number, missing = 0): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const clump = g.integer(2);
    const a = g.normal() + 3 * clump;
    const b = 0.9 * a + 0.4 * g.normal();
    const c = 100 + 20 * (b - a) + 10 * g.normal();
    const row = { a, b, c, colour: g.uniform() < 0.2 + 0.5 * clump ? "red" : "blue" };
    return Object.fromEntries(Object.entries(row).filter(() => g.uniform() >= missing));
  });
}

const classifier = createClassifier({
  schema: {
    columns: [
      { name: "a", kind: "numeric" },
      { name: "b", kind: "numeric" },
      { name: "c", kind: "numeric" },
      { name: "colour", kind: "categorical", values: ["blue", "red"] },
    ],
  },
  classes: ["low", "middle", "high"],
  intercept: Float64Array.of(0, -1, -6),
  weights: Float64Array.of(0, 0.5, 1.2, 0, 0.3, 0.7, 0, 0.02, 0.05, 0, 0, 0, 0, 0.4, 1),
});

/** The weighted mean and covariance of a component with its classes: Σ_k P(k) N(μ + Σ w_k, Σ). */
function momentsOf(model: Model): { mean: number[]; covariance: number[] } {
  const K = 3;
  const n = 3;
  const { gaussian, logPrior } = model.components[0];
  if (!gaussian || !model.block) throw new Error("the model has a block");
  const { weights } = model.block;
  const means = Array.from({ length: K }, (_, k) =>
    Array.from({ length: n }, (_, i) => {
      let sum = gaussian.mean[i];
      for (let j = 0; j < n; j++) sum += gaussian.covariance[i * n + j] * weights[k * n + j];
      return sum;
    }),
  );
  const p = [...logPrior].map(Math.exp);
  const mean = Array.from({ length: n }, (_, i) => p.reduce((sum, q, k) => sum + q * means[k][i], 0));
  const covariance = Array.from(gaussian.covariance, (value, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return p.reduce((sum, q, k) => sum + q * (means[k][i] - mean[i]) * (means[k][j] - mean[j]), value);
  });
  return { mean, covariance };
}

const plain = { shrinkage: 0, pseudocount: 0, ridge: 0, numeric: "gaussian" } as const;

describe("fitting a Gaussian block", () => {
  it("matches the data's means, covariances and counts with one component", () => {
    const rows = makeRows(400, 1);
    const model = conformMixture(classifier, rows, { ...plain, components: 1 });
    const names = ["a", "b", "c"];
    const mean = names.map((name) => rows.reduce((sum, row) => sum + Number(row[name]) / rows.length, 0));
    const fitted = momentsOf(model);
    names.forEach((first, i) => {
      expect(Math.abs(fitted.mean[i] - mean[i])).toBeLessThan(1e-8);
      names.forEach((second, j) => {
        const covariance = rows.reduce(
          (sum, row) =>
            sum + ((Number(row[first]) - mean[i]) * (Number(row[second]) - mean[j])) / rows.length,
          0,
        );
        expect(Math.abs(fitted.covariance[3 * i + j] - covariance)).toBeLessThan(
          1e-8 * (1 + Math.abs(covariance)),
        );
      });
    });
    expect(model.certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
    expect(model.certificate.marginalMismatch).toBeLessThan(1e-8);
    expect(model.certificate.conformityError).toBeLessThan(1e-10);
  });

  it("never lowers the objective, with and without gaps in the rows", () => {
    for (const missing of [0, 0.4]) {
      for (const components of [1, 3]) {
        const model = conformMixture(classifier, makeRows(300, 2, missing), {
          components,
          numeric: "gaussian",
          tolerance: 1e-7,
          maxSteps: 60,
        });
        const { objective } = model.certificate.mixture ?? { objective: [] };
        expect(objective.length).toBeGreaterThan(3);
        for (let s = 1; s < objective.length; s++)
          expect(objective[s] - objective[s - 1]).toBeGreaterThan(-1e-10);
        expect(model.certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
      }
    }
  });

  it("ends at a stationary point of the likelihood of rows with gaps", () => {
    const rows = makeRows(80, 3, 0.35).filter((row) => Object.keys(row).length > 0);
    const model = conformMixture(classifier, rows, { ...plain, components: 1, tolerance: 0, maxSteps: 3000 });
    const total = (altered: Model): number => rows.reduce((sum, row) => sum + logEvidence(altered, row), 0);
    const g = random(7);
    for (let trial = 0; trial < 5; trial++) {
      const along = Float64Array.from({ length: 12 }, () => g.normal());
      const at = (t: number): number => total(shifted(model, along, t));
      const slope = (at(1e-4) - at(-1e-4)) / 2e-4;
      expect(Math.abs(slope) / rows.length).toBeLessThan(2e-5);
    }
  });

  it("predicts for rows far outside, and says the same after a round trip through a file", () => {
    const model = conformMixture(classifier, makeRows(300, 4), { components: 2, numeric: "gaussian" });
    const row = { a: 1e9, colour: "red" };
    expect(Object.values(predict(model, row)).every(Number.isFinite)).toBe(true);
    expect(predict(loadModel(saveModel(model)), { a: 1 })).toEqual(predict(model, { a: 1 }));
    expect(saveModel(model)).not.toContain(String(makeRows(300, 4)[0].a));
  });
});

/** The model with its mean and covariance moved a little; the covariance stays symmetric. */
function shifted(model: Model, along: Float64Array, t: number): Model {
  const [{ logWeight, logQ, gaussian }] = model.components;
  if (!gaussian || !model.block) throw new Error("the model has a block");
  const scale = [1, 1, 15];
  const mean = gaussian.mean.map((x, i) => x + t * scale[i] * along[i]);
  const covariance = gaussian.covariance.map((x, at) => {
    const [i, j] = [Math.floor(at / 3), at % 3];
    return x + t * scale[i] * scale[j] * (along[3 + 3 * i + j] + along[3 + 3 * j + i]) * 0.1;
  });
  const factor = createGaussianFactor(model.block, mean, covariance);
  const component = createComponent(model.classifier, model.atoms, { logWeight, logQ, gaussian: factor });
  return { ...model, components: [component] };
}

describe("singular blocks", () => {
  const numeric = (names: readonly string[]) =>
    createClassifier({
      schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0.2),
      weights: Float64Array.from({ length: 2 * names.length }, (_, j) => (j % 2) * (0.4 + 0.1 * j)),
    });

  it("work with a duplicate and with a constant column, and say so", () => {
    const g = random(1);
    const rows = Array.from({ length: 200 }, () => {
      const a = g.normal();
      return { a, copy: a, constant: 5, other: a + g.normal() };
    });
    for (const components of [1, 4]) {
      const model = conformMixture(numeric(["a", "copy", "constant", "other"]), rows, {
        components,
        numeric: "gaussian",
      });
      expect(model.certificate.gaussian?.singular).toEqual(["copy", "constant"]);
      expect(model.certificate.gaussian?.ridge).toBe(1e-6);
      expect(model.certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
      expect(model.certificate.conformityError).toBeLessThan(1e-10);
      // What is known twice is known: the copy tells the original.
      const both = predict(model, { a: 1, copy: 1, constant: 5 }).yes;
      expect(Math.abs(both - predict(model, { copy: 1 }).yes)).toBeLessThan(0.02);
    }
  });

  it("work with fewer rows than columns, and say so", () => {
    const names = Array.from({ length: 12 }, (_, i) => `x${i}`);
    const g = random(2);
    const rows = Array.from({ length: 6 }, () => Object.fromEntries(names.map((name) => [name, g.normal()])));
    const model = conformMixture(numeric(names), rows, { components: 1, numeric: "gaussian" });
    expect(model.certificate.gaussian?.singular.length).toBeGreaterThan(5);
    expect(model.certificate.gaussian?.fewRows).toBe(1);
    expect(model.certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
    expect(predict(model, { x3: 1 }).yes).toBeGreaterThan(0);
  });
});

describe("choosing what describes numbers", () => {
  it("takes the Gaussian for correlated numbers and atoms for spikes and few values", () => {
    const g = random(5);
    const columns = ["x", "y"].map((name) => ({ name, kind: "numeric" as const }));
    const two = createClassifier({
      schema: { columns },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1, 0, 1),
    });
    const correlated = Array.from({ length: 500 }, () => {
      const x = g.normal();
      return { x, y: x + 0.2 * g.normal() };
    });
    expect(conformMixture(two, correlated).certificate.gaussian?.columns).toEqual(["x", "y"]);
    const spikes = Array.from({ length: 500 }, () => ({
      x: g.uniform() < 0.9 ? 0 : Math.exp(3 * g.normal()),
      y: g.integer(2) * 7,
    }));
    const chosen = conformMixture(two, spikes);
    expect(chosen.certificate.gaussian).toBeUndefined();
    const kinds = chosen.certificate.mixture?.heldOut?.map(({ gaussian }) => gaussian?.join());
    expect(kinds).toContain("x,y");
    expect(kinds).toContain("");
  });

  it("leaves tables without numbers alone, and refuses other words", () => {
    const bits = createClassifier({
      schema: { columns: [{ name: "x", kind: "binary" }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1),
    });
    const rows = [{ x: 0 }, { x: 1 }, { x: 1 }];
    expect(conformMixture(bits, rows, { components: 1, numeric: "gaussian" }).block).toBeUndefined();
    expect(() => conformMixture(bits, rows, { numeric: "normal" as never })).toThrow(
      'options.numeric must be "atoms", "gaussian", "auto" or a list of numeric columns, got "normal"',
    );
    expect(() => conformMixture(classifier, makeRows(50, 1), { numeric: ["colour"] })).toThrow(
      'options.numeric: "colour" is not a numeric column',
    );
  });

  it("describes the columns together that it is told to", () => {
    const model = conformMixture(classifier, makeRows(100, 1), { components: 1, numeric: ["a", "c"] });
    expect(model.certificate.gaussian?.columns).toEqual(["a", "c"]);
    expect(model.atoms.columns[1].count).toBe(32);
  });
});
