import { pathToFileURL } from "node:url";
import { conform, conformMixture, createClassifier, impute, type Model, train } from "conformant";
import { trainNaiveBayes } from "conformant-workbench/baselines";
import { describe, expect, test } from "vitest";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import type { Dialect } from "../../src/sql/dialects/dialect.ts";
import { sqlDialects } from "../../src/sql/dialects/sql-dialects.ts";
import { compile } from "./support/compile.ts";
import { expectedAnswers, largestDifference } from "./support/expected.ts";
import { fixture, gaussianModels, importedClassifier, randomRows, rows, schema } from "./support/fixtures.ts";
import { runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { hasPython, python } from "./support/python.ts";

const place = new Workplace();

const two = importedClassifier("two.json");
const one = conform(two, rows);
const mixture = conformMixture(importedClassifier("seven.json"), rows, {
  components: 8,
  numeric: "atoms",
  maxIterations: 5,
  restarts: 1,
});

const CHECK_ONNX = `
import json, sys, onnx
for name in sys.argv[1:]:
    model = onnx.load(name)
    onnx.checker.check_model(model, full_check=True)
    print(json.dumps({"ir": model.ir_version, "opsets": {o.domain: o.version for o in model.opset_import},
        "inputs": [i.name for i in model.graph.input], "outputs": [o.name for o in model.graph.output],
        "metadata": {m.key: json.loads(m.value) for m in model.metadata_props}}))
`;

async function importScript(model: Model, name: string) {
  const { script, types } = exportJavascript(model);
  place.write(`${name}.d.mts`, types);
  return import(/* @vite-ignore */ pathToFileURL(place.write(`${name}.mjs`, script)).href);
}

describe("the JavaScript module", () => {
  test.each([
    ["one component", one],
    ["eight components", mixture],
  ])("imputes as the library does, %s", async (name, model) => {
    const module = await importScript(model, name.replace(" ", "-"));
    for (const row of randomRows(50, 21)) {
      const [own, expected] = [module.impute(row), impute(model, row)];
      expect(Object.keys(own)).toEqual(Object.keys(expected));
      for (const [column, imputation] of Object.entries(expected)) {
        expect(own[column].kind).toBe(imputation.kind);
        const numbers = Object.values(imputation.probabilities);
        expect(largestDifference(Object.values(own[column].probabilities), numbers)).toBeLessThan(1e-12);
        if (imputation.kind === "discrete") expect(own[column].mostLikely).toBe(imputation.mostLikely);
        else expect(own[column].mean).toBeCloseTo(imputation.mean, 9);
      }
    }
  });

  test("refuses what a column cannot hold and names it does not know", async () => {
    const { predict } = await importScript(one, "strict");
    expect(() => predict({ age: "old" })).toThrow(/"age" must be a number from .* or missing, got .*old/);
    expect(() => predict({ smoker: 2 })).toThrow(/"smoker" must be 0, 1 or missing, got 2/);
    expect(() => predict({ agee: 1 })).toThrow(/no column "agee"/);
    expect(predict({ agee: 1 }, { extra: "ignore" })).toEqual(predict({}));
    expect(() => predict(null)).toThrow(TypeError);
  });

  test("has types that a compiler accepts, and that refuse a misspelt column", async () => {
    await importScript(one, "typed");
    const use = place.write(
      "use.mts",
      `import { classify, impute, predict } from "./typed.mjs";
const p: number = predict({ age: 40, city: "York; New", smoker: true }).yes + predict({ city: null }).no;
const c: "no" | "yes" = classify({});
const m = impute({}).age;
if (m.kind === "numeric") m.mean + p;
// @ts-expect-error
predict({ agee: 1 });
export { c };\n`,
    );
    expect(compile(use, place.path("typed.d.mts"))).toEqual([]);
  });
});

describe("the ONNX file", () => {
  test("of the fixtures is what it claims to be: onnxruntime answers as scikit-learn does", async () => {
    const { seven } = JSON.parse(fixture("answers.json").toString());
    const some = rows.slice(0, seven.probabilities.length);
    const { probabilities } = await runOnnx(fixture("seven.onnx"), schema, some, "float32", ["smoker"]);
    expect(largestDifference(probabilities, seven.probabilities.flat())).toBeLessThan(1e-5);
  });

  test.skipIf(!hasPython("onnx"))("passes the checker of ONNX and names columns and classes", () => {
    const models = [one, mixture, ...gaussianModels().map(({ model }) => model)];
    const files = models.flatMap((model, m) =>
      [false, true].map((float) => place.write(`${m}${float}.onnx`, exportOnnx(model, { float }))),
    );
    const lines = python(CHECK_ONNX, files).trim().split("\n");
    for (const [f, { ir, opsets, inputs, outputs, metadata }] of lines
      .map((line) => JSON.parse(line))
      .entries()) {
      expect({ ir, opsets }).toEqual({ ir: 8, opsets: { "": 17, "ai.onnx.ml": 3 } });
      expect(inputs).toEqual(schema.columns.map(({ name }) => name));
      expect(outputs).toEqual(["label", "probabilities"]);
      expect(metadata["conformant.columns"]).toEqual(schema.columns);
      expect(metadata["conformant.classes"]).toEqual(models[f >> 1].response.outputs);
    }
  });

  test("takes no rows and gives none", async () => {
    for (const model of [one, ...gaussianModels().map(({ model }) => model)]) {
      const { probabilities } = await runOnnx(exportOnnx(model, { float: false }), schema, [], "float64");
      expect(probabilities.length).toBe(0);
    }
  });
});

describe("the fill values of the JSON", () => {
  test("lie inside the range of a column and sum to 1 over the values of one", () => {
    const { features, fill: filled } = JSON.parse(exportJson(one));
    const fill = features.map((feature: string) => filled[feature]);
    const ages = rows.map((row) => Number(row.age));
    expect(fill[features.indexOf("age")]).toBeGreaterThan(Math.min(...ages));
    expect(fill[features.indexOf("age")]).toBeLessThan(Math.max(...ages));
    const city = features.flatMap((name: string, f: number) => (name.startsWith("city=") ? [fill[f]] : []));
    expect(city.reduce((sum: number, x: number) => sum + x, 0)).toBeCloseTo(1, 12);
    expect(Math.min(...city)).toBeGreaterThanOrEqual(0);
  });

  test.skipIf(!hasPython("sklearn"))(
    "make a plain LogisticRegression answer rows with gaps as the library does",
    () => {
      const known = randomRows(500, 31).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "Atlantis")),
      );
      place.write("rows.json", JSON.stringify(known));
      place.write("classifier.json", exportJson(one));
      const script = `
import json
import numpy as np
from sklearn.linear_model import LogisticRegression
brought = json.load(open("classifier.json"))
classifier = LogisticRegression()
classifier.classes_ = np.array(brought["classes"])
classifier.coef_, classifier.intercept_ = np.array(brought["coef"]), np.array(brought["intercept"])
def cell(row, feature):
    column, _, value = feature.partition("=")
    if column not in row: return np.nan
    return float(row[column] == value) if value else row[column]
X = np.array([[cell(row, feature) for feature in brought["features"]] for row in json.load(open("rows.json"))])
X = np.where(np.isnan(X), np.array([brought["fill"][name] for name in brought["features"]]), X)
print(json.dumps(classifier.predict_proba(X).ravel().tolist()))
`;
      const own = JSON.parse(python(script, [], place.folder));
      expect(largestDifference(own, expectedAnswers(one, known).probabilities)).toBeLessThan(1e-9);
    },
  );
});

