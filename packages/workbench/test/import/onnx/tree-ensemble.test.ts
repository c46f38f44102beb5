import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Column, Row, TreesJson } from "conformant";
import { describe, expect, it } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { runOnnx } from "../../export/support/onnx-runtime.ts";
import { hasPython, python } from "../../export/support/python.ts";
import { largestDifference } from "../trees/trees-answers.ts";

/** onnxruntime adds up in single precision. */
const SINGLE = 1e-6;
/** Doubles that onnxruntime, or scikit-learn, adds up in another order; onnxruntime answers in single precision all the same. */
const DOUBLE = 1e-12;

const PROGRAM = readFileSync(fileURLToPath(new URL("make_tree_graphs.py", import.meta.url)), "utf8");

interface Made {
  readonly names: readonly string[];
  readonly numbers: readonly (readonly number[])[];
  readonly gaps: readonly (readonly (number | null)[])[];
  readonly city: readonly string[];
  /** scikit-learn's, where it made the trees. */
  readonly answers: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const COLUMNS: Column[] = [
  ...Array.from({ length: 5 }, (_, i): Column => ({ name: `n${i}`, kind: "numeric" })),
  { name: "city", kind: "categorical", values: ["Bonn", "Köln", "Ulm"] },
];

describe.skipIf(!hasPython("onnx, sklearn"))("trees in an ONNX graph", () => {
  const place = new Workplace();
  let known: Made | undefined;
  const made = (): Made => {
    if (known) return known;
    python(PROGRAM, [], place.path("."));
    known = JSON.parse(readFileSync(place.path("answers.json"), "utf8")) as Made;
    return known;
  };
  const rowsOf = (part: "numbers" | "gaps"): Row[] => {
    const { names, city, ...parts } = made();
    return parts[part].map((row, r) => ({
      ...Object.fromEntries(row.map((value, i) => [names[i], value ?? undefined])),
      city: city[r],
    }));
  };
  const read = (name: string): TreesJson =>
    parseClassifier(readFileSync(place.path(`${name}.onnx`)), { path: name, columns: [], ...COMMAND_READING })
      .json as TreesJson;

  const cases = [
    { name: "forest-two", software: SINGLE },
    { name: "extra-four", software: SINGLE },
    { name: "tree-four", software: SINGLE },
    { name: "gradient-two", software: SINGLE },
    { name: "gradient-four", software: SINGLE },
    { name: "histogram-two", software: SINGLE, gaps: true },
    { name: "histogram-four", software: SINGLE, gaps: true },
    { name: "double-two", software: DOUBLE, gaps: true },
    { name: "double-four", software: DOUBLE, gaps: true },
    { name: "modes-none", gaps: true },
    { name: "modes-softmax", gaps: true },
    { name: "pipeline", software: SINGLE, text: true },
  ];
  it.each(cases)(
    "answer as onnxruntime and as the software that made them: $name",
    { timeout: 120_000 },
    async ({ name, software, gaps, text }) => {
      made();
      const json = read(name);
      const numbers = name.startsWith("double") ? "float64" : "float32";
      const columns = text ? COLUMNS : COLUMNS.slice(0, 5);
      for (const part of gaps ? (["numbers", "gaps"] as const) : (["numbers"] as const)) {
        const rows = rowsOf(part);
        const { probabilities } = await runOnnx(
          readFileSync(place.path(`${name}.onnx`)),
          { columns },
          rows,
          numbers,
        );
        const K = json.classes.length;
        const answers = rows.map((_, r) => Array.from({ length: K }, (_, k) => probabilities[r * K + k]));
        expect(largestDifference(json, columns, rows, answers)).toBeLessThan(SINGLE);
        const own = made().answers[part === "gaps" ? `${name} gaps` : name];
        if (software) expect(largestDifference(json, columns, rows, own)).toBeLessThan(software);
      }
    },
  );
});
