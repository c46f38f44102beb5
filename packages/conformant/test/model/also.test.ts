import { describe, expect, it } from "vitest";
import { addColumns } from "../../src/entries/internal.ts";
import { countMarginals } from "../../src/entries/remote.ts";
import { answerRows } from "../../src/entries/trees.ts";
import {
  type Classifier,
  classify,
  conform,
  conformMixture,
  loadModel,
  type Model,
  predict,
  predictColumns,
  type Row,
  saveModel,
  train,
  trainOnIncomplete,
  trainTrees,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completed } from "../support/enumerate.ts";
import { expectError } from "../support/error.ts";

/** Sums over the completions of a row, each a product of a few numbers: what is left is their rounding. */
const ROUNDING = 1e-12;

/** The columns of {@link homes} that the classifiers here use. */
const OWN = ["rooms", "garden", "heating"];

/** Rows of five columns that tell of each other, and a label of the first three. */
function homes(seed: number, count: number, gaps = 0): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const large = g.uniform() < 0.5;
    const old = g.uniform() < 0.4;
    const row: Row = {
      rooms: (large ? 2 : 0) + g.integer(3),
      garden: g.uniform() < (large ? 0.9 : 0.2) ? 1 : 0,
      heating: old ? ["oil", "coal"][g.integer(2)] : ["gas", "heat pump"][g.integer(2)],
      street: large ? "wide" : g.uniform() < 0.8 ? "narrow" : "wide",
      old: old ? 1 : 0,
    };
    const cells = Object.entries(row).map(([name, value]) => [name, g.uniform() < gaps ? null : value]);
    const dear = Number(row.rooms) + 2 * Number(row.garden) - (old ? 2 : 0) + g.normal() > 3;
    return { ...Object.fromEntries(cells), dear: dear ? "yes" : "no" };
  });
}

const rows = homes(1, 300);
const classifier = train(rows, { label: "dear", columns: OWN });

