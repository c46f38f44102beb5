import { describe, expect, it } from "vitest";
import {
  explain,
  impute,
  logEvidence,
  type Model,
  predict,
  predictColumns,
  type QueryOptions,
  type Row,
} from "../../src/index.ts";
import { expectError } from "../support/error.ts";
import { randomModel } from "../support/random-model.ts";

const model = randomModel({ seed: 12, columns: 4, classes: 2, kinds: ["numeric", "categorical"] });
const numeric = model.schema.columns.find(({ kind }) => kind === "numeric")?.name ?? "";
const category = model.schema.columns.find(({ kind }) => kind === "categorical")?.name ?? "";
const predictRows = (own: Model, row: Row, options: QueryOptions): unknown =>
  predictColumns(own, [row], options);

describe("queries", () => {
  it("refuse a misspelt column instead of taking it for a gap", () => {
    for (const query of [predict, impute, logEvidence]) {
      const error = expectError(
        () => query(model, { x00: 1 }),
        "unknown-column",
        /"x00" is not a column of the model; it has "x0"/,
      );
      expect(error.details.hint).toMatch(/extra: "ignore"/);
    }
    expect(predict(model, { x00: 1 }, { extra: "ignore" })).toEqual(predict(model, {}));
  });

  it("take an option that is undefined for none, and none for another that is misspelt", () => {
    for (const query of [predict, impute, logEvidence, explain, predictRows]) {
      expectError(
        () => query(model, { x00: 1 }, { extra: undefined as never }),
        "unknown-column",
        /"x00" is not/,
      );
      expectError(
        () => query(model, { x00: 1 }, { extra: "ingore" as never }),
        "invalid-argument",
        /options.extra must be "ignore" or "error", got "ingore"/,
      );
      expectError(
        () => query(model, {}, { strict: "false" as never }),
        "invalid-argument",
        /options.strict must be true or false, got "false"/,
      );
    }
  });

  it("may be asked while the cells of a row are read", () => {
    const row = { [numeric]: 1, [category]: "a" };
    const asking = {
      [numeric]: 1,
      get [category]() {
        predict(model, { [numeric]: -5 });
        predict(model, { [numeric]: -6 });
        return "a";
      },
    };
    expect(predict(model, asking)).toEqual(predict(model, row));
  });

  it("pass over the label", () => {
    const labelled = { ...model, predictor: { ...model.predictor, label: "y" } };
    expect(predict(labelled, { y: "class 0" })).toEqual(predict(model, {}));
  });

  it("refuse what is not a row", () => {
    expectError(
      () => predict(model, 7 as never),
      "invalid-argument",
      /row must be an object of column names and values, got 7/,
    );
    expectError(() => predict(model, null as never), "invalid-argument", /got null/);
    expectError(() => predict(model, [] as never), "invalid-argument", /Array of length 0/);
  });

  it("take an unseen category for a gap and report it for many rows", () => {
    expect(predict(model, { [category]: "never seen" })).toEqual(predict(model, {}));
    const { unseen } = predictColumns(model, { [category]: ["never seen", "a"] });
    expect(unseen).toEqual([{ column: category, count: 1, examples: ["never seen"] }]);
    expectError(
      () => predict(model, { [category]: "never seen" }, { strict: true }),
      "unknown-category",
      /never seen/,
    );
  });

  it("find the infinite number in a typed array", () => {
    const x = Float64Array.of(1, 2, Number.NEGATIVE_INFINITY);
    expectError(
      () => predictColumns(model, { [numeric]: x }),
      "invalid-value",
      /row 2: must be a finite number or missing, got -Infinity/,
    );
  });

  it("answer no rows with no probabilities", () => {
    expect(predictColumns(model, []).probabilities.length).toBe(0);
    expect(predictColumns(model, {}).probabilities.length).toBe(0);
  });

  it("never change their arguments", () => {
    const row = Object.freeze({ [numeric]: 1 });
    const before = JSON.stringify(model, (_, value) =>
      ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value,
    );
    predict(model, row);
    impute(model, row);
    logEvidence(model, row);
    expect(
      JSON.stringify(model, (_, value) => (ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value)),
    ).toBe(before);
  });
});
