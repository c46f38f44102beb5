import { describe, expect, it } from "vitest";
import { fitLogistic, type LogisticFit } from "../../src/logistic-regression/fit-logistic.ts";
import { random } from "../../src/math/random.ts";
import { logSumExp } from "../../src/math/softmax.ts";
import { type Column, slotOffsets } from "../../src/schema/column.ts";
import type { Table } from "../../src/schema/data.ts";
import { everyRow, mixed, mixedProblem, scoresOf, slotsOfRow, tableOf } from "../support/mixed-problem.ts";
import { AGREEMENT, expectWeights, trainFixtures } from "../support/train-fixtures.ts";

/** Tolerance of the fits: with the weakest penalty here a gradient entry of 1e-10 is a weight off by about 1e-6. */
const TIGHT = 1e-10;
/** Sums of a few hundred numbers of size 1, in two different orders. */
const ROUNDING = 1e-9;

const settings = { l2: 1, tolerance: TIGHT, maxIterations: 5000 };

/** Weighted mean and standard deviation of the numeric slots, 0 and 1 for the others. */
function standardisation(table: Table, rowWeights: Float64Array) {
  const starts = slotOffsets(table.schema);
  const total = rowWeights.reduce((a, b) => a + b, 0);
  const mean = new Float64Array(starts[table.schema.columns.length]);
  const scale = new Float64Array(mean.length).fill(1);
  table.schema.columns.forEach(({ kind }, i) => {
    if (kind !== "numeric") return;
    const average = (f: (x: number) => number) =>
      rowWeights.reduce((sum, w, r) => sum + w * f(table.columns[i][r]), 0) / total;
    mean[starts[i]] = average((x) => x);
    scale[starts[i]] = Math.sqrt(average((x) => (x - mean[starts[i]]) ** 2));
  });
  return { mean, scale };
}

/** Largest entry of the gradient of the objective per unit of weight, straight from the definition. */
function stationarity(
  table: Table,
  labels: Int32Array,
  rowWeights: Float64Array,
  l2: number,
  fit: LogisticFit,
) {
  const K = fit.intercept.length;
  const { mean, scale } = standardisation(table, rowWeights);
  const gradient = fit.weights.map((w, j) => l2 * w * scale[Math.floor(j / K)]);
  const free = new Float64Array(K);
  for (let r = 0; r < table.rows; r++) {
    const x = slotsOfRow(table, r);
    const scores = scoresOf(fit, x);
    const logSum = logSumExp(scores);
    for (let k = 0; k < K; k++) {
      const residual = rowWeights[r] * (Math.exp(scores[k] - logSum) - Number(labels[r] === k));
      free[k] += residual;
      x.forEach((value, slot) => {
        gradient[slot * K + k] += (residual * (value - mean[slot])) / scale[slot];
      });
    }
  }
  // The first of two classes has no weights of its own.
  const own = [...gradient, ...free].filter((_, j) => K > 2 || j % 2 === 1);
  return Math.max(...own.map(Math.abs)) / rowWeights.reduce((a, b) => a + b, 0);
}

