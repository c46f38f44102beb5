import { pathToFileURL } from "node:url";
import { conform, createClassifier, type Model } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { howMany } from "../../../../test/how-many.ts";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../../../cli/test/support/postgres.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { expectedAnswers, largestDifference, wrongLabels } from "./support/expected.ts";
import {
  broughtModels,
  importedClassifier,
  type NamedModel,
  randomRows,
  schema,
  rows as trainingRows,
} from "./support/fixtures.ts";
import { inSinglePrecision, runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { dialectOf, predictionsSql, tableSql } from "./support/sql-engines.ts";
import { hasSqlite, sqlite } from "./support/sqlite.ts";
import { compare } from "./support/test-random-models.ts";

const models = broughtModels();
const rows = randomRows(500, 11);
const singleRows = inSinglePrecision(rows);
const place = new Workplace();

/** The rows as a table, for an engine's dialect. */
function table(dialect: string, types: { readonly number: string; readonly text: string }): [string, string] {
  return tableSql(dialectOf(dialect), models[0].model, rows, types);
}

/** A model of the first three of the seven classes. */
function threeClasses(): Model {
  const { schema, classes, intercept, weights } = importedClassifier("seven.json");
  const K = classes.length;
  const classifier = createClassifier({
    schema,
    classes: classes.slice(0, 3),
    intercept: intercept.slice(0, 3),
    weights: weights.filter((_, j) => j % K < 3),
  });
  return conform(classifier, trainingRows);
}

test("there are twenty models: five formats, two and seven classes, one and eight components", () => {
  expect(models.map(({ model }) => [model.response.outputs.length, model.components.length].join())).toEqual(
    expect.arrayContaining(["2,1", "2,8", "7,1", "7,8"]),
  );
  expect(models).toHaveLength(20);
});

describe.each(models)("$name", ({ name, model }: NamedModel) => {
  test.each([
    { precision: "double", float: false, of: rows, tolerance: 1e-9 },
    { precision: "single", float: true, of: singleRows, tolerance: 1e-5 },
  ])("in ONNX answers as the library does, in $precision precision", async ({ float, of, tolerance }) => {
    const graph = exportOnnx(model, { float });
    const { labels, probabilities } = await runOnnx(graph, schema, of, float ? "float32" : "float64");
    const expected = expectedAnswers(model, of);
    expect(largestDifference(probabilities, expected.probabilities)).toBeLessThan(tolerance);
    expect(wrongLabels(labels, model, expected.probabilities, tolerance)).toBe(0);
  });

  test("in JavaScript answers as the library does", async () => {
    const file = place.write(`${name.replaceAll(/\W/g, "_")}.mjs`, exportJavascript(model).script);
    const module = await import(/* @vite-ignore */ pathToFileURL(file).href);
    compare(
      model,
      rows,
      rows.map((row) => [module.classify(row), ...Object.values(module.predict(row))]),
      1e-12,
    );
  });

  test("in JSON has all that a prediction by hand needs", () => {
    const exported = JSON.parse(exportJson(model));
    compare(
      model,
      rows,
      rows.map((row) => predictByHand(exported, row)),
      1e-12,
    );
  });
});

describe("the exported SQL", () => {
  test("runs in DuckDB, in its own dialect and in the standard's", { timeout: 60_000 }, async () => {
    const setup = table("duckdb", { number: "DOUBLE", text: "VARCHAR" });
    for (const { model } of models) {
      compare(model, rows, await duckdb(...setup, predictionsSql(model, "duckdb")), 1e-9);
      compare(model, rows, await duckdb(...setup, predictionsSql(model, "ansi")), 1e-9);
    }
  });

  test.skipIf(!hasSqlite)("runs in SQLite", { timeout: 60_000 }, () => {
    const setup = table("sqlite", { number: "REAL", text: "TEXT" });
    for (const { model } of models)
      compare(model, rows, sqlite(`${[...setup, predictionsSql(model, "sqlite")].join(";\n")};`), 1e-9);
  });

  describe.skipIf(!postgresPrograms)("in PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
      server.run(`${table("postgres", { number: "float8", text: "text" }).join(";\n")};`);
    });
    afterAll(() => server.stop());

    /**
     * Without the fences of its own dialect the server merges subqueries and writes every expression out where it is used. Two classes
     * take it a tenth of a second, three ten seconds; four, or two with two components, are not planned within minutes.
     */
    test.each([
      { dialect: "postgres", most: 56 },
      { dialect: "ansi", most: howMany(2, 3) },
    ])("runs in the dialect $dialect", { timeout: 60_000 }, ({ dialect, most }) => {
      const small = [...models.map(({ model }) => model), threeClasses()].filter(
        ({ response, components }) => response.outputs.length * components.length <= most,
      );
      for (const model of small) {
        const json = server.run(`SELECT json_agg(r) FROM (${predictionsSql(model, dialect)}) AS r;`);
        compare(
          model,
          rows,
          (JSON.parse(json) as object[]).map((row) => Object.values(row)),
          1e-9,
        );
      }
    });
  });
});
