import { describe, expect, it } from "vitest";
import {
  askNext,
  askPlan,
  askTree,
  conform,
  conformMixture,
  explain,
  howSure,
  type Model,
  predict,
  predictColumns,
  predictRow,
  type Row,
  type Schema,
  sensitivity,
  shapley,
} from "../../src/index.ts";
import { addKind, kindOf } from "../../src/model/kinds.ts";
import { DefaultExpectation } from "../../src/predictors/default-expectation.ts";
import type { Predictor, PredictorKind } from "../../src/predictors/predictor.ts";
import { flatTilt } from "../../src/schema/class-tilt.ts";

/** A toy predictor, written as CONTRIBUTING says: it answers by the values of two categories, from a table. */
interface LookupTable extends Predictor {
  readonly kind: "lookup";
  readonly classes: readonly string[];
  /** P(second class) for each pair of values of the first two columns. */
  readonly table: readonly (readonly number[])[];
}

const lookupKind: PredictorKind<LookupTable> = {
  kind: "lookup",
  description: "a lookup table",
  sampled: true,
  response: ({ classes }) => ({ kind: "classes", outputs: classes }),
  columnsUsed: () => [0, 1],
  evaluate: ({ table }, { rows, columns }) =>
    Float64Array.from({ length: rows * 2 }, (_, at) => {
      const r = Math.floor(at / 2);
      const p = table[columns[0][r]][columns[1][r]];
      return at % 2 === 1 ? p : 1 - p;
    }),
  tilt: ({ schema }) => flatTilt(schema, 2),
  expectation: (predictor, distribution) => new DefaultExpectation(lookupKind, predictor, distribution),
  write: () => ({}),
  addColumns: (predictor, columns) => ({
    ...predictor,
    schema: { columns: [...predictor.schema.columns, ...columns] },
  }),
};
addKind(lookupKind);

const schema: Schema = {
  columns: [
    { name: "color", kind: "categorical", values: ["red", "green", "blue"] },
    { name: "size", kind: "categorical", values: ["small", "large"] },
    { name: "shape", kind: "categorical", values: ["round", "square"] },
  ],
};
const lookup: LookupTable = {
  kind: "lookup",
  schema,
  classes: ["no", "yes"],
  table: [
    [0.9, 0.2],
    [0.1, 0.6],
    [0.3, 0.7],
  ],
};

/** Rows in which shape follows size, and size follows color. */
const rows: Row[] = Array.from({ length: 120 }, (_, r) => {
  const color = ["red", "green", "blue"][r % 3];
  const size = (r % 3 === 0 ? r % 7 > 1 : r % 5 > 3) ? "small" : "large";
  return { color, size, shape: (size === "small") === r % 6 > 0 ? "round" : "square" };
});

/** P(x) of complete rows as a mixture gives it, by the product of its parameters. */
function probabilityOf(model: Model<LookupTable>, codes: readonly number[]): number {
  return model.components.reduce((sum, { logWeight, logQ }) => {
    const logs = codes.map((code, i) => logQ[model.atoms.offsets[i] + code]);
    return sum + Math.exp(logs.reduce((all, log) => all + log, logWeight));
  }, 0);
}

/** E[P(yes) | known] by enumeration of all rows. */
function truth(model: Model<LookupTable>, known: Row): number {
  let [total, mean] = [0, 0];
  for (let a = 0; a < 3; a++)
    for (let b = 0; b < 2; b++)
      for (let c = 0; c < 2; c++) {
        const codes = [a, b, c];
        const fits = schema.columns.every(
          (column, i) =>
            known[column.name] === undefined ||
            (column.kind === "categorical" && column.values[codes[i]] === known[column.name]),
        );
        if (!fits) continue;
        const p = probabilityOf(model, codes);
        total += p;
        mean += p * lookup.table[a][b];
      }
  return mean / total;
}

const model = conformMixture(lookup, rows, { components: 3, seed: 1 });
const questions = model as unknown as Model; // the questions are typed for the library's own predictors
const partly: Row = { shape: "round" };

