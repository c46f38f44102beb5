import { predictColumns } from "conformant";
import { describe, expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportPython } from "../../src/export/export-python.ts";
import { hasPython, python } from "./support/python.ts";
import { type NumberQuestion, numberQuestions } from "./support/regression-models.ts";

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
function compareNumbers({ name, model, rows }: NumberQuestion, { values, errors }: Answers): void {
  const { values: expected, standardErrors } = predictColumns(model, rows);
  expect(values.length, name).toBe(rows.length);
  const largest = Math.max(...expected.map(Math.abs));
  let exact = 0;
  expected.forEach((value, r) => {
    const [difference, error] = [Math.abs(values[r] - value), standardErrors?.[r] ?? 0];
    if (errors) expect(errors[r] === 0, `${name}, row ${r} is exact`).toBe(error === 0);
    if (error === 0) exact++;
    const most = error === 0 ? EXACT * largest : ERRORS * Math.hypot(error, errors?.[r] ?? 0);
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
});
