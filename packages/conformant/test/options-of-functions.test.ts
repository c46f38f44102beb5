import { describe, expect, it } from "vitest";
import { logJoint } from "../src/entries/internal.ts";
import { predict as predictSmall } from "../src/entries/predict.ts";
import {
  conformChunks,
  conformRemote,
  countMarginals,
  marginalsFromCounts,
  startMixture,
} from "../src/entries/remote.ts";
import {
  askNext,
  askPlan,
  askTree,
  calibrate,
  conform,
  conformMixture,
  encode,
  expectedPrediction,
  explain,
  howSure,
  impute,
  inferSchema,
  logEvidence,
  predict,
  predictColumns,
  predictionSet,
  predictionSets,
  predictRow,
  sample,
  sensitivity,
  shapley,
  surprise,
  train,
  trainOnIncomplete,
  trainRegressor,
  trainTrees,
} from "../src/index.ts";
import { expectError } from "./support/error.ts";

const rows = Array.from({ length: 30 }, (_, r) => ({
  age: 20 + ((r * 7) % 30),
  color: ["red", "green", "blue"][r % 3],
  y: (r * 5) % 7 < 3 ? "yes" : "no",
}));
const classifier = train(rows, { label: "y" });
const model = conform(classifier, rows);
const { schema } = classifier;
const calibration = calibrate(model, rows);
const row = { color: "red" };
const start = startMixture(classifier, rows, rows.length, { components: 1 });

/** Each function with the smallest options that it works with, and what must be an error of one line. */
const calls: Readonly<Record<string, (options: object) => unknown>> = {
  train: (options) => train(rows, { label: "y", ...options }),
  trainRegressor: (options) => trainRegressor(rows, { label: "age", ...options }),
  trainTrees: (options) => trainTrees(rows, { label: "y", maxIterations: 1, ...options }),
  trainOnIncomplete: (options) =>
    trainOnIncomplete(rows, { label: "y", components: 1, maxRounds: 1, ...options }),
  conform: (options) => conform(classifier, rows, options),
  conformMixture: (options) => conformMixture(classifier, rows, { components: 1, ...options }),
  startMixture: (options) => startMixture(classifier, rows, rows.length, { components: 1, ...options }),
  countMarginals: (options) => countMarginals(schema, rows, options),
  marginalsFromCounts: (options) =>
    marginalsFromCounts(schema, { rows: 1, columns: { age: [[20, 1]], color: [["red", 1]] } }, options),
  inferSchema: (options) => inferSchema(rows, options),
  encode: (options) => encode(schema, rows, options),
  calibrate: (options) => calibrate(model, rows, options),
  predict: (options) => predict(model, row, options),
  "predict of conformant/predict": (options) => predictSmall(model, row, options),
  predictRow: (options) => predictRow(model, row, options),
  predictColumns: (options) => predictColumns(model, rows, options),
  explain: (options) => explain(model, row, options),
  shapley: (options) => shapley(model, row, options),
  askNext: (options) => askNext(model, row, options),
  askTree: (options) => askTree(model, row, options),
  askPlan: (options) => askPlan(model, row, options),
  howSure: (options) => howSure(model, row, options),
  sensitivity: (options) => sensitivity(model, row, options),
  impute: (options) => impute(model, row, options),
  sample: (options) => sample(model, row, options),
  surprise: (options) => surprise(model, row, options),
  logEvidence: (options) => logEvidence(model, row, options),
  logJoint: (options) => logJoint(model, row, options),
  expectedPrediction: (options) => expectedPrediction(() => 1, model, row, options),
  predictionSet: (options) => predictionSet(model, calibration, row, options),
  predictionSets: (options) => predictionSets(model, calibration, rows, options),
};

/** Every option that a function has, as its own message lists them. */
function optionsOf(call: (options: object) => unknown): string[] {
  const { message } = expectError(
    () => call({ zzzzzzzz: 1 }),
    "invalid-argument",
    /^options\.zzzzzzzz is unknown/,
  );
  return message.replace(/^.*valid options are /, "").split(", ");
}

