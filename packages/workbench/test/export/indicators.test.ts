import { pathToFileURL } from "node:url";
import {
  type Classifier,
  conform,
  conformMixture,
  type Model,
  predict,
  predictColumns,
  type Row,
  readTrees,
  type TreesJson,
} from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indicatorModel } from "../../../../test/python/indicator-model.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportAnswering } from "../../src/export/export-answering.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import { askPython, askR } from "./support/ask-exported.ts";
import { compile } from "./support/compile.ts";
import { largestDifference } from "./support/expected.ts";
import { inSinglePrecision, runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { hasPython } from "./support/python.ts";
import { hasR } from "./support/rscript.ts";
import { dialectOf, type SqlEngine, sqlEngines } from "./support/sql-engines.ts";

/** Sums of some dozens of doubles in another order. */
const EXACT = 1e-12;
/** Numbers and probabilities that are written in single precision. */
const SINGLE = 1e-5;

const place = new Workplace();

/** Two and three classes, with atoms and Gaussians; every tenth row is complete, and some have an unknown city. */
const questions = [1, 2, 3, 4].map((seed) => {
  const { model, rows } = indicatorModel(seed);
  const asked = rows.map((row, r): Row => (r % 7 === 0 ? { ...row, city: "Atlantis" } : row));
  return { name: `model ${seed}`, model, rows: asked };
});

/** A forest that asks about both indicators, over the mixture's columns and rows. */
const forest = ((): (typeof questions)[number] => {
  const [, { model, rows }] = questions;
  const { columns } = model.schema;
  const trees: TreesJson = {
    kind: "trees",
    classes: ["no", "yes"],
    features: columns.map(({ name }) => name),
    categories: columns.map((column) => (column.kind === "categorical" ? [...column.values] : null)),
    link: "probability",
    trees: [
      {
        feature: [3, 0, 4, -1, -1, -1, -1],
        threshold: [0.5, 0.1, 0.5, null, null, null, null],
        left: [1, 3, 5, -1, -1, -1, -1],
        right: [2, 4, 6, -1, -1, -1, -1],
        value: [null, null, null, [0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.05, 0.95]],
        sets: Array.from({ length: 7 }, () => null),
      },
    ],
  };
  const classifier = readTrees(trees, { columns });
  const options = { components: 2, numeric: "atoms", maxIterations: 3, restarts: 1 } as const;
  return { name: "a forest", model: conformMixture(classifier, rows, options), rows };
})();
const withForest = [...questions, forest];

function expected(model: Model, rows: readonly Row[]): Float64Array {
  return predictColumns(model, rows).probabilities;
}

function difference(model: Model, rows: readonly Row[], own: readonly (readonly unknown[])[]): number {
  return largestDifference(own.flat().map(Number), expected(model, rows));
}

test("the models depend on which values are missing, and an unknown category counts as missing", () => {
  for (const { model } of withForest) {
    expect(model.schema.columns.filter((column) => "gapOf" in column)).toHaveLength(2);
    const missing = predict(model, { x: 0, y: 0 });
    expect(predict(model, { x: 0, y: 0, city: "Atlantis" })).toEqual(missing);
    expect(predict(model, { y: 0, city: "Atlantis" })).toEqual(predict(model, { y: 0 }));
    expect(predict(model, { y: 0, city: "Bonn" })).not.toEqual(predict(model, { y: 0 }));
  }
});

describe.each(questions)(
  "$name with indicators of missing values answers as the library does",
  ({ name, model, rows }) => {
    test("in JavaScript, whose columns and types are those of a row", async () => {
      const { script, types } = exportJavascript(model);
      const file = place.write(`${name}.mjs`, script);
      const module = await import(/* @vite-ignore */ pathToFileURL(file).href);
      const own = rows.map((row) => Object.values(module.predict(row)));
      expect(difference(model, rows, own)).toBeLessThan(EXACT);
      expect(module.columns.map((column: { name: string }) => column.name)).toEqual(["x", "y", "city"]);
      expect(Object.keys(module.impute({}))).toEqual(["x", "y", "city"]);
      expect(() => module.predict({ "x is missing": 1 })).toThrow('the model has no column "x is missing"');
      place.write(`${name}.d.mts`, types);
      const use = (row: string) => `import { predict } from "./${name}.mjs";\npredict(${row});\n`;
      expect(compile(place.write(`${name}-right.mts`, use('{ x: 1, city: "Bonn" }')))).toEqual([]);
      const wrong = compile(place.write(`${name}-wrong.mts`, use('{ "x is missing": 1 }')));
      expect(wrong.join()).toContain("does not exist in type 'Row'");
    });

    test("by hand, with what JSON has", () => {
      const exported = JSON.parse(exportJson(model));
      const own = rows.map((row) => predictByHand(exported, row).slice(1));
      expect(difference(model, rows, own)).toBeLessThan(EXACT);
    });

    test.each([
      { precision: "double", float: false, of: rows, tolerance: EXACT },
      { precision: "single", float: true, of: inSinglePrecision(rows), tolerance: SINGLE },
    ])(
      "in ONNX in $precision precision, whose inputs are those of a row",
      async ({ float, of, tolerance }) => {
        const graph = exportOnnx(model, { float });
        const { probabilities } = await runOnnx(graph, model.schema, of, float ? "float32" : "float64");
        expect(largestDifference(probabilities, expected(model, of))).toBeLessThan(tolerance);
      },
    );

    test("in SQL, which reads the columns of a row", () => {
      for (const dialect of ["duckdb", "postgres", "sqlite", "clickhouse", "ansi"])
        expect(exportSql(model, { dialect: dialectOf(dialect), table: "data", keep: [] })).not.toContain(
          "is missing",
        );
    });
  },
);

test("constants for missing values make the classifier answer as the library does, beside computed indicators", () => {
  const [, { model: mixture, rows }] = questions;
  const model = conform(mixture.predictor as Classifier, rows);
  const { features, intercept, coef, fill } = JSON.parse(exportJson(model));
  expect(Object.keys(fill)).toEqual(["x", "y", "city=Bonn", "city=Köln", "city=1"]);
  const own = rows.map((row) => {
    const city = ["Bonn", "Köln", "1"].includes(String(row.city)) ? row.city : undefined;
    const cells: Record<string, number> = {
      x: (row.x ?? fill.x) as number,
      y: (row.y ?? fill.y) as number,
      "x is missing": Number(row.x === undefined),
      "city is missing": Number(city === undefined),
    };
    for (const value of ["Bonn", "Köln", "1"])
      cells[`city=${value}`] = city === undefined ? fill[`city=${value}`] : Number(city === value);
    const score = features.reduce(
      (sum: number, name: string, f: number) => sum + coef[0][f] * cells[name],
      intercept[0],
    );
    return 1 / (1 + Math.exp(-score));
  });
  const second = expected(model, rows).filter((_, j) => j % 2 === 1);
  expect(largestDifference(own, second)).toBeLessThan(EXACT);
});

test("a module of trees has the columns and types of a row", () => {
  const { script, types } = exportAnswering(forest.model, "");
  const columns: { name: string }[] = JSON.parse(/^export const columns = (.*);$/m.exec(script)?.[1] ?? "");
  expect(columns.map(({ name }) => name)).toEqual(["x", "y", "city"]);
  expect(types).not.toContain("is missing");
});

describe.each([
  { language: "Python", ask: askPython, missing: !hasPython("numpy") },
  { language: "R", ask: askR, missing: !hasR() },
])("in $language", ({ ask, missing }) => {
  test.skipIf(missing)("the models answer as the library does", () => {
    const answers = ask(place, withForest);
    withForest.forEach(({ model, rows }, j) => {
      expect(largestDifference(answers[j].probabilities, expected(model, rows))).toBeLessThan(EXACT);
    });
  });
});

describe.each(sqlEngines)("in $name", ({ available, open }) => {
  let engine: SqlEngine | undefined;
  beforeAll(async () => {
    if (available) engine = await open();
  });
  afterAll(() => engine?.stop());

  test.skipIf(!available).each(withForest)(
    "$name answers as the library does",
    { timeout: 60_000 },
    async ({ model, rows }) => {
      const answers = (await engine?.answer(model, rows)) ?? [];
      const K = model.response.outputs.length;
      const own = answers.map((answer) => answer.slice(1, K + 1));
      expect(difference(model, rows, own)).toBeLessThan(EXACT);
    },
  );
});
