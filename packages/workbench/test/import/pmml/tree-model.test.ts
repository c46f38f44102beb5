import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Column, TreesJson } from "conformant";
import { describe, expect, it } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { hasPython, python } from "../../export/support/python.ts";
import { largestDifference } from "../trees/trees-answers.ts";

/** Sums of a few dozen doubles in another order. */
const DOUBLE = 1e-12;
/** XGBoost adds up in single precision. */
const SINGLE = 1e-6;

const program = (name: string): string => readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
const read = (bytes: Uint8Array): TreesJson =>
  parseClassifier(bytes, { path: "model.pmml", columns: [], ...COMMAND_READING }).json as TreesJson;

type Cells = readonly (readonly (string | number | null)[])[];

interface Made {
  readonly columns: readonly string[];
  readonly full: Cells;
  readonly gaps: Cells;
  readonly answers: Readonly<Record<string, { full: number[][]; gaps?: number[][] }>>;
}

/** Runs a program once that writes documents and answers, and compares what is read with them. */
class Documents {
  private readonly place = new Workplace();
  private known: Made | undefined;
  private readonly make: (folder: string) => void;

  constructor(make: (folder: string) => void) {
    this.make = make;
  }

  difference(name: string, part: "full" | "gaps"): number {
    const { columns, answers, ...parts } = this.made();
    const json = read(readFileSync(this.place.path(`${name}.pmml`)));
    const rows = parts[part].map((row) => Object.fromEntries(row.map((value, i) => [columns[i], value])));
    const schema = columns.map((column, i): Column => {
      const values = new Set(parts.full.map((row) => row[i]));
      const texts = [...values].filter((value) => typeof value === "string");
      return texts.length > 0
        ? { name: column, kind: "categorical", values: texts }
        : { name: column, kind: "numeric" };
    });
    return largestDifference(json, schema, rows, answers[name][part] ?? []);
  }

  private made(): Made {
    if (this.known) return this.known;
    this.make(this.place.path("."));
    this.known = JSON.parse(readFileSync(this.place.path("answers.json"), "utf8")) as Made;
    return this.known;
  }
}

describe.skipIf(!hasPython("sklearn, xgboost"))("trees of Python in PMML", () => {
  const documents = new Documents((folder) => python(program("make_tree_documents.py"), [], folder));
  it.each([
    { name: "tree", tolerance: DOUBLE, gaps: false },
    { name: "forest", tolerance: DOUBLE, gaps: false },
    { name: "gradient-two", tolerance: DOUBLE, gaps: false },
    { name: "gradient-four", tolerance: DOUBLE, gaps: false },
    { name: "histogram", tolerance: DOUBLE, gaps: true },
    { name: "xgboost-two", tolerance: SINGLE, gaps: true },
    { name: "xgboost-four", tolerance: SINGLE, gaps: true },
  ])("answer as the software that made them: $name", { timeout: 60_000 }, ({ name, tolerance, gaps }) => {
    for (const part of gaps ? (["full", "gaps"] as const) : (["full"] as const))
      expect(documents.difference(name, part)).toBeLessThan(tolerance);
  });
});

const hasR =
  spawnSync("Rscript", ["-e", "library(randomForest); library(rpart); library(jsonlite)"]).status === 0;

describe.skipIf(!hasR)("trees of R in PMML", () => {
  const documents = new Documents((folder) => {
    const { status, stderr } = spawnSync("Rscript", ["-e", program("make_tree_documents.R")], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  });
  it("answer as randomForest's votes do", { timeout: 60_000 }, () => {
    expect(documents.difference("randomForest", "full")).toBeLessThan(DOUBLE);
  });
  it("answer as rpart does, also by its surrogates", { timeout: 60_000 }, () => {
    expect(documents.difference("rpart", "full")).toBeLessThan(DOUBLE);
    expect(documents.difference("rpart", "gaps")).toBeLessThan(DOUBLE);
  });
});
