import { describe, expect, it, test } from "vitest";
import { type Classifier, createClassifier } from "../../src/additive/classifier.ts";
import { random } from "../../src/math/random.ts";
import { conformMixture, type MixtureOptions } from "../../src/mixture/conform-mixture.ts";
import type { Model } from "../../src/model/model.ts";
import { classify } from "../../src/questions/classify.ts";
import { predict } from "../../src/questions/predict.ts";
import type { Column } from "../../src/schema/column.ts";
import type { Row } from "../../src/schema/data.ts";
import { momentsOf, priorByBisection } from "../oracles/tilted-gaussian.ts";
import { expectError } from "../support/error.ts";

/** Scores of ±1000 carry an absolute rounding of 1e-13, and the Gaussian squares them. */
const PRIOR_TOLERANCE = 1e-7;
/** What the certificate calls solved, in standard deviations. */
const MOMENT_TOLERANCE = 1e-6;
/** Two ways to compute a mismatch differ by the rounding of the mixture's covariance with such weights. */
const MISMATCH_ROUNDING = 1e-7;
/** By which share of its size no rounding lowers an objective. */
const FALL = 1e-9;
/** As in the settings: variance added, and how far correlations are shrunk at most. */
const [RIDGE, MOST_SHRUNK] = [1e-6, 0.99];

interface Problem {
  readonly model: Model<Classifier>;
  readonly rows: readonly Row[];
}

/** Few rows of numbers, a quarter of the problems with 0/1 columns, and a classifier with weights up to ±1000. */
function randomProblem(seed: number, gaps: number, options: MixtureOptions): Problem {
  const g = random(seed);
  const [K, n, count] = [2 + g.integer(3), 1 + g.integer(4), 3 + g.integer(20)];
  const bits = g.uniform() < 0.25 ? 1 + g.integer(2) : 0;
  const size = 10 ** (3 * g.uniform());
  const columns: Column[] = [
    ...Array.from({ length: n }, (_, i): Column => ({ name: `x${i}`, kind: "numeric" })),
    ...Array.from({ length: bits }, (_, i): Column => ({ name: `b${i}`, kind: "binary" })),
  ];
  const draw = (): number => (2 * g.uniform() - 1) * size;
  const classifier = createClassifier({
    schema: { columns },
    classes: Array.from({ length: K }, (_, k) => `c${k}`),
    intercept: Float64Array.from({ length: K }, draw),
    weights: Float64Array.from({ length: K * columns.length }, draw),
  });
  const cell = ({ kind }: Column): number => (kind === "numeric" ? g.normal() : g.integer(2));
  const rows = Array.from({ length: count }, (_, r) =>
    Object.fromEntries(
      columns.map((column) => [column.name, r > 0 && g.uniform() < gaps ? null : cell(column)]),
    ),
  );
  return { model: conformMixture(classifier, rows, { numeric: "gaussian", ...options }), rows };
}

/** The numeric block of a model of one component and one block, as the oracle takes it. */
function tilted({
  gaussianColumns,
  components: [{ gaussian, logZ }],
  predictor: classifier,
}: Model<Classifier>) {
  if (!gaussianColumns || !gaussian) throw new Error("no Gaussian");
  const n = gaussianColumns.columns.length;
  const K = classifier.classes.length;
  const nested = (numbers: Float64Array): number[][] =>
    Array.from({ length: numbers.length / n }, (_, r) => [...numbers.subarray(r * n, (r + 1) * n)]);
  // The other columns are worth log Z_ki to class k, whatever the Gaussian is.
  const others = (k: number): number => {
    let sum = 0;
    for (let i = 0; i * K < logZ.length; i++) sum += logZ[i * K + k];
    return sum;
  };
  return {
    intercept: Array.from(classifier.intercept, (b, k) => b + others(k)),
    weights: nested(gaussianColumns.weights),
    mean: [...gaussian.mean],
    covariance: nested(gaussian.covariance),
  };
}

/**
 * Mean and covariance of complete rows with the prior's part, for one component: `shrinkage` rows and one per class with the
 * overall moments change nothing, N λ / (1 − λ) rows without correlations take their share of these, and the ridge is added.
 */
function targetOf(
  { gaussianColumns, predictor: classifier, rows: weight }: Model<Classifier>,
  rows: readonly Row[],
  shrinkage: number,
) {
  const names = Array.from(gaussianColumns?.columns ?? [], (i) => classifier.schema.columns[i].name);
  const cells = rows.map((row) => names.map((name) => Number(row[name])));
  const mean = names.map((_, i) => cells.reduce((sum, x) => sum + x[i], 0) / cells.length);
  const own = names.map((_, i) =>
    names.map(
      (_, j) => cells.reduce((sum, x) => sum + (x[i] - mean[i]) * (x[j] - mean[j]), 0) / cells.length,
    ),
  );
  const lambda = Math.min(MOST_SHRUNK, lambdaOf(cells, mean, own));
  const correlated = shrinkage + classifier.classes.length;
  const independent = (shrinkage * weight * lambda) / (1 - lambda);
  const all = weight + correlated + independent;
  const covariance = own.map((line, i) =>
    line.map((x, j) => (i === j ? x * (1 + (RIDGE * weight) / all) : (x * (all - independent)) / all)),
  );
  return { mean, covariance };
}

