import { pathToFileURL } from "node:url";
import { askNext, conform, createClassifier, explain, howSure, predict, saveModel } from "conformant";
import { expect, test } from "vitest";
import { standingOf } from "../../../cli/src/commands/standing.ts";
import { likeliest } from "../../../cli/src/targets/prediction-lines.ts";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { conformant } from "../../../cli/test/support/run.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import type { Dialect } from "../../src/sql/dialects/dialect.ts";
import { sqlDialects } from "../../src/sql/dialects/sql-dialects.ts";
import { runOnnx } from "./support/onnx-runtime.ts";
import { hasSqlite, sqlite } from "./support/sqlite.ts";

/** Log-odds of this size put two probabilities of about one half apart by half of it: less, and more, than a tie. */
const WITHIN = 1e-12;
const BEYOND = 1e-11;

/** The first class is ahead of the last by so little; the class in between has no chance. */
function nearlyTied(lead: number) {
  const classifier = createClassifier({
    schema: { columns: [{ name: "x", kind: "binary" }] },
    classes: ["first", "middle", "last"],
    intercept: Float64Array.of(lead, -40, 0),
    weights: Float64Array.of(0, 0, 0),
  });
  return conform(classifier, [{ x: 0 }, { x: 1 }]);
}

test.each([
  { lead: WITHIN, expected: "last" },
  { lead: BEYOND, expected: "first" },
])(
  "probabilities $lead apart are decided for the $expected class by every answer and every export",
  async ({ lead, expected }) => {
    const model = nearlyTied(lead);
    const {
      schema,
      response: { outputs: classes },
    } = model;
    const row = { x: 1 };
    const place = new Workplace();
    const module = await import(
      /* @vite-ignore */ pathToFileURL(place.write("module.mjs", exportJavascript(model).script)).href
    );
    const select = (name: string): string =>
      exportSql(model, { dialect: sqlDialects.get(name) as Dialect, table: "data", keep: [] });
    const table = ["CREATE TABLE data (x integer)", "INSERT INTO data VALUES (1)"];
    const graph = exportOnnx(model, { float: false });
    const { labels } = await runOnnx(graph, schema, [row], "float64");
    const probabilities = Float64Array.from(classes, (name) => predict(model, row)[name]);
    place.write("model.json", saveModel(model));
    const command = (...words: string[]): string =>
      JSON.parse(conformant(words, { cwd: place.folder, input: "x\n1\n" }).stdout).prediction;
    expect({
      predict: classes[likeliest(probabilities, 0, classes.length)],
      explain: explain(model, row).prediction,
      howSure: howSure(model, row).prediction,
      ask: standingOf(model, row, 0).prediction,
      module: module.classify(row),
      onnx: labels[0],
      duckdb: (await duckdb(...table, select("duckdb")))[0][0],
      ansi: (await duckdb(...table, select("ansi")))[0][0],
      ...(hasSqlite && { sqlite: sqlite(`${table.join(";\n")};\n${select("sqlite")};`)[0][0] }),
      commandPredicts: command("predict", "model.json", "-", "--json"),
      commandExplains: command("explain", "model.json", "-", "--json"),
    }).toEqual({
      predict: expected,
      explain: expected,
      howSure: expected,
      ask: expected,
      module: expected,
      onnx: expected,
      duckdb: expected,
      ansi: expected,
      ...(hasSqlite && { sqlite: expected }),
      commandPredicts: expected,
      commandExplains: expected,
    });
    expect(askNext(model, {})[0].changesDecision).toBe(0);
  },
);
