import { type AnyModel, isRegression, saveModel } from "conformant";
import { TIE } from "conformant/internal";
import { isIndicatorColumn } from "../source/positions.ts";
import { declarationsOf } from "./javascript-declarations.ts";
import { scriptJson } from "./javascript-json.ts";
import { predictorInWords } from "./model-data.ts";

/**
 * A model whose answers are a program of their own (trees: pruning, cells, draws) or a number as one ES module without dependencies: the
 * library's program and the model's file, behind the same functions as any other module that is exported.
 *
 * @param program the library's own, as a script that sets `conformant`
 */
export function exportAnswering(model: AnyModel, program: string): { script: string; types: string } {
  const isNumber = isRegression(model);
  const functions = isNumber ? "predict(row), impute(row)" : "predict(row), classify(row), impute(row)";
  const script = `// Expected predictions of ${predictorInWords(model)} on rows with gaps: ${functions}.
// null, NaN, the empty text and an absent key are gaps. Written by conformant; needs nothing but this file.

${program.trim()}
const model = conformant.loadAnyModel(${scriptJson(saveModel(model))});

${isNumber ? `export const output = ${scriptJson(model.response.outputs[0])}` : `export const classes = ${scriptJson(model.response.outputs)}`};

export const columns = ${scriptJson(model.schema.columns.filter((column) => !isIndicatorColumn(column)))};

export function predict(row, options) {
  return conformant.predict(model, row, options);
}
${isNumber ? "" : CLASSIFY}
export function impute(row, options) {
  return conformant.impute(model, row, options);
}
`;
  return { script, types: declarationsOf(model) };
}

const CLASSIFY = `
export function classify(row, options) {
  const answer = predict(row, options);
  const probabilities = classes.map((name) => answer[name]);
  const tied = Math.max(...probabilities) - ${TIE};
  return classes[probabilities.map((p) => p >= tied).lastIndexOf(true)];
}
`;