/** A row without its label, and without some of its columns. */
function without({ dear: _, ...row }: Row, ...names: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

describe("columns that the classifier does not use", () => {
  const also = ["street", "old"];
  const models = {
    "one component": conform(classifier, rows, { also }),
    "a mixture": conformMixture(classifier, rows, { also, components: 3, numeric: "atoms" }),
    "a Gaussian": conformMixture(classifier, rows, { also: "all", components: 2, numeric: "gaussian" }),
  };

  for (const [kind, model] of Object.entries(models)) {
    it(`leave the classifier's answers as they are, to the last bit, known or not (${kind})`, () => {
      for (const row of rows.slice(0, 60)) {
        const own = classify(classifier, without(row, ...also));
        expect(classify(model.predictor, without(row, "old"))).toEqual(own);
        const asked = [without(row), without(row, "street"), without(row, ...also)];
        for (const one of asked) expect(predict(model, one)).toEqual(own);
        const { probabilities } = predictColumns(model, [...asked, without(row, "rooms")]);
        for (let r = 0; r < asked.length; r++)
          expect([...probabilities.subarray(2 * r, 2 * r + 2)]).toEqual(Object.values(own));
      }
      expect(model.certificate.conformityError).toBeLessThan(ROUNDING);
    });

    it(`are in the file, which is read back to the same answers (${kind})`, () => {
      const copy = loadModel(saveModel(model));
      for (const row of rows.slice(0, 20))
        for (const name of ["rooms", "heating", "old"])
          expect(predict(copy, without(row, name))).toEqual(predict(model, without(row, name)));
    });
  }

  for (const kind of ["one component", "a mixture"] as const) {
    it(`give the expected prediction by enumeration (${kind})`, () => {
      const model = models[kind];
      for (const row of rows.slice(0, 12)) {
        for (const names of [["rooms"], ["garden", "old"], ["rooms", "heating", "street"], [...OWN]]) {
          const asked = without(row, ...names);
          const answer = predict(model, asked);
          const expected = { no: 0, yes: 0 };
          for (const one of completed(model, asked)) {
            const own = classify(classifier, Object.fromEntries(OWN.map((name) => [name, one.row[name]])));
            for (const name of ["no", "yes"] as const) expected[name] += one.probability * own[name];
          }
          for (const name of ["no", "yes"] as const)
            expect(Math.abs(answer[name] - expected[name])).toBeLessThan(ROUNDING);
        }
      }
    });
  }

  it("bring the answers nearer to those of whole rows where others are missing", () => {
    const held = homes(2, 400).map((row) => without(row));
    const lossOf = (model: Model): number =>
      held.reduce((sum, row) => {
        const own = classify(classifier, without(row, ...also));
        const answer = predict(model, without(row, "heating"), { extra: "ignore" });
        return sum - own.yes * Math.log(answer.yes) - own.no * Math.log(answer.no);
      }, 0) / held.length;
    const alone = conformMixture(classifier, rows, { components: 3, numeric: "atoms" });
    expect(lossOf(models["a mixture"])).toBeLessThan(lossOf(alone) - 0.02);
  });

  it("are of any data: rows, columns, a table or its counts", () => {
    const columns = Object.fromEntries(
      Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]),
    );
    const wide = addColumns(classifier, models["one component"].schema.columns.slice(3));
    const marginals = countMarginals(wide.schema, rows);
    const asked = without(rows[0], "rooms", "heating");
    const answer = predict(models["one component"], asked);
    for (const data of [columns, marginals])
      expect(predict(conform(classifier, data, { also: "all" }), asked)).toEqual(answer);
    expect(predict(conform(wide, rows), asked)).toEqual(answer);
  });

  it("complete the rows that a classifier is trained on", () => {
    const { classifier: trained, model } = trainOnIncomplete(homes(3, 300, 0.15), {
      label: "dear",
      columns: OWN,
      also,
      components: 2,
      maxRounds: 1,
    });
    expect(model.schema.columns.map(({ name }) => name)).toEqual([...OWN, ...also]);
    expect(slotsOf(trained, 3)).toEqual(slotsOf(trained, 3).map(() => 0));
    expect(Math.max(...slotsOf(trained, 0, 3).map(Math.abs))).toBeGreaterThan(0.1);
    const whole = rows.map((row) => without(row, ...also));
    const narrow = { ...trained, schema: { columns: trained.schema.columns.slice(0, 3) } };
    for (const row of whole.slice(0, 20))
      expect(predict(model, row)).toEqual(
        classify({ ...narrow, weights: trained.weights.slice(0, 12) }, row),
      );
  });

  it("are welcome beside trees", () => {
    const trees = trainTrees(rows, { label: "dear", columns: OWN, maxIterations: 8 });
    const model = conformMixture(trees, rows, { also, components: 2 });
    for (const row of rows.slice(0, 20)) {
      const [no, yes] = answerRows(trees, [row]);
      expect(predict(model, without(row))).toEqual({ no, yes });
      expect(predict(model, without(row, ...also))).toEqual({ no, yes });
    }
    const [wide, narrow] = ["wide", "narrow"].map((street) => predict(model, { street }).yes);
    expect(wide).toBeGreaterThan(narrow + 0.05);
  });

  it("are refused where they are none, or the classifier's own", () => {
    expectError(
      () => conform(classifier, rows, { also: ["roof"] }),
      "unknown-column",
      /options.also names "roof".*"rooms"/,
    );
    expectError(
      () => conform(classifier, rows, { also: ["rooms"] }),
      "invalid-argument",
      /"rooms", which the classifier uses/,
    );
    expectError(
      () => conformMixture(classifier, rows, { also: "old" as never }),
      "invalid-argument",
      /options.also must be a list/,
    );
    const twice = { label: "dear", columns: OWN, also: ["rooms"] };
    expectError(
      () => trainOnIncomplete(rows, twice),
      "invalid-argument",
      /"rooms", which the classifier uses/,
    );
  });
});

/** The weights of columns `from` up to `to`, in which only heating has more than one slot. */
function slotsOf({ weights }: Classifier, from: number, to = 5): number[] {
  const slots = [0, 1, 2, 6, 8, 9];
  return [...weights.slice(2 * slots[from], 2 * slots[to])];
}
