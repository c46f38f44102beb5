import type { Model, Row } from "conformant";
import type { Workplace } from "../../../../cli/test/support/workplace.ts";
import { exportPython } from "../../../src/export/export-python.ts";
import { exportR } from "../../../src/export/export-r.ts";
import { rLiteral } from "../../../src/export/r-literal.ts";
import { isIndicatorColumn } from "../../../src/source/positions.ts";
import { python } from "./python.ts";
import { rscript } from "./rscript.ts";

/** A model and rows to ask it about. */
export interface Question {
  readonly name: string;
  readonly model: Model;
  readonly rows: readonly Row[];
}

/** What an exported program answers. */
export interface ExportedAnswers {
  /** Rows × K. */
  readonly probabilities: readonly number[];
  /** One per row, 0 for an exact answer. */
  readonly errors: readonly number[];
  readonly labels: readonly string[];
}

const PYTHON = `
import json, sys, types
answers = []
for name in json.load(open("names.json")):
    module = types.ModuleType("exported")
    exec(compile(open(name + ".py", encoding="utf-8").read(), name, "exec"), module.__dict__)
    rows = json.load(open(name + ".json", encoding="utf-8"))
    p, e = module.predict_proba(rows, return_errors=True)
    answers.append({"probabilities": p.ravel().tolist(), "errors": e.tolist(), "labels": module.predict(rows).tolist()})
json.dump(answers, open("answers.json", "w"))
`;

/** Exports models to Python and asks them there, all in one process. */
export function askPython(place: Workplace, questions: readonly Question[]): ExportedAnswers[] {
  const names = questions.map((_, j) => `python-${j}`);
  questions.forEach(({ model, rows }, j) => {
    place.write(`${names[j]}.py`, exportPython(model));
    place.write(`${names[j]}.json`, JSON.stringify(rows));
  });
  place.write("names.json", JSON.stringify(names));
  python(PYTHON, [], place.folder);
  return JSON.parse(place.read("answers.json")) as ExportedAnswers[];
}

const R = `
write <- function(x) cat(x, sep = "\\n")
numbers <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
for (name in readLines("names.txt")) {
  source(paste0(name, ".R"))
  source(paste0(name, "-rows.R"))
  p <- predict(model, rows, type = "prob")
  own <- as.integer(predict(model, rows, type = "class"))
  errors <- attr(p, "standard.error")
  if (is.null(errors)) errors <- numeric(nrow(p))
  write(paste0('{"probabilities":', numbers(t(p)), ',"errors":', numbers(errors), ',"labels":', numbers(own), "}"))
}
`;

/** The same in R. */
export function askR(place: Workplace, questions: readonly Question[]): ExportedAnswers[] {
  const names = questions.map((_, j) => `r-${j}`);
  questions.forEach(({ model, rows }, j) => {
    place.write(`${names[j]}.R`, exportR(model));
    place.write(`${names[j]}-rows.R`, `rows <- ${rFrame(model, rows)}\n`);
  });
  place.write("names.txt", `${names.join("\n")}\n`);
  const lines = rscript(place.write("ask.R", R), [], place.folder).trim().split("\n");
  return lines.map((line, j) => {
    const { labels, ...rest } = JSON.parse(line) as Omit<ExportedAnswers, "labels"> & { labels: number[] };
    return { ...rest, labels: labels.map((k) => questions[j].model.response.outputs[k - 1]) };
  });
}

/** Rows as a data.frame. */
export function rFrame({ schema }: Pick<Model, "schema">, rows: readonly Row[]): string {
  const supplied = schema.columns.filter((column) => !isIndicatorColumn(column));
  const columns = supplied.map(({ name }) => {
    const cells = rows.map((row) => (Object.hasOwn(row, name) ? row[name] : null));
    return `c(${cells.map((cell) => (cell === null || cell === undefined ? "NA" : rLiteral(cell))).join(", ")})`;
  });
  const names = rLiteral(supplied.map(({ name }) => name));
  return `structure(list(${columns.join(", ")}), names = ${names}, row.names = seq_len(${rows.length}), class = "data.frame")`;
}
