import { describe, expect, it } from "vitest";
import {
  type Column,
  conformMixture,
  createClassifier,
  type Model,
  predict,
  type Row,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { logit } from "../../src/math/softmax.ts";
import { expectationOf } from "../../src/model/kinds.ts";
import { ExpectedCoalitions } from "../../src/predictors/default-coalitions.ts";
import type { Coalitions, Expectation } from "../../src/predictors/expectation.ts";
import { knownFeatures } from "../../src/predictors/features.ts";
import { DEFAULT_READING, readCells } from "../../src/questions/row-input.ts";
import { missingCell } from "../../src/schema/read-row.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomRow } from "../support/random-model.ts";

/** Digits that sums of terms and predictions agree in. */
const DIGITS = 10;

/** x and z are missing more often where they are 1, and the classifier uses that they are. */
function indicatorModel(seed: number): Model {
  const g = random(seed);
  const columns: Column[] = [
    { name: "x", kind: "binary" },
    { name: "z", kind: "numeric" },
    { name: "w", kind: "categorical", values: ["a", "b", "c"] },
    { name: "x is missing", kind: "binary", gapOf: "x" },
    { name: "z is missing", kind: "binary", gapOf: "z" },
  ];
  const rows = Array.from({ length: 200 }, (): Row => {
    const x = g.integer(2);
    const z = x + g.normal();
    return {
      w: ["a", "b", "c"][g.integer(3)],
      ...(g.uniform() < (x === 1 ? 0.3 : 0.9) && { x }),
      ...(g.uniform() < (z > 0 ? 0.8 : 0.4) && { z }),
    };
  });
  const classifier = createClassifier({
    schema: { columns },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 0.4),
    weights: Float64Array.from([-3, 1, 0.8, -0.5, 0.2, 0.7, -0.6].flatMap((weight) => [0, weight])),
  });
  return conformMixture(classifier, rows, { components: 2, numeric: seed % 2 === 0 ? "atoms" : "gaussian" });
}

/** Models with a row of each, some of its values missing. */
function cases(): [string, Model, Row][] {
  return Array.from({ length: 6 }, (_, seed): [string, Model, Row][] => {
    const g = random(seed);
    const mixture = randomMixture({ seed, columns: 6, classes: 2 + (seed % 3), components: 1 + (seed % 3) });
    const block = randomGaussianModel({
      seed,
      numbers: 3,
      classes: 2 + (seed % 2),
      components: 1 + (seed % 2),
    });
    const marked = { x: g.integer(2), z: g.normal(), w: "b" };
    return [
      [`mixture ${seed}`, mixture, someOf(randomRow(mixture, g), g, 0.7)],
      [`Gaussian ${seed}`, block, someOf(randomGaussianRow(3, g), g, 0.7)],
      [`indicators ${seed}`, indicatorModel(seed), someOf(marked, g, 0.8)],
    ];
  }).flat();
}

function coalitionsOf(model: Model, row: Row): { own: Coalitions; byDefault: Coalitions; names: string[] } {
  const cells = readCells(model, row, DEFAULT_READING);
  const features = knownFeatures(model.schema, cells);
  const expectation = expectationOf(model);
  return {
    own: expectation.coalitions(cells, features),
    byDefault: new ExpectedCoalitions(expectation, model.schema, cells, features),
    names: features.map(({ name }) => name),
  };
}

function expectSame(found: ArrayLike<number>, truth: ArrayLike<number>): void {
  expect(found.length).toBe(truth.length);
  for (let i = 0; i < truth.length; i++) expect(found[i]).toBeCloseTo(truth[i], DIGITS);
}