/** λ of Ledoit and Wolf for standardised columns: how far the products of rows are from their mean, over how far that is from none. */
function lambdaOf(
  cells: readonly (readonly number[])[],
  mean: readonly number[],
  covariance: readonly (readonly number[])[],
): number {
  const N = cells.length;
  const z = cells.map((x) => x.map((value, i) => (value - mean[i]) / Math.sqrt(covariance[i][i])));
  const R = covariance.map((line, i) =>
    line.map((x, j) => x / Math.sqrt(covariance[i][i] * covariance[j][j])),
  );
  const squares = (matrix: readonly (readonly number[])[]): number =>
    matrix.flat().reduce((sum, x) => sum + x * x, 0);
  const noise = z.reduce(
    (sum, row) => sum + squares(R.map((line, i) => line.map((x, j) => row[i] * row[j] - x))),
    0,
  );
  const away = squares(R.map((line, i) => line.map((x, j) => (i === j ? 0 : x))));
  return away > 0 ? Math.min(1, noise / (N * N) / away) : 0;
}

function mismatch(
  actual: { mean: readonly number[]; covariance: readonly (readonly number[])[] },
  wanted: { mean: readonly number[]; covariance: readonly (readonly number[])[] },
): number {
  const sd = wanted.covariance.map((row, i) => Math.sqrt(row[i]));
  let worst = 0;
  wanted.mean.forEach((x, i) => {
    worst = Math.max(worst, Math.abs(actual.mean[i] - x) / sd[i]);
    wanted.covariance[i].forEach((v, j) => {
      worst = Math.max(worst, Math.abs(actual.covariance[i][j] - v) / (sd[i] * sd[j]));
    });
  });
  return worst;
}

describe("a Gaussian fit with large weights", () => {
  it("finds the class that looks impossible under the data's own moments", () => {
    const g = random(1);
    const rows = Array.from({ length: 100 }, () => ({ x: g.normal() }));
    const classifier = createClassifier({
      schema: { columns: [{ name: "x", kind: "numeric" }] },
      classes: ["n", "y"],
      intercept: Float64Array.of(0, -70),
      weights: Float64Array.of(0, 70),
    });
    const model = conformMixture(classifier, rows, { components: 1, numeric: "gaussian" });
    const { mean, covariance } = targetOf(model, rows, 1);
    const expected = priorByBisection(-70, [70], mean, covariance);
    expect(expected).toBeGreaterThan(0.05);
    expect(expected).toBeLessThan(0.5);
    expect(Math.abs(predict(model, {}).y - expected)).toBeLessThan(PRIOR_TOLERANCE);
    expect(model.certificate.status).toBe("converged");
  });

  it.each([
    ["with the prior that it has by itself", {}, 1],
    ["without shrinkage", { shrinkage: 0 }, 0],
  ])(
    "is the optimum in 300 random problems %s, as bisection and the moments say, and its certificate is true",
    (_, options, shrinkage) => {
      let twoClasses = 0;
      for (let seed = 0; seed < 300; seed++) {
        const { model, rows } = randomProblem(seed, 0, { components: 1, ...options });
        const { certificate, predictor: classifier } = model;
        const target = targetOf(model, rows, shrinkage);
        const own = tilted(model);
        const off = mismatch(momentsOf(own), target);
        const reported = certificate.gaussian?.momentMismatch ?? Number.NaN;
        expect(Math.abs(off - reported), `seed ${seed}`).toBeLessThan(MISMATCH_ROUNDING);
        expect(certificate.status, `seed ${seed}`).toBe("converged");
        expect(off, `seed ${seed}`).toBeLessThan(MOMENT_TOLERANCE);
        if (classifier.classes.length > 2 || classifier.schema.columns.some(({ kind }) => kind === "binary"))
          continue;
        twoClasses++;
        const [[a, b], [c, d]] = [own.intercept, own.weights];
        const expected = priorByBisection(
          b - a,
          d.map((x, i) => x - c[i]),
          target.mean,
          target.covariance,
        );
        expect(Math.abs(predict(model, {}).c1 - expected), `seed ${seed}`).toBeLessThan(PRIOR_TOLERANCE);
      }
      expect(twoClasses).toBeGreaterThan(60);
    },
  );

  it("never lowers the objective over rows with gaps, and converges or says that it does not", () => {
    for (let seed = 1000; seed < 1060; seed++) {
      const { model } = randomProblem(seed, 0.25, { components: 1 + (seed % 4) });
      const { status, mixture, gaussian, marginalMismatch } = model.certificate;
      const objective = mixture?.objective ?? [];
      expect(objective.every(Number.isFinite), `seed ${seed}`).toBe(true);
      if (mixture?.dropped === 0)
        for (let at = 1; at < objective.length; at++) {
          const before = objective[at - 1];
          expect(objective[at], `seed ${seed}`).toBeGreaterThanOrEqual(
            before - FALL * (1 + Math.abs(before)),
          );
        }
      if (status === "converged") {
        expect(gaussian?.momentMismatch, `seed ${seed}`).toBeLessThan(MOMENT_TOLERANCE);
        expect(marginalMismatch, `seed ${seed}`).toBeLessThan(1e-11);
      }
      expect(["converged", "iteration-limit"], `seed ${seed}`).toContain(status);
    }
  });

  it("takes few rows with gaps and weights of 319 and −99 to an optimum", () => {
    const rows = [
      { x: 0.79, y: 0.45 },
      { x: -2.72, y: -0.78 },
      { x: 1.66, y: 1.02 },
      { x: null, y: null },
      { x: 1.41, y: -1.1 },
      { x: null, y: null },
    ];
    const classifier = createClassifier({
      schema: {
        columns: [
          { name: "x", kind: "numeric" },
          { name: "y", kind: "numeric" },
        ],
      },
      classes: ["a", "b"],
      intercept: Float64Array.of(0, -199),
      weights: Float64Array.of(0, 319, 0, -99),
    });
    for (const components of [1, 2, 4]) {
      const { certificate } = conformMixture(classifier, rows, { components, numeric: "gaussian" });
      expect(certificate.status).toBe("converged");
      expect(certificate.gaussian?.momentMismatch).toBeLessThan(MOMENT_TOLERANCE);
    }
  });
});