describe("fitLogistic", () => {
  it.each(trainFixtures)("finds the weights that scikit-learn finds: %s", (_, fixture) => {
    const { columns, cells, classCount: K, l2, intercept, objective } = fixture;
    const table = tableOf(columns, cells);
    const labels = Int32Array.from(fixture.labels);
    const rowWeights = fixture.rowWeights && Float64Array.from(fixture.rowWeights);
    const fit = fitLogistic(table, everyRow(table), labels, K, { ...settings, l2, rowWeights });
    expect(fit.status).toBe("converged");
    expectWeights(fit.weights, fixture);
    // An intercept at x = 0 far from the data is as uncertain as the weights times that distance.
    intercept.forEach((b, k) => {
      expect(Math.abs(fit.intercept[k] - b)).toBeLessThan(AGREEMENT * Math.max(1, Math.abs(b)));
    });
    expect(Math.abs(fit.objective / objective - 1)).toBeLessThan(ROUNDING);
  });

  it.each([2, 3, 6])("ends where the gradient vanishes, for %i classes with weights", (K) => {
    const { table, labels, rowWeights } = mixedProblem(300, K);
    const fit = fitLogistic(table, everyRow(table), labels, K, { ...settings, l2: 0.1, rowWeights });
    expect(fit.status).toBe("converged");
    expect(fit.gradientNorm).toBeLessThanOrEqual(TIGHT);
    expect(stationarity(table, labels, rowWeights, 0.1, fit)).toBeLessThan(ROUNDING);
  });

  it("has no weights for the first of two classes, and as many up as down over more", () => {
    const two = mixedProblem(200, 2);
    const binary = fitLogistic(two.table, everyRow(two.table), two.labels, 2, settings);
    expect(binary.intercept[0]).toBe(0);
    expect(binary.weights.every((w, j) => j % 2 === 1 || w === 0)).toBe(true);
    const { table, labels } = mixedProblem(200, 5);
    const fit = fitLogistic(table, everyRow(table), labels, 5, settings);
    expect(Math.abs(fit.intercept.reduce((a, b) => a + b, 0))).toBeLessThan(ROUNDING);
    for (let slot = 0; slot * 5 < fit.weights.length; slot++) {
      const sum = fit.weights.subarray(slot * 5, slot * 5 + 5).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum)).toBeLessThan(ROUNDING * 1e3); // the second numeric column has a scale of 1/100
    }
  });

  it("counts a row of weight 2 like two rows, in the standardisation too", () => {
    const { table, labels } = mixedProblem(100, 3);
    const rows = everyRow(table);
    const twice = Int32Array.from([...rows, ...rows.subarray(0, 40)]);
    const repeated = fitLogistic(
      table,
      twice,
      twice.map((r) => labels[r]),
      3,
      settings,
    );
    const rowWeights = Float64Array.from(rows, (r) => (r < 40 ? 2 : 1));
    const weighted = fitLogistic(table, rows, labels, 3, { ...settings, rowWeights });
    expect(Math.abs(repeated.objective / weighted.objective - 1)).toBeLessThan(ROUNDING);
    repeated.weights.forEach((w, j) => {
      expect(weighted.weights[j]).toBeCloseTo(w, 5);
    });
  });

  it("looks at the given rows only", () => {
    const { table, labels } = mixedProblem(150, 3);
    const rows = everyRow(table).filter((r) => r % 3 !== 0);
    const cells = table.columns.map((column) => Array.from(rows, (r) => column[r]));
    const some = fitLogistic(
      table,
      rows,
      rows.map((r) => labels[r]),
      3,
      settings,
    );
    const own = tableOf(mixed, cells);
    expect(
      fitLogistic(
        own,
        everyRow(own),
        rows.map((r) => labels[r]),
        3,
        settings,
      ),
    ).toEqual(some);
  });

  it("gives a constant column the weight 0, and a value that never occurs too", () => {
    const columns: Column[] = [
      { name: "x", kind: "numeric" },
      { name: "constant", kind: "numeric" },
      { name: "c", kind: "categorical", values: ["seen", "never", "also seen"] },
    ];
    const table = tableOf(columns, [
      [1, 2, 3, 4],
      [0.1, 0.1, 0.1, 0.1],
      [0, 2, 2, 0],
    ]);
    const fit = fitLogistic(table, everyRow(table), Int32Array.of(0, 1, 0, 1), 2, settings);
    expect(fit.status).toBe("converged");
    expect([fit.weights[3], fit.weights[7]]).toEqual([0, 0]);
  });

  it("stays finite without a penalty, with separable classes and with a class that has no row", () => {
    const x = Array.from({ length: 40 }, (_, r) => r - 19.5);
    const table = tableOf([{ name: "x", kind: "numeric" }], [x]);
    const labels = Int32Array.from(x, (value) => (value > 0 ? 2 : 0));
    const fit = fitLogistic(table, everyRow(table), labels, 3, { ...settings, l2: 0, tolerance: 1e-6 });
    expect(fit.status).toBe("converged");
    expect([...fit.weights, ...fit.intercept, fit.objective].every(Number.isFinite)).toBe(true);
  });

  it("converges for separable classes and a penalty too weak for scikit-learn's solvers", () => {
    const { table } = mixedProblem(200, 2);
    const labels = Int32Array.from(table.columns[0], (a) => Number(a > 5));
    const ones = new Float64Array(table.rows).fill(1);
    const fit = fitLogistic(table, everyRow(table), labels, 2, { ...settings, l2: 1e-6 });
    expect(fit.status).toBe("converged");
    expect(stationarity(table, labels, ones, 1e-6, fit)).toBeLessThan(ROUNDING);
  });

  it("also fits more slots than it factorises", () => {
    const g = random(3);
    const values = Array.from({ length: 1500 }, (_, v) => `v${v}`);
    const cells = [
      Array.from({ length: 4000 }, () => g.integer(1500)),
      Array.from({ length: 4000 }, () => g.normal()),
    ];
    const table = tableOf(
      [
        { name: "c", kind: "categorical", values },
        { name: "x", kind: "numeric" },
      ],
      cells,
    );
    const labels = Int32Array.from(cells[0], (v, r) => Number((v % 7) + cells[1][r] + g.normal() > 3));
    const fit = fitLogistic(table, everyRow(table), labels, 2, settings);
    expect(fit.status).toBe("converged");
    expect(stationarity(table, labels, new Float64Array(4000).fill(1), 1, fit)).toBeLessThan(ROUNDING);
  });

  it("says when it had too few iterations", () => {
    const { table, labels } = mixedProblem(200, 3);
    const fit = fitLogistic(table, everyRow(table), labels, 3, { ...settings, maxIterations: 3 });
    expect(fit).toMatchObject({ status: "iteration-limit", iterations: 3 });
    expect(fit.gradientNorm).toBeGreaterThan(TIGHT);
  });
});
