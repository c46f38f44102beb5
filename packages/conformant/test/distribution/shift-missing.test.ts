import { describe, expect, test } from "vitest";
import {
  conform,
  conformMixture,
  createClassifier,
  logEvidence,
  type Model,
  predict,
  type Row,
  type Shift,
  sensitivity,
  sensitivityInWords,
  shiftMissing,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completed, topClass } from "../support/enumerate.ts";
import { enumerated } from "../support/enumerate-trees.ts";
import { expectError } from "../support/error.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";
import { randomTreeModel, randomTreeRows } from "../support/random-trees.ts";

/** Rounding of sums over all completions. */
const ROUNDING = 1e-9;
/** Steps of a sum that stands for an integral over a number, and how far it may be off. */
const [NODES, INTEGRAL] = [4001, 1e-6];

/** How far from the mean a value is, in standard deviations, with nothing known; of a bit itself, of bins their position. */
function distances(model: Model, i: number): (row: Row) => number {
  const { name, kind, ...rest } = model.schema.columns[i];
  const edges = "edges" in rest ? rest.edges : [];
  const place = (row: Row): number =>
    kind === "binned" ? edges.filter((edge) => edge <= Number(row[name])).length : Number(row[name]);
  if (kind === "binary") return place;
  const all = completed(model, {});
  const mean = all.reduce((sum, { row, probability }) => sum + probability * place(row), 0);
  const variance = all.reduce((sum, { row, probability }) => sum + probability * (place(row) - mean) ** 2, 0);
  return (row) => (place(row) - mean) / (Math.sqrt(variance) || 1);
}

/** The mean of the classifier's answers over all completions, those weighed by what was tilted. */
function byEnumeration(
  model: Model,
  row: Row,
  shifts: Readonly<Record<string, Shift>>,
): Record<string, number> {
  const { columns } = model.schema;
  const parts = Object.entries(shifts).map(([name, shift]) => {
    const away = distances(
      model,
      columns.findIndex((column) => column.name === name),
    );
    return (full: Row): number =>
      typeof shift === "number" ? shift * away(full) : (shift[String(full[name])] ?? 0);
  });
  const sums: Record<string, number> = {};
  let total = 0;
  for (const { row: full, probability, answer } of completed(model, row)) {
    const weight = probability * Math.exp(parts.reduce((sum, part) => sum + part(full), 0));
    total += weight;
    for (const [name, p] of Object.entries(answer)) sums[name] = (sums[name] ?? 0) + weight * p;
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / total]));
}

function expectAnswer(found: Record<string, number>, truth: Record<string, number>, within = ROUNDING): void {
  for (const [name, p] of Object.entries(truth)) expect(Math.abs(found[name] - p)).toBeLessThan(within);
}

/** Tilts for every column of a model. */
function tiltsOf(model: Model, seed: number): Record<string, Shift> {
  const g = random(seed);
  return Object.fromEntries(
    model.schema.columns.map((column) => [
      column.name,
      column.kind === "categorical"
        ? { [column.values[0]]: g.normal(), [column.values[1]]: g.normal() }
        : g.normal(),
    ]),
  );
}

