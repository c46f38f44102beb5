import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Column, type KnownRegressor, type Row, regress } from "conformant";
import { answerOfTrees } from "conformant/trees";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND_READING } from "../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { matchClassifier } from "../../src/fit/import-classifier.ts";
import { parseClassifier } from "../../src/import/parse-classifier.ts";
import { runGraph } from "../export/support/onnx-runtime.ts";
import { hasPython, python } from "../export/support/python.ts";

const PROGRAM = readFileSync(fileURLToPath(new URL("make_regressor_files.py", import.meta.url)), "utf8");
const TOWNS = ["Bonn", "Köln", "Ulm"];

/** Numbers in double precision, added up in another order. */
const DOUBLE = 1e-12;
/** Files and sums in single precision. */
const SINGLE = 1e-6;

interface Made {
  readonly full: readonly (readonly (number | string | null)[])[];
  readonly gaps: Made["full"];
  readonly answers: Readonly<Record<string, readonly number[]>>;
}

describe.skipIf(!hasPython("onnx, sklearn, xgboost"))("regressors in ONNX and PMML", () => {
  const place = new Workplace();
  let made: Made;
  beforeAll(() => {
    python(PROGRAM, [], place.path("."));
    made = JSON.parse(place.read("answers.json"));
  }, 120_000);

  const bytes = (name: string): Uint8Array => readFileSync(place.path(name));
  const read = (name: string) =>
    parseClassifier(bytes(name), { path: name, columns: [], ...COMMAND_READING });
  /** On the columns that it uses. */
  const imported = (name: string): KnownRegressor => {
    const document = read(name);
    const isUsed = (column: string) =>
      document.json.features.some((feature) => feature === column || feature.startsWith(`${column}=`));
    const columns = ["a", "b", "c"]
      .filter(isUsed)
      .map((column): Column => ({ name: column, kind: "numeric" }));
    const town: Column = { name: "town", kind: "categorical", values: TOWNS };
    return matchClassifier(document, name, isUsed("town") ? [...columns, town] : columns) as KnownRegressor;
  };
  const rowsOf = (part: "full" | "gaps", { schema }: Pick<KnownRegressor, "schema">): Row[] =>
    made[part].map((row) =>
      Object.fromEntries(
        schema.columns.map(({ name }) => [name, row[["a", "b", "c", "town"].indexOf(name)] ?? undefined]),
      ),
    );
  const difference = (own: readonly number[], answers: ArrayLike<number>): number => {
    const unit = own.reduce((most, answer) => Math.max(most, Math.abs(answer)), 0);
    return own.reduce((most, answer, r) => Math.max(most, Math.abs(answer - answers[r]) / unit), 0);
  };

  test.each([
    ["linear.pmml", DOUBLE],
    ["linear-rescaled.pmml", DOUBLE],
    ["poisson.pmml", DOUBLE],
    ["rate.pmml", DOUBLE],
    ["general-linear.pmml", DOUBLE],
    ["general-poisson.pmml", DOUBLE],
    ["tree.pmml", DOUBLE],
    ["forest.pmml", DOUBLE],
    ["forest-weighted.pmml", DOUBLE],
    ["gradient.pmml", DOUBLE],
    ["xgboost.pmml", SINGLE],
    ["xgboost-poisson.pmml", SINGLE],
    ["linear.onnx", SINGLE],
    ["linear-texts.onnx", SINGLE],
    ["poisson.onnx", DOUBLE],
    ["tree.onnx", SINGLE],
    ["forest.onnx", SINGLE],
    ["forest-average.onnx", SINGLE],
    ["gradient.onnx", SINGLE],
    ["histogram.onnx", DOUBLE],
    ["histogram-poisson.onnx", DOUBLE],
    ["xgboost.onnx", SINGLE],
    ["xgboost-poisson.onnx", SINGLE],
  ])("answer as the software that made them: %s", (name, tolerance) => {
    const regressor = imported(name);
    const own = rowsOf("full", regressor).map((row) => regress(regressor, row));
    expect(difference(own, made.answers[name])).toBeLessThan(tolerance);
  });

  test.each(["xgboost.pmml", "xgboost.onnx", "xgboost-poisson.onnx", "histogram.onnx"])(
    "send missing values where that software does: %s",
    (name) => {
      const regressor = imported(name);
      if (regressor.kind !== "regression-trees") throw new Error(regressor.kind);
      const { columns } = regressor.schema;
      const own = rowsOf("gaps", regressor).map(
        (row) =>
          answerOfTrees(
            regressor,
            Float64Array.from(columns, (column) => (row[column.name] as number | undefined) ?? Number.NaN),
          )[0],
      );
      expect(difference(own, made.answers[`${name} gaps`])).toBeLessThan(SINGLE);
    },
  );

  test("answer as onnxruntime does", async () => {
    const names = Object.keys(made.answers).filter((name) => name.endsWith(".onnx"));
    expect(names.length).toBe(11);
    for (const name of names) {
      const regressor = imported(name);
      const rows = rowsOf("full", regressor).slice(0, 500);
      const own = rows.map((row) => regress(regressor, row));
      const isDouble = /poisson.onnx|histogram/.test(name) && !name.startsWith("xgboost");
      const inputs = ["a", "b", "c"].map((column): Column => ({ name: column, kind: "numeric" }));
      const columns: Column[] =
        name === "linear-texts.onnx"
          ? [...inputs, { name: "town", kind: "categorical", values: TOWNS }]
          : inputs;
      const whole = rowsOf("full", { schema: { columns } }).slice(0, 500);
      const [answers] = await runGraph(bytes(name), { columns }, whole, isDouble ? "float64" : "float32");
      expect(difference(own, answers as ArrayLike<number>), name).toBeLessThan(SINGLE);
    }
  });

  test.each([
    ["max.onnx", /aggregate_function "MAX" is no sum of trees/],
    ["logistic.onnx", /post_transform "LOGISTIC" is not understood, only NONE/],
    ["two.onnx", /predicts 2 numbers, expected one/],
    ["linear-two.onnx", /answers 2 numbers, expected one/],
    ["linear-probit.onnx", /post_transform "PROBIT" is not understood/],
    ["sigmoid.onnx", /operator "Sigmoid": is not understood after the classifier/],
    ["median.pmml", /multipleModelMethod "median" is not read in a sum of trees/],
    ["cauchit.pmml", /normalizationMethod "cauchit" of a regression is not read/],
    ["inverse.pmml", /link "power" and distribution "gamma"/],
    ["offset.pmml", /with the offset "a"/],
    ["rescaled.pmml", /Targets rescale an answer with the link "log"/],
    ["clipped.pmml", /a Target has "min"/],
    ["tables.pmml", /a regression with 2 RegressionTables, expected one/],
    ["linear-chain.pmml", /the last model uses "a", which no model before it predicts/],
    ["mixed.pmml", /functionName "classification" ends in one with another functionName/],
  ])("that are no sum with a known link are refused by name: %s", (name, message) => {
    expect(() => read(`refused-${name}`)).toThrow(message);
  });
});
