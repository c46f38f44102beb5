import { describe, expect, it } from "vitest";
import { createComponent } from "../../src/distribution/distribution.ts";
import { createGaussian } from "../../src/gaussian/gaussian.ts";
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
import {
  blockMoments,
  clumpClassifier as classifier,
  clumpRows,
  dataMoments,
} from "../support/clump-rows.ts";

const plain = { shrinkage: 0, pseudocount: 0, ridge: 0, numeric: "gaussian" } as const;

describe("fitting a Gaussian block", () => {
  it("matches the data's means, covariances and counts with one component", () => {
    const rows = clumpRows(400, 1);
    const model = conformMixture(classifier, rows, { ...plain, components: 1 });
    const [fitted, expected] = [blockMoments(model), dataMoments(rows, ["a", "b", "c"])];
    for (const which of ["mean", "covariance"] as const)
      expected[which].forEach((value, at) => {
        expect(Math.abs(fitted[which][at] - value)).toBeLessThan(1e-8 * (1 + Math.abs(value)));
      });
    expect(model.certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
    expect(model.certificate.marginalMismatch).toBeLessThan(1e-8);
    expect(model.certificate.conformityError).toBeLessThan(1e-10);
  });

  it("never lowers the objective, with and without gaps in the rows", () => {
    for (const missing of [0, 0.4]) {
      for (const components of [1, 3]) {
        const model = conformMixture(classifier, clumpRows(300, 2, missing), {
          components,
          numeric: "gaussian",
          tolerance: 1e-7,
          maxIterations: 60,
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
    const rows = clumpRows(80, 3, 0.35).filter((row) => Object.keys(row).length > 0);
    const model = conformMixture(classifier, rows, {
      ...plain,
      components: 1,
      tolerance: 0,
      maxIterations: 3000,
    });
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
    const model = conformMixture(classifier, clumpRows(300, 4), { components: 2, numeric: "gaussian" });
    const row = { a: 1e9, colour: "red" };
    expect(Object.values(predict(model, row)).every(Number.isFinite)).toBe(true);
    expect(predict(loadModel(saveModel(model)), { a: 1 })).toEqual(predict(model, { a: 1 }));
    expect(saveModel(model)).not.toContain(String(clumpRows(300, 4)[0].a));
  });
});

/** The model with its mean and covariance moved a little; the covariance stays symmetric. */
function shifted(model: Model, along: Float64Array, t: number): Model {
  const [{ logWeight, logQ, gaussian }] = model.components;
  if (!gaussian || !model.gaussianColumns) throw new Error("the model has a block");
  const scale = [1, 1, 15];
  const mean = gaussian.mean.map((x, i) => x + t * scale[i] * along[i]);
  const covariance = gaussian.covariance.map((x, at) => {
    const [i, j] = [Math.floor(at / 3), at % 3];
    return x + t * scale[i] * scale[j] * (along[3 + 3 * i + j] + along[3 + 3 * j + i]) * 0.1;
  });
  const factor = createGaussian(model.gaussianColumns, mean, covariance);
  const component = createComponent(model.tilt, model.atoms, { logWeight, logQ, gaussian: factor });
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

  it("name a copy and a sum of which cells are missing, and a copy where no row is complete", () => {
    const g = random(3);
    const complete = Array.from({ length: 300 }, () => {
      const [a, b] = [g.normal(), 50 + 2 * g.normal()];
      return { a, b, copy: 3 * a - 7, sum: a + b, near: a + 1e-3 * g.normal() };
    });
    const singularOf = (rows: readonly Row[]): readonly string[] | undefined => {
      const { certificate } = conformMixture(numeric(["a", "b", "copy", "sum", "near"]), rows, {
        components: 2,
        numeric: "gaussian",
      });
      expect(certificate.conformityError).toBeLessThan(1e-10);
      expect(certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
      return certificate.gaussian?.singular;
    };
    const hide = (row: Row, names: readonly string[]): Row => ({
      ...row,
      ...Object.fromEntries(names.map((name) => [name, null])),
    });
    const some = complete.map((row) =>
      hide(row, g.uniform() < 0.4 ? ["copy"] : g.uniform() < 0.3 ? ["b"] : []),
    );
    expect(singularOf(some)).toEqual(["copy", "sum"]);
    // Without a complete row pairs of columns are looked at.
    const none = complete.map((row, r) => hide(row, [["b"], ["sum"], ["near", "b"]][r % 3]));
    expect(singularOf(none)).toEqual(["copy"]);
    const otherwise = some.map((row) => (row.copy === null ? row : { ...row, copy: g.normal() }));
    expect(singularOf(otherwise)).toEqual(["sum"]);
  });

  it("work where one row outweighs all others, so that nothing is left of a column's variance", () => {
    const rows = [0, -1, 1.25].map((a) => ({ a, other: 0 }));
    const { certificate } = conformMixture(numeric(["a", "other"]), rows, {
      components: 1,
      numeric: "gaussian",
      weights: [0.015, 4.285, 1e90],
    });
    expect(certificate.gaussian?.singular).toEqual(["a", "other"]);
    expect(certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
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
    const kinds = chosen.certificate.choice?.curve?.map(({ gaussian }) => gaussian?.join());
    expect(kinds).toContain("x,y");
    expect(kinds).toContain("");
  });

  it("chooses the size by the numbers, too, where the Gaussian is asked for", () => {
    const g = random(6);
    const columns = ["x", "y"].map((name) => ({ name, kind: "numeric" as const }));
    const two = createClassifier({
      schema: { columns },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1, 0, 0.1),
    });
    // Two clumps that no single Gaussian describes, and a fit to them that two do: x follows from y, but differently in each.
    const clumps = Array.from({ length: 600 }, () => {
      const [x, sign] = [3 * g.normal(), 2 * g.integer(2) - 1];
      return { x, y: sign * (x + 12) + 0.3 * g.normal() };
    });
    const { components, certificate } = conformMixture(two, clumps, { numeric: "gaussian", most: 4 });
    const scores = certificate.choice?.curve ?? [];
    expect(components.length).toBeGreaterThanOrEqual(2);
    expect(scores[1].logLikelihood - scores[0].logLikelihood).toBeGreaterThan(0.5);
  });

  it("leaves tables without numbers alone, and refuses other words", () => {
    const bits = createClassifier({
      schema: { columns: [{ name: "x", kind: "binary" }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1),
    });
    const rows = [{ x: 0 }, { x: 1 }, { x: 1 }];
    expect(
      conformMixture(bits, rows, { components: 1, numeric: "gaussian" }).gaussianColumns,
    ).toBeUndefined();
    expect(() => conformMixture(bits, rows, { numeric: "normal" as never })).toThrow(
      'options.numeric must be "auto", "atoms" or "gaussian", or a list of names, got "normal"',
    );
    expect(() => conformMixture(classifier, clumpRows(50, 1), { numeric: ["colour"] })).toThrow(
      'options.numeric: "colour" is not a numeric column',
    );
  });

  it("says of a copied column that only a ridge keeps it regular, and uses the least one where none is asked for", () => {
    const rows = clumpRows(60, 1).map((row): Row => ({ ...row, b: row.a }));
    for (const components of [1, 2, 3]) {
      const model = conformMixture(classifier, rows, { numeric: "gaussian", ridge: 0, components });
      expect(model.certificate.gaussian).toMatchObject({ singular: ["b"], ridge: 1e-10 });
      const [no] = Object.values(predict(model, { a: rows[0].a }));
      expect(no).toBeGreaterThan(0);
      expect(no).toBeLessThan(1);
    }
  });

  it("describes the columns together that it is told to", () => {
    const model = conformMixture(classifier, clumpRows(100, 1), { components: 1, numeric: ["a", "c"] });
    expect(model.certificate.gaussian?.columns).toEqual(["a", "c"]);
    expect(model.atoms.columns[1].count).toBe(32);
  });
});