test("numbers that count by their bin are exported as well", async () => {
  const labelled = rows.map((row, r) => ({ ...row, y: r % 3 === 0 ? "a" : "b" }));
  const model = trainNaiveBayes(labelled, { label: "y" });
  expect(model.schema.columns.map(({ kind }) => kind)).toContain("binned");
  const some = randomRows(100, 9);
  const expected = expectedAnswers(model, some).probabilities;
  const onnx = await runOnnx(exportOnnx(model, { float: false }), model.schema, some, "float64");
  expect(largestDifference(onnx.probabilities, expected)).toBeLessThan(1e-9);
  const module = await importScript(model, "binned");
  const own = some.flatMap((row) => Object.values(module.predict(row)).map(Number));
  expect(largestDifference(own, expected)).toBeLessThan(1e-12);
  const byHand = some.flatMap((row) =>
    predictByHand(JSON.parse(exportJson(model)), row)
      .slice(1)
      .map(Number),
  );
  expect(largestDifference(byHand, expected)).toBeLessThan(1e-9);
});

test("letters of a sequence are read out of one column by the exported SQL, those behind a letter that is always the same, too", async () => {
  const positions = [1, 2, 4, 5, 6, 8, 9]; // of 3 and 7 there is nothing to learn
  const columns = positions.map((p) => ({
    name: `dna[${p}]`,
    kind: "categorical" as const,
    values: ["A", "C", "G"],
  }));
  const letters = (text: string) =>
    Object.fromEntries(positions.flatMap((p) => (text[p - 1] ? [[`dna[${p}]`, text[p - 1]]] : [])));
  const classifier = createClassifier({
    schema: { columns },
    classes: ["n", "y"],
    intercept: Float64Array.of(0, 0.1),
    weights: Float64Array.from({ length: 6 * positions.length }, (_, j) => (j % 2) * Math.sin(j)),
  });
  const texts = ["ACTAGCTAG", "CCTGGATAC", "AATCCGTGA", "CC"];
  const model = conform(classifier, texts.map(letters));
  const dialect = sqlDialects.get("duckdb") as Dialect;
  const values = texts.map((text, id) => `(${id}, '${text}')`).join(", ");
  const answers = await duckdb(
    `CREATE TABLE data AS SELECT * FROM (VALUES ${values}) AS t(id, dna)`,
    `${exportSql(model, { dialect, table: "data", keep: ["id"] })} ORDER BY id`,
  );
  const expected = expectedAnswers(model, texts.map(letters)).probabilities;
  expect(
    largestDifference(
      answers.flatMap((row) => row.slice(1, 3).map(Number)),
      expected,
    ),
  ).toBeLessThan(1e-12);
});