describe("a Gaussian fit with numbers that leave no digit to the classes", () => {
  it("ends, and does not call itself converged", () => {
    const classifier = createClassifier({
      schema: {
        columns: [
          { name: "a", kind: "numeric" },
          { name: "b", kind: "binned", edges: [1, 2] },
        ],
      },
      classes: ["no", "yes", "perhaps"],
      intercept: Float64Array.of(0, 0, -295),
      weights: Float64Array.of(0.015, 2.55, 0.015, -0.024, 1.911, 2.337, 1.548, 0.27, -1.848, 1.17, 861, 996),
    });
    const rows = [{ a: 5859000000 }, { a: 1, b: -1 }, { a: 2, b: 4.81 }];
    const model = conformMixture(classifier, rows, {
      components: 4,
      numeric: "gaussian",
      pseudocount: 100,
      bins: 1,
    });
    expect(model.certificate.status).not.toBe("converged");
    expect(predict(model, { a: 2, b: 1.5 })).toEqual(classify(classifier, { a: 2, b: 1.5 }));
  });
});

describe("the status of a mixture", () => {
  const classifier = createClassifier({
    schema: { columns: [{ name: "b", kind: "binary" }] },
    classes: ["n", "y"],
    intercept: Float64Array.of(0, -1),
    weights: Float64Array.of(0, 2),
  });

  it("is converged where one step solves the fit and the next ones can gain no more than rounding", () => {
    for (const tolerance of [1e-3, 0]) {
      const rows = [{ b: 1 }, { b: 0 }, { b: 1 }];
      const { certificate } = conformMixture(classifier, rows, { components: 1, tolerance });
      expect(certificate.status).toBe("converged");
      expect(certificate.iterations).toBeLessThan(10);
    }
  });

  it("is the limit where the steps were cut short", () => {
    const g = random(4);
    const rows = Array.from({ length: 30 }, () => ({ b: g.uniform() < 0.3 ? null : g.integer(2) }));
    const { certificate } = conformMixture(classifier, rows, { components: 3, maxIterations: 1 });
    expect(certificate.status).toBe("iteration-limit");
  });
});

it("weights that take a score beyond what numbers hold are refused by the column's name", () => {
  const classifier = createClassifier({
    schema: {
      columns: [
        { name: "b", kind: "binary" },
        { name: "x", kind: "numeric" },
      ],
    },
    classes: ["n", "y"],
    intercept: Float64Array.of(0, 0),
    weights: Float64Array.of(0, 1, 0, 1e308),
  });
  const rows = Array.from({ length: 12 }, (_, r) => ({ b: r % 2, x: r - 5 }));
  const fits: MixtureOptions[] = [{ components: 1, numeric: "atoms" }, { components: 2 }, {}];
  for (const options of fits)
    expect(() => conformMixture(classifier, rows, options)).toThrow(
      'the weights of column "x" times its values must be below 4.5e+307, got -Infinity',
    );
});

test("a weight times the first value of the first column that no number holds is an error", () => {
  const classifier = createClassifier({
    schema: { columns: [{ name: "x", kind: "numeric" }] },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 0),
    weights: Float64Array.of(1e308, 0),
  });
  const rows = [{ x: -100 }, { x: 0 }, { x: 0.1 }];
  expectError(() => conformMixture(classifier, rows), "invalid-value", /column "x" times its values/);
});