describe("a predictor that is one folder and one line", () => {
  it("is known by its kind, and others are not", () => {
    expect(kindOf(lookup)).toBe(lookupKind);
    expect(() => conform({ ...lookup, kind: "nonsense" } as unknown as LookupTable, rows)).toThrow(
      /must be an additive classifier or an ensemble of trees/,
    );
  });

  it("is expected to answer what enumeration gives, for every set of known columns", () => {
    for (const known of [{}, partly, { color: "red" }, { size: "large", shape: "square" }, rows[0]]) {
      const { yes } = predict(questions, known);
      expect(yes).toBeCloseTo(truth(model, known), 12);
      expect(predictRow(questions, known).standardError).toBe(0);
    }
    const { probabilities } = predictColumns(questions, rows);
    rows.forEach((row, r) => {
      expect(probabilities[2 * r + 1]).toBe(predict(questions, row).yes);
    });
  });

  it("has contributions that are differences of predictions, and Shapley values that add up", () => {
    const known = { color: "red", size: "small" };
    const { prediction, probability, contributions } = explain(questions, known);
    const without = truth(model, { size: "small" });
    const own = contributions.find(({ column }) => column === "color");
    expect(prediction).toBe("yes");
    expect(own?.probability).toBeCloseTo(probability - without, 12);
    const { baseline, total, contributions: shares } = shapley(questions, known);
    expect(baseline + shares.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(total, 12);
    expect(total).toBeCloseTo(probability, 12);
  });

  it("is asked for the column that tells most, by the mutual information of class and column", () => {
    const now = truth(model, partly);
    const entropy = (p: number): number => -p * Math.log(p) - (1 - p) * Math.log(1 - p);
    const [best] = askNext(questions, partly);
    const shares = schema.columns.slice(0, 2).map((column) => {
      const values = column.kind === "categorical" ? column.values : [];
      const masses = values.map((value) => massOf({ ...partly, [column.name]: value }));
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      const after = values.reduce(
        (sum, value, v) =>
          sum + (masses[v] / total) * entropy(truth(model, { ...partly, [column.name]: value })),
        0,
      );
      return { column: column.name, gain: entropy(now) - after };
    });
    const expected = shares.sort((a, b) => b.gain - a.gain)[0];
    expect(best.column).toBe(expected.column);
    expect(best.informationGain).toBeCloseTo(expected.gain, 10);
    // It looks one question further, and so may begin with the other one.
    expect(["color", "size"]).toContain(askTree(questions, partly, { depth: 1 }).question?.column);
    expect(askPlan(questions, partly, { threshold: 1 }).reached).toBe(true);
  });

  it("is as sure as its completions are", () => {
    const { probability, sameDecision } = howSure(questions, partly);
    const now = truth(model, partly);
    expect(probability).toBeCloseTo(Math.max(now, 1 - now), 12);
    let [same, total] = [0, 0];
    for (const [a, color] of ["red", "green", "blue"].entries())
      for (const [b, size] of ["small", "large"].entries()) {
        const mass = massOf({ ...partly, color, size });
        total += mass;
        if (lookup.table[a][b] >= 0.5 === now >= 0.5) same += mass;
      }
    expect(sameDecision.value).toBeCloseTo(same / total, 12);
    expect(sensitivity(questions, partly).tilts.length).toBeGreaterThan(0);
  });
});

/** P(known) up to a factor. */
function massOf(known: Row): number {
  let sum = 0;
  for (let a = 0; a < 3; a++)
    for (let b = 0; b < 2; b++)
      for (let c = 0; c < 2; c++) {
        const codes = [a, b, c];
        const fits = schema.columns.every(
          (column, i) =>
            known[column.name] === undefined ||
            (column.kind === "categorical" && column.values[codes[i]] === known[column.name]),
        );
        if (fits) sum += probabilityOf(model, codes);
      }
  return sum;
}