test("columns of a table that are called x[1], x[2], … are columns of their own in the exported SQL", async () => {
  const rows = ["ab", "ba", "bb", "aa", "ab", "bb"].map((text, r) => ({
    "x[1]": 1.5 * r,
    "x[2]": r % 2,
    "c[1]": text[0],
    "c[2]": text[1],
  }));
  const model = conform(
    train(
      rows.map((row, r) => ({ ...row, y: r % 3 ? "n" : "y" })),
      { label: "y" },
    ),
    rows,
  );
  const dialect = sqlDialects.get("duckdb") as Dialect;
  const values = rows.map(
    (row, id) => `(${id}, ${row["x[1]"]}, ${row["x[2]"]}, '${row["c[1]"]}', '${row["c[2]"]}')`,
  );
  const answers = await duckdb(
    `CREATE TABLE data AS SELECT * FROM (VALUES ${values.join(", ")}) AS t(id, "x[1]", "x[2]", "c[1]", "c[2]")`,
    `${exportSql(model, { dialect, table: "data", keep: ["id"] })} ORDER BY id`,
  );
  expect(
    largestDifference(
      answers.flatMap((row) => row.slice(1, 3).map(Number)),
      expectedAnswers(model, rows).probabilities,
    ),
  ).toBeLessThan(1e-12);
});
