import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Model, saveModel, TIE } from "conformant";
import { CliError } from "../../errors.ts";
import { declarationsOf } from "./declarations.ts";
import { scriptJson } from "./script-json.ts";

/** The library's own program, built for modules that are exported. */
const bundle = fileURLToPath(new URL("./answering/answering.iife.js", import.meta.url));

/**
 * A model whose answers are a program of their own (trees: pruning, cells, draws) as one ES module without dependencies: the
 * library's program and the model's file, behind the same functions as any other module that is exported.
 */
export function exportAnswering(model: Model): { script: string; types: string } {
  if (!existsSync(bundle))
    throw new CliError("not-available", "modules of trees are not part of this build of conformant-cli", {
      hint: "npm run build makes them",
    });
  const script = `// Expected predictions of trees on rows with gaps: predict(row), classify(row), impute(row).
// null, NaN, the empty text and an absent key are gaps. Written by conformant; needs nothing but this file.

${readFileSync(bundle, "utf8").trim()}
const model = conformant.loadModel(${scriptJson(saveModel(model))});

export const classes = ${scriptJson(model.classifier.classes)};

export const columns = ${scriptJson(model.classifier.schema.columns)};

export function predict(row, options) {
  return conformant.predict(model, row, options);
}

export function classify(row, options) {
  const answer = predict(row, options);
  const probabilities = classes.map((name) => answer[name]);
  const tied = Math.max(...probabilities) - ${TIE};
  return classes[probabilities.map((p) => p >= tied).lastIndexOf(true)];
}

export function impute(row, options) {
  return conformant.impute(model, row, options);
}
`;
  return { script, types: declarationsOf(model) };
}
