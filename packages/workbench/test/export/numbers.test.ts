import { type AnyModel, predictColumns } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { exportPython } from "../../src/export/export-python.ts";
import { exportR } from "../../src/export/export-r.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import { requireExportable } from "../../src/export/require-exportable.ts";
import { rFrame } from "./support/ask-exported.ts";
import { inSinglePrecision, runGraph } from "./support/onnx-runtime.ts";
import { predictNumberByHand } from "./support/predict-by-hand.ts";
import { hasPython, python } from "./support/python.ts";
import { type NumberQuestion, numberQuestions } from "./support/regression-models.ts";
import { hasR, rscript } from "./support/rscript.ts";
import { dialectOf, type SqlEngine, sqlEngines } from "./support/sql-engines.ts";

/** Sums of some dozens of doubles in another order, relative to the largest answer. */
const EXACT = 1e-12;
/** Standard errors by which two independent samples may differ: the largest of some hundreds is about 4. */
const ERRORS = 6;

const questions = numberQuestions();
const place = new Workplace();

/** What an exported program answers: the numbers, and their standard errors where it has them. */
interface Answers {
  readonly values: readonly number[];
  readonly errors?: readonly number[];
}

/** Checks that an exported program answers as the library does: exactly where that is exact, else within the errors of both. */
function compareNumbers(
  { name, model, rows }: NumberQuestion,
  { values, errors }: Answers,
  exactly = EXACT,
): void {
  const { values: expected, standardErrors } = predictColumns(model, rows);
  expect(values.length, name).toBe(rows.length);
  const largest = Math.max(...expected.map(Math.abs));
  let exact = 0;
  expected.forEach((value, r) => {
    const [difference, error] = [Math.abs(values[r] - value), standardErrors?.[r] ?? 0];
    if (errors) expect(errors[r] === 0, `${name}, row ${r} is exact`).toBe(error === 0);
    if (error === 0) exact++;
    const most = error === 0 ? exactly * largest : ERRORS * Math.hypot(error, errors?.[r] ?? 0);
    expect(difference, `${name}, row ${r}`).toBeLessThanOrEqual(most);
  });
  expect(exact, name).toBeGreaterThan(0);
}

const PYTHON = `
import json, types
answers = []
for j in range(len(json.load(open("names.json")))):
    module = types.ModuleType("exported")
    exec(compile(open(f"{j}.py", encoding="utf-8").read(), str(j), "exec"), module.__dict__)
    values, errors = module.predict(json.load(open(f"{j}.json", encoding="utf-8")), return_errors=True)
    answers.append({"values": values.tolist(), "errors": errors.tolist()})
json.dump(answers, open("answers.json", "w"))
`;

const R = `
write <- function(x) cat(x, sep = "\\n")
numbers <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
for (name in readLines("names.txt")) {
  source(paste0(name, ".R"))
  source(paste0(name, "-rows.R"))
  y <- predict(model, rows)
  errors <- attr(y, "standard.error")
  if (is.null(errors)) errors <- numeric(length(y))
  write(paste0('{"values":', numbers(y), ',"errors":', numbers(errors), "}"))
}
`;

/** Those whose answers have a closed form in every row. */
const linear = questions.filter(({ model }) => model.predictor.kind === "linear");
const ofLink = ({ model }: NumberQuestion, link: string): boolean =>
  model.predictor.kind !== "function" && model.predictor.link === link;

describe("a model that predicts a number", () => {
  test.skipIf(!hasPython("numpy"))("answers in Python as the library does", () => {
    questions.forEach(({ model, rows }, j) => {
      place.write(`${j}.py`, exportPython(model));
      place.write(`${j}.json`, JSON.stringify(rows));
    });
    place.write("names.json", JSON.stringify(questions.map(({ name }) => name)));
    python(PYTHON, [], place.folder);
    const answers = JSON.parse(place.read("answers.json")) as Answers[];
    questions.forEach((question, j) => {
      compareNumbers(question, answers[j]);
    });
  });

  test.skipIf(!hasR())("answers in R as the library does", () => {
    questions.forEach(({ model, rows }, j) => {
      place.write(`${j}.R`, exportR(model));
      place.write(`${j}-rows.R`, `rows <- ${rFrame(model, rows)}\n`);
    });
    place.write("names.txt", `${questions.map((_, j) => String(j)).join("\n")}\n`);
    const lines = rscript(place.write("ask.R", R), [], place.folder).trim().split("\n");
    questions.forEach((question, j) => {
      compareNumbers(question, JSON.parse(lines[j]));
    });
  });

  test("answers in JSON, by hand", () => {
    for (const question of linear) {
      const exported = JSON.parse(exportJson(question.model));
      compareNumbers(question, { values: question.rows.map((row) => predictNumberByHand(exported, row)) });
    }
  });

  test("answers in ONNX as the library does", async () => {
    for (const question of linear)
      for (const float of [false, true]) {
        const graph = exportOnnx(question.model, { float });
        const rows = float ? inSinglePrecision(question.rows) : question.rows;
        const { schema } = question.model;
        const [values] = await runGraph(graph, schema, rows, float ? "float32" : "float64");
        const answers = { values: Array.from(values as ArrayLike<number>) };
        compareNumbers({ ...question, rows }, answers, float ? 1e-6 : EXACT);
      }
  });

  test("trees in JSON have their output and distribution", () => {
    for (const { model } of questions.filter(({ model }) => model.predictor.kind !== "linear")) {
      const { kind, output, link, distribution } = JSON.parse(exportJson(model));
      expect({ kind, output }).toEqual({ kind: "trees", output: model.response.outputs[0] });
      expect(["identity", "log"]).toContain(link);
      expect(distribution.components.length).toBe(model.components.length);
    }
  });

  describe.each(sqlEngines)("in $name", ({ available, open }) => {
    let engine: SqlEngine | undefined;
    beforeAll(async () => {
      if (available) engine = await open();
    });
    afterAll(() => engine?.stop());

    test.skipIf(!available)("answers as the library does", { timeout: 60_000 }, async () => {
      const inSql = questions.filter(
        (question) =>
          question.model.predictor.kind === "linear" ||
          (ofLink(question, "identity") && !question.model.gaussianColumns),
      );
      expect(inSql.length).toBe(10);
      for (const all of inSql) {
        const question = { ...all, rows: all.rows.filter((_, r) => r % 4 === 0) };
        const answers = (await engine?.answer(question.model, question.rows)) ?? [];
        compareNumbers(question, { values: answers.map(([value]) => Number(value)) });
      }
    });
  });

  test("of trees with a log link is not written as SQL, of trees not as ONNX", () => {
    const counts = questions.find((question) => question.name === "boosted counts, atoms, 1");
    const dialect = dialectOf("duckdb");
    expect(() => exportSql(counts?.model as AnyModel, { dialect, table: "data", keep: [] })).toThrow(
      "SQL can add up trees whose answer is their sum, and these have the link log",
    );
    expect(() => requireExportable(counts?.model as AnyModel, "onnx")).toThrow(
      "trees cannot be written as onnx",
    );
  });
});