describe.each(cases())("the coalitions of a row: %s", (_, model, row) => {
  const { own, byDefault, names } = coalitionsOf(model, row);
  const n = names.length;
  const sets = Array.from({ length: 2 ** n }, (_, bits) =>
    Array.from({ length: n }, (_, f) => f).filter((f) => (bits >> f) & 1),
  );
  const { outputs } = model.response;

  it("are the expected answers where the columns of these features alone are known", () => {
    const cells = readCells(model, row, DEFAULT_READING).slice();
    for (const set of sets) {
      const known = new Set(set.flatMap((f) => own.features[f].columns));
      const some = cells.map((cell, i) => (known.has(i) ? cell : missingCell(model.schema.columns[i])));
      const truth = expectationOf(model).expect(some).values;
      expectSame(own.value(set).values, truth);
      expectSame(byDefault.value(set).values, truth);
    }
    const all = sets[sets.length - 1];
    expectSame(
      own.value(all).values,
      outputs.map((name) => predict(model, row)[name]),
    );
  });

  it("have the same log-odds and differences by either way, without claims that were sampled", () => {
    const order = names.map((_, f) => n - 1 - f);
    for (let c = 0; c < outputs.length; c++) {
      const truth = sets.map((set) => logit(own.value(set).values[c]));
      for (const coalitions of [own, byDefault]) {
        expectSame(coalitions.table(c)?.scores ?? [], truth);
        expect(coalitions.table(c)?.errors).toBeUndefined();
        expectSame(
          coalitions.along(order, c).scores,
          [0, ...order].map((_, j) => truth[sum(order.slice(0, j))]),
        );
        const { scores: logOdds, values: probability, sign } = coalitions.leaveOneOut(c);
        const all = truth.length - 1;
        expectSame(
          logOdds,
          names.map((_, f) => truth[all] - truth[all ^ (1 << f)]),
        );
        const p = (bits: number): number => own.value(sets[bits]).values[c];
        expectSame(
          probability,
          names.map((_, f) => p(all) - p(all ^ (1 << f))),
        );
        for (let f = 0; f < n; f++)
          if (Math.abs(probability[f]) > 1e-9) expect(sign[f]).toBe(Math.sign(logOdds[f]));
        expect(coalitions.sampled).toBe(false);
      }
    }
  });
});

/** The set of some features as bits. */
function sum(features: readonly number[]): number {
  return features.reduce((bits, f) => bits | (1 << f), 0);
}

describe("coalitions whose values are sampled", () => {
  /** Answers a number that the known cells decide, with a standard error where any is missing. */
  const sampled = (error: number): Pick<Expectation, "expect" | "cost" | "K"> => ({
    K: 2,
    cost: 1,
    expect: (cells) => {
      const p = 0.3 + 0.2 * Number(cells[0] >= 0) + 0.01 * Number(cells[1] >= 0);
      return { values: Float64Array.of(1 - p, p), standardError: cells.some((cell) => cell < 0) ? error : 0 };
    },
  });
  const schema = { columns: ["a", "b"].map((name) => ({ name, kind: "binary" as const })) };
  const features = schema.columns.map(({ name }, i) => ({ name, columns: [i] }));
  const of = (error: number): Coalitions =>
    new ExpectedCoalitions(sampled(error), schema, Float64Array.of(1, 1), features);

  it("take differences of less than three standard errors for none", () => {
    expect([...of(0.002).leaveOneOut(1).sign]).toEqual([1, 1]);
    expect([...of(0.004).leaveOneOut(1).sign]).toEqual([1, 0]);
    expect([...of(0.004).leaveOneOut(0).sign]).toEqual([-1, 0]);
  });

  it("say so once a value was, with its standard error", () => {
    const coalitions = of(0.004);
    coalitions.value([0, 1]);
    expect(coalitions.sampled).toBe(false);
    expect(coalitions.table(1)?.errors).toEqual(Float64Array.of(0.004, 0.004, 0.004, 0));
    expect(coalitions.sampled).toBe(true);
    expect(coalitions.along([1, 0], 1).errors).toEqual(Float64Array.of(0.004, 0.004, 0));
  });

  it("compute each set once", () => {
    let count = 0;
    const { expect: answer, cost } = sampled(0);
    const counting: Pick<Expectation, "expect" | "cost" | "K"> = {
      K: 2,
      cost,
      expect: (cells) => {
        count++;
        return answer(cells);
      },
    };
    const coalitions = new ExpectedCoalitions(counting, schema, Float64Array.of(1, 1), features);
    coalitions.table(1);
    coalitions.leaveOneOut(0);
    coalitions.along([1, 0], 1);
    coalitions.value([1, 0]);
    expect(count).toBe(4);
  });
});
