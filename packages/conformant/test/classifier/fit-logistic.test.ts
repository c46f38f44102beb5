import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { designMatrix } from "../../src/classifier/design-matrix.ts";
import { fitLogistic, type LogisticFit } from "../../src/classifier/fit-logistic.ts";
import { logisticLoss } from "../../src/classifier/logistic-loss.ts";
import { packColumns } from "../../src/classifier/packed-columns.ts";
import { panelLayout, parameterIndex } from "../../src/classifier/panel-layout.ts";
import { logSumExp } from "../../src/math/log-sum-exp.ts";
import { random } from "../../src/math/random.ts";
import { type Column, slotOffsets } from "../../src/schema/column.ts";
import type { EncodedColumn, Table } from "../../src/schema/data.ts";

/** The bar for weights of standardised columns against scikit-learn's. */
const AGREEMENT = 1e-4;
/** Tolerance of the fits: with the weakest penalty here a gradient entry of 1e-10 is a weight off by about 1e-6. */
const TIGHT = 1e-10;
/** Sums of a few hundred numbers of size 1, in two different orders. */
const ROUNDING = 1e-9;
/** Relative error of a central difference with step 1e-5: third derivatives times 1e-10, rounding over 1e-5. */
const DIFFERENCE = 1e-6;

const settings = { l2: 1, tolerance: TIGHT, maxIterations: 5000 };
const everyRow = ({ rows }: Table): Int32Array => Int32Array.from({ length: rows }, (_, r) => r);

function tableOf(columns: readonly Column[], cells: readonly ArrayLike<number>[]): Table {
  const encoded = columns.map(
    ({ kind }, i): EncodedColumn =>
      kind === "numeric" ? Float64Array.from(cells[i]) : Int16Array.from(cells[i]),
  );
  return { schema: { columns }, rows: cells[0].length, columns: encoded, unseen: [] };
}

const mixed: readonly Column[] = [
  { name: "a", kind: "numeric" },
  { name: "b", kind: "binary" },
  { name: "c", kind: "categorical", values: ["x", "y", "z"] },
  { name: "d", kind: "numeric" },
  { name: "e", kind: "binned", edges: [0, 1, 2] },
  { name: "f", kind: "categorical", values: Array.from({ length: 100 }, (_, v) => `v${v}`) },
  { name: "g", kind: "binary" },
];

/** Rows of mixed columns with labels that depend on them, and weights. */
function mixedProblem(rows: number, classCount: number, seed = 1) {
  const g = random(seed);
  const draw = (next: () => number) => Array.from({ length: rows }, next);
  const cells = [
    draw(() => 5 + 2 * g.normal()),
    draw(() => Number(g.uniform() < 0.2)),
    draw(() => g.integer(3)),
    draw(() => g.normal() / 100),
    draw(() => g.integer(4)),
    draw(() => Math.floor(100 * g.uniform() ** 4)),
    draw(() => Number(g.uniform() < 0.9)),
  ];
  const labels = Int32Array.from(cells[0], (a, r) =>
    g.uniform() < 0.3 ? g.integer(classCount) : Math.floor(Math.abs(a + cells[2][r])) % classCount,
  );
  return { table: tableOf(mixed, cells), labels, rowWeights: Float64Array.from(draw(() => g.uniform() * 3)) };
}

/** A row on the original scale, one number per slot. */
function slotsOfRow({ schema, columns }: Table, r: number): Float64Array {
  const starts = slotOffsets(schema);
  const x = new Float64Array(starts[schema.columns.length]);
  schema.columns.forEach(({ kind }, i) => {
    if (kind === "numeric" || kind === "binary") x[starts[i]] = columns[i][r];
    else x[starts[i] + columns[i][r]] = 1;
  });
  return x;
}

function scoresOf(
  { intercept, weights }: Pick<LogisticFit, "intercept" | "weights">,
  x: Float64Array,
): Float64Array {
  const K = intercept.length;
  return intercept.map((b, k) => x.reduce((sum, value, slot) => sum + value * weights[slot * K + k], b));
}

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