describe("a shifted model", () => {
  test("answers rows with gaps as the weighed completions say, one component or several", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const g = random(seed);
      for (const model of [
        randomModel({ seed, columns: 4, classes: 3 }),
        randomMixture({ seed, columns: 4, classes: 2, components: 3 }),
      ]) {
        const shifts = tiltsOf(model, seed);
        const shifted = shiftMissing(model, shifts);
        const missing = (row: Row): Record<string, Shift> =>
          Object.fromEntries(Object.entries(shifts).filter(([name]) => row[name] === undefined));
        for (const row of [{}, someOf(randomRow(model, g), g, 0.4), randomRow(model, g)])
          expectAnswer(predict(shifted, row), byEnumeration(model, row, missing(row)));
      }
    }
  });

  test("answers as before where the shifted columns are known", () => {
    const g = random(9);
    const model = randomGaussianModel({ seed: 9, numbers: 3, classes: 3, components: 2 });
    const row = { ...randomGaussianRow(3, g), bit: undefined };
    expectAnswer(
      predict(shiftMissing(model, { x1: 1.5, x2: -2, colour: { red: 3 } }), row),
      predict(model, row),
    );
    expect(shiftMissing(model, {})).toBe(model);
  });

  test("of numbers in a Gaussian block is the integral over the missing number", () => {
    const g = random(4);
    const model = randomGaussianModel({ seed: 4, numbers: 3, classes: 3, components: 2 });
    const row = { ...randomGaussianRow(3, g), x2: undefined };
    const tilt = 0.8;
    // With the number known at many places: ∫ P(x | row) e^{tilt · z} P(k | row, x) dx, from the model's own log P and answers.
    const usual = densityOf(model, {}, "x2");
    const mean = usual.reduce((sum, { x, density }) => sum + x * density, 0);
    const variance = usual.reduce((sum, { x, density }) => sum + (x - mean) ** 2 * density, 0);
    const sums: Record<string, number> = {};
    let total = 0;
    for (const { x, density } of densityOf(model, row, "x2")) {
      const weight = density * Math.exp((tilt * (x - mean)) / Math.sqrt(variance));
      total += weight;
      for (const [name, p] of Object.entries(predict(model, { ...row, x2: x })))
        sums[name] = (sums[name] ?? 0) + weight * p;
    }
    const truth = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / total]));
    expectAnswer(predict(shiftMissing(model, { x2: tilt }), row), truth, INTEGRAL);
  });

  test("of trees is the mean of their answers over the completions, weighed", () => {
    const { model, g } = randomTreeModel(
      2,
      { link: "softmax" },
      { components: 2, numeric: "atoms", bins: 4 },
    );
    const [row] = randomTreeRows(g, 1);
    const incomplete: Row = { age: row.age, dose: row.dose, city: row.city };
    const shifted = shiftMissing(model, { smoker: 0.9 });
    const both = enumerated(model, incomplete);
    expect(both).toHaveLength(2);
    const weights = both.map(({ weight }, bit) => weight * Math.exp(0.9 * bit));
    const total = weights[0] + weights[1];
    Object.values(predict(shifted, incomplete)).forEach((p, k) => {
      expect(p).toBeCloseTo((weights[0] * both[0].p[k] + weights[1] * both[1].p[k]) / total, 9);
    });
  });

  test("is refused for tilts that are none, of columns that are not there or without a value", () => {
    const model = randomGaussianModel({ seed: 1, numbers: 2, classes: 2, components: 1 });
    const refuse = (shifts: object, message: RegExp, code = "invalid-argument" as const) =>
      expectError(() => shiftMissing(model, shifts as Record<string, Shift>), code, message);
    refuse({ x1: Number.NaN }, /^shifts: the tilt of "x1" must be a number from −100 to 100, got NaN/);
    refuse({ x1: 101 }, /from −100 to 100/);
    refuse({ colour: 1 }, /must be given for a value, as in \{ "blue": 1 \}/);
    refuse({ colour: { violet: 1 } }, /must be given for one of "blue", "green", "red", got "violet"/);
    refuse({ x1: { high: 1 } }, /must be a number/);
    expectError(() => shiftMissing(model, { none: 1 }), "unknown-column", /none/);
  });
});

/** P(x | row) of a number on a fine grid, as weights that sum to 1. */
function densityOf(model: Model, row: Row, name: string): { x: number; density: number }[] {
  const nodes = Array.from({ length: NODES }, (_, j) => -40 + (80 * j) / (NODES - 1));
  const logs = nodes.map((x) => logEvidence(model, { ...row, [name]: x }));
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return nodes.map((x, j) => ({ x, density: weights[j] / total }));
}

