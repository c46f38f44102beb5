import { pathToFileURL } from "node:url";
import { predict } from "conformant";
import { describe, expect, test } from "vitest";
import { NUMBER_NAMES, namedModel, namedRows } from "../../../cli/test/support/named-models.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { askPython, askR } from "./support/ask-exported.ts";
import { compareAnswers } from "./support/compare-answers.ts";
import { runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { hasPython } from "./support/python.ts";
import { hasR } from "./support/rscript.ts";
import { sqlEngines } from "./support/sql-engines.ts";
import { compare } from "./support/test-random-models.ts";

/** Rows of which the values that these columns have are missing in turn. */
const rows = namedRows(NUMBER_NAMES, 24).map((row, r) =>
  Object.fromEntries(Object.entries(row).filter((_, i) => ((r >> i) & 1) === 0)),
);
const place = new Workplace();

describe("classes −1, 0, 1 and categories 0.5, 1, 2 keep their probabilities in", () => {
  const model = namedModel("additive", NUMBER_NAMES);
  const { schema } = model;
  const questions = (["additive", "trees"] as const).map((kind) => ({
    name: kind,
    model: namedModel(kind, NUMBER_NAMES),
    rows,
  }));

  test("JavaScript", async () => {
    const path = place.write("module.mjs", exportJavascript(model).script);
    const module = await import(/* @vite-ignore */ pathToFileURL(path).href);
    for (const row of rows) {
      const own = module.predict(row);
      const truth = predict(model, row);
      for (const name of NUMBER_NAMES.classes) expect(own[name]).toBeCloseTo(truth[name], 9);
    }
  });

  test.skipIf(!hasPython("numpy"))("Python", () => {
    const answers = askPython(place, questions);
    for (const [j, question] of questions.entries()) compareAnswers(question, answers[j]);
  });

  test.skipIf(!hasR())("R", () => {
    const answers = askR(place, questions);
    for (const [j, question] of questions.entries()) compareAnswers(question, answers[j]);
  });

  test("ONNX", async () => {
    const { labels, probabilities } = await runOnnx(
      exportOnnx(model, { float: false }),
      schema,
      rows,
      "float64",
    );
    const K = NUMBER_NAMES.classes.length;
    compare(
      model,
      rows,
      rows.map((_, r) => [labels[r], ...Array.from(probabilities).slice(r * K, (r + 1) * K)]),
    );
  });

  test("JSON", () => {
    const exported = JSON.parse(exportJson(model));
    compare(
      model,
      rows,
      rows.map((row) => predictByHand(exported, row)),
    );
  });

  test.each(sqlEngines.filter(({ name }) => /DuckDB|SQLite/.test(name)))(
    "SQL in $name",
    async ({ available, open }) => {
      if (!available) return;
      const engine = await open();
      compare(model, rows, await engine.answer(model, rows));
      await engine.stop();
    },
  );
});