describe("packColumns", () => {
  it("loses nothing: reference and changes give back every row", () => {
    const column = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 14 }), fc.integer(), (counts, seed) => {
        const g = random(seed);
        const columns = counts.map((count, i): Column => {
          const name = `c${i}`;
          if (count % 2 === 0) return { name, kind: "binary" };
          return { name, kind: "categorical", values: Array.from({ length: count }, (_, v) => `v${v}`) };
        });
        const cells = counts.map((count) =>
          Array.from({ length: 30 }, () => g.integer(count % 2 === 0 ? 2 : count)),
        );
        const table = tableOf(columns, cells);
        const rows = Int32Array.of(3, 3, 29, 0, 17);
        const packed = packColumns(table, rows);
        rows.forEach((row, r) => {
          const x = packed.reference.slice();
          for (const p of packed.patterns.subarray(packed.rowStart[r], packed.rowStart[r + 1])) {
            for (let i = packed.patternStart[p]; i < packed.patternStart[p + 1]; i++) {
              x[packed.changeSlot[i]] += packed.changeSign[i];
            }
          }
          expect(x).toEqual(slotsOfRow(table, row));
        });
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});

describe("logisticLoss", () => {
  // 601 rows are more than one block, the last of them odd; 2 to 9 classes are one to three panels, some padded.
  for (const classCount of [2, 3, 4, 5, 9]) {
    const { table, labels, rowWeights } = mixedProblem(601, classCount);
    const design = designMatrix(table, everyRow(table), rowWeights);
    const layout = panelLayout(design.slots, classCount);
    const loss = logisticLoss(design, layout, labels, 0.7);
    const g = random(2);
    const point = new Float64Array(layout.length);
    for (let slot = 0; slot <= design.slots; slot++) {
      for (let k = 0; k < layout.outputs; k++) point[parameterIndex(layout, slot, k)] = g.normal();
    }

    it(`is the penalised log-loss of ${classCount} classes`, () => {
      const first = classCount - layout.outputs;
      const weights = new Float64Array(design.slots * classCount);
      const intercept = new Float64Array(classCount);
      for (let k = 0; k < layout.outputs; k++) {
        intercept[first + k] = point[parameterIndex(layout, design.slots, k)];
        for (let slot = 0; slot < design.slots; slot++) {
          weights[slot * classCount + first + k] = point[parameterIndex(layout, slot, k)];
        }
      }
      let expected = 0.35 * weights.reduce((sum, w) => sum + w * w, 0);
      for (let r = 0; r < table.rows; r++) {
        const x = slotsOfRow(table, r).map((value, slot) => (value - design.mean[slot]) / design.scale[slot]);
        const scores = scoresOf({ intercept, weights }, x);
        expected += rowWeights[r] * (logSumExp(scores) - scores[labels[r]]);
      }
      expect(Math.abs(loss(point, new Float64Array(layout.length)) / expected - 1)).toBeLessThan(ROUNDING);
    });

    it(`has the gradient that finite differences show for ${classCount} classes`, () => {
      const gradient = new Float64Array(layout.length);
      loss(point, gradient);
      const largest = Math.max(...gradient.map(Math.abs));
      const unused = new Float64Array(layout.length);
      const step = 1e-5;
      for (let j = 0; j < layout.length; j += 7) {
        const [ahead, behind] = [point.slice(), point.slice()];
        ahead[j] += step;
        behind[j] -= step;
        const isPadding = point[j] === 0;
        const slope = isPadding ? 0 : (loss(ahead, unused) - loss(behind, unused)) / (2 * step);
        expect(Math.abs(slope - gradient[j])).toBeLessThan(DIFFERENCE * largest);
      }
    });
  }
});

interface Fixture extends Pick<LogisticFit, "objective"> {
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly classCount: number;
  readonly l2: number;
  readonly rowWeights?: readonly number[];
  /** Standard deviation taken out of each slot. */
  readonly scale: readonly number[];
  /** slots × K. */
  readonly weights: readonly (readonly number[])[];
  readonly intercept: readonly number[];
}

const folder = new URL("../fixtures/train/", import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("fitLogistic", () => {
  it.each(fixtures)("finds the weights that scikit-learn finds: %s", (name) => {
    const fixture = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Fixture;
    const { classCount: K, l2, scale, weights, intercept, objective } = fixture;
    const table = tableOf(fixture.columns, fixture.cells);
    const labels = Int32Array.from(fixture.labels);
    const rowWeights = fixture.rowWeights && Float64Array.from(fixture.rowWeights);
    const fit = fitLogistic(table, everyRow(table), labels, K, { ...settings, l2, rowWeights });
    expect(fit.status).toBe("converged");
    weights.forEach((row, slot) => {
      row.forEach((weight, k) => {
        expect(Math.abs(fit.weights[slot * K + k] - weight) * scale[slot]).toBeLessThan(AGREEMENT);
      });
    });
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
