import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** The source files of a package, by path. */
function sourcesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const library = sourcesOf("packages/conformant/src");

/** Files that read what a caller gives by name: options, groups, costs, rows, columns, the answer of a caller's function. */
const READ_INPUT = new Set([
  "acquisition/ask-groups.ts",
  "acquisition/question.ts",
  "distribution/shift-missing.ts",
  "errors.ts",
  "explanation/ask-about.ts",
  "explanation/in-words.ts",
  "math/sum-records.ts",
  "options.ts",
  "predictors/features.ts",
  "questions/expected-prediction.ts",
  "questions/how-sure.ts",
  "schema/data.ts",
  "schema/encode.ts",
  "schema/infer-schema.ts",
  "threads/create-threads.ts",
]);

describe("the sources", () => {
  it("never read answers back from records, whose keys JavaScript reorders where they look like integers", () => {
    for (const [name, text] of library)
      if (/Object\.(values|keys|entries)\(/.test(text)) expect(READ_INPUT, name).toContain(name);
    const read = /Object\.(values|keys|entries)\(\s*(predict\(|classify\(|\w*\.?probabilities\b)/;
    for (const folder of ["conformant", "workbench", "cli"])
      for (const [name, text] of sourcesOf(`packages/${folder}/src`))
        expect(read.test(text), name).toBe(false);
  });

  it("ask for the kind of a predictor in no question", () => {
    const asks = /\.kind\s*[!=]==\s*(additiveKind|treesKind|"additive"|"trees")|treesOf\(/;
    const found = [...library].filter(([, text]) => asks.test(text)).map(([name]) => name);
    expect(found.filter((name) => !["trees/tree-ensemble.ts", "model/kinds.ts"].includes(name))).toEqual([]);
  });
});