describe("sensitivity", () => {
  test("finds the tilt at which the shifted model decides otherwise, and none before", () => {
    let found = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const g = random(seed);
      const models = [
        {
          model: randomModel({ seed, columns: 4, classes: 3, scale: 2 }),
          row: (m: Model) => randomRow(m, g),
        },
        {
          model: randomGaussianModel({ seed, numbers: 3, classes: 3, components: 2 }),
          row: () => randomGaussianRow(3, g),
        },
      ];
      for (const { model, row: draw } of models) {
        const row = someOf(draw(model), g, 0.4);
        const { tilts, prediction, limit } = sensitivity(model, row);
        expect(prediction).toBe(topClass(predict(model, row)));
        for (const { column, value, tilt, prediction: other } of tilts) {
          const decide = (size: number): string =>
            topClass(
              predict(shiftMissing(model, { [column]: value === undefined ? size : { [value]: size } }), row),
            );
          const tries = Array.from(
            { length: 40 },
            (_, j) => ((j + 0.5) / 40) * (tilt === null ? limit : Math.abs(tilt) - 1e-6),
          );
          for (const size of tries) expect([decide(size), decide(-size)]).toEqual([prediction, prediction]);
          if (tilt === null) continue;
          found++;
          expect(decide(tilt + Math.sign(tilt) * 1e-6)).toBe(other);
        }
      }
    }
    expect(found).toBeGreaterThan(20);
  });

  test("of trees is near the tilt that changes their answer", () => {
    const { model, g } = randomTreeModel(
      5,
      { link: "softmax" },
      { components: 2, numeric: "atoms", bins: 4 },
    );
    const row = { age: g.normal() };
    const { tilts, prediction } = sensitivity(model, row, { limit: 6 });
    for (const { column, value, tilt, prediction: other } of tilts) {
      if (tilt === null) continue;
      const decide = (size: number): string =>
        topClass(
          predict(shiftMissing(model, { [column]: value === undefined ? size : { [value]: size } }), row),
        );
      expect([decide(tilt), decide(0.9 * tilt)]).toEqual([other, prediction]);
    }
    expect(tilts.map(({ column }) => column).sort()).toEqual(["city", "city", "city", "dose", "smoker"]);
  });

  test("finds tilts where the likeliest component is the one that a tilt speaks against most", () => {
    const classifier = createClassifier({
      schema: { columns: ["a", "b"].map((name) => ({ name, kind: "numeric" as const })) },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1, 0, -1),
    });
    const rows = Array.from({ length: 50 }, (_, i) => ({ a: i, b: 2 * i }));
    for (const numeric of ["gaussian", "atoms"] as const) {
      const model = conformMixture(classifier, rows, { components: 3, numeric });
      const row = { a: -1e6 };
      const { tilts, prediction } = sensitivity(model, row);
      expect(prediction).toBe(topClass(predict(model, row)));
      for (const { tilt } of tilts)
        if (tilt !== null)
          expect(topClass(predict(shiftMissing(model, { b: tilt }), row))).not.toBe(prediction);
    }
  });

  test("says in words what it takes", () => {
    const classifier = createClassifier({
      schema: {
        columns: [
          { name: "income", kind: "numeric" },
          { name: "owner", kind: "binary" },
        ],
      },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0.2),
      weights: Float64Array.of(0, 2, 0, 0),
    });
    const model = conform(
      classifier,
      [-2, -1, 0, 1, 2].map((income) => ({ income, owner: income > 0 ? 1 : 0 })),
    );
    const found = sensitivity(model, {});
    expect(sensitivityInWords(found)).toMatch(
      /^Predicted yes if values are missing at random; no if a value of income is 1\.\d times as likely to be missing as one a standard deviation higher \(tilt −0\.\d\d\)\. No tilt up to 3 of owner alone changes it\.$/,
    );
    expect(sensitivityInWords(sensitivity(model, { income: 1 }))).toBe(
      "Predicted yes, whatever the reason for the missing values. No tilt up to 3 of owner alone changes it.",
    );
    expect(sensitivityInWords(sensitivity(model, { income: 1, owner: 0 }))).toBe(
      "Nothing is missing, so that it does not matter why.",
    );
  });
});