describe.each(Object.entries(calls))("%s", (name, call) => {
  it("refuses a name that it does not know, and works where its value is undefined", () => {
    for (const option of optionsOf(call))
      expectError(() => call({ [`${option}z`]: 1 }), "invalid-argument", /did you mean ".+"\?$/);
    expect(() => call({ zzzzzzzz: undefined })).not.toThrow();
  });

  it("refuses null for each of its options, in one line that names it", () => {
    for (const option of optionsOf(call))
      expectError(
        () => call({ [option]: null }),
        "invalid-argument",
        new RegExp(`^options\\.${option} must be .*null$`),
      );
  });

  it.skipIf(
    ["train", "trainRegressor", "trainTrees", "trainOnIncomplete", "conformMixture", "startMixture"].includes(
      name,
    ),
  )("refuses objects that are no options", () => {
    for (const options of [new Date(0), new Map(), /x/])
      expectError(() => call(options), "invalid-argument", /^options must be an object, got/);
  });

  it("takes undefined as the default for each option that it does not require", () => {
    for (const option of optionsOf(call).filter((one) => one !== "label"))
      expect(() => call({ [option]: undefined }), option).not.toThrow();
  });
});

describe("options of a fit", () => {
  it("are those of the issue: misspelled ones and undefined seeds", () => {
    expectError(() => calls.conform({ pseudocont: 5 }), "invalid-argument", /did you mean "pseudocount"\?$/);
    expectError(() => calls.trainTrees({ kinds: 1 }), "invalid-argument", /^options.kinds is unknown/);
    expectError(() => calls.train({ weights: null }), "invalid-argument", /options.weights must be a list/);
    expect(calls.conform({ seed: undefined })).toEqual(model);
  });

  it("are refused by conformRemote and conformChunks, too", async () => {
    const answer = () => {
      throw new Error("no answer is asked for");
    };
    const remote = conformRemote(classifier, start, answer, { onProgres: () => {} } as object);
    await expect(remote).rejects.toThrow(/did you mean "onProgress"\?$/);
    const chunks = conformChunks(classifier, () => [{ data: rows }], { passes: 3 } as object);
    await expect(chunks).rejects.toThrow(/^options.passes is unknown; .*maxPasses/);
  });

  it("make unknown categories of chunks errors where they are strict", async () => {
    const strange = [...rows, { age: 30, color: "gren", y: "yes" }];
    const chunks = () => [{ data: strange.map(({ y: _, ...row }) => row) }];
    const options = { components: 1, strict: true };
    await expect(conformChunks(classifier, chunks, options)).rejects.toThrow(
      /column "color", row 30: "gren" is not one of its values; it has "blue", "green", "red"; did you mean "green"\?$/,
    );
    await expect(conformChunks(classifier, chunks, { components: 1 })).resolves.toBeDefined();
  });

  it("of calibrate refuse unknown columns also where extra is undefined", () => {
    const strange = rows.map((row) => ({ ...row, colour: "red" }));
    expectError(
      () => calibrate(model, strange, { extra: undefined }),
      "unknown-column",
      /did you mean "color"\?$/,
    );
  });

  it("name the columns that the data has", () => {
    expectError(
      () => train(rows, { label: "Y " }),
      "unknown-column",
      /it has "age", "color", "y"; did you mean "y"\?$/,
    );
    expectError(() => inferSchema(rows, { exclude: ["agee"] }), "unknown-column", /did you mean "age"\?$/);
  });
});

describe("marginalsFromCounts", () => {
  it("passes over texts that stand for a missing value and refuses others in a numeric column", () => {
    const counts = (age: [string | number, number][]) => ({
      rows: 3,
      columns: { age, color: [["red", 3]] as const },
    });
    const { columns } = marginalsFromCounts(
      schema,
      counts([
        [20, 2],
        ["NA", 1],
      ]),
    );
    expect([...(columns[0] as { values: Float64Array }).values]).toEqual([20]);
    expectError(
      () => marginalsFromCounts(schema, counts([["many", 3]])),
      "invalid-value",
      /^column "age".* must be a finite number or missing, got "many"$/,
    );
  });
});
