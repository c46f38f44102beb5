import type { ImportedClassifier, ReadingContext } from "../imported-classifier.ts";
import { createLookup } from "./derived-fields.ts";
import { parseXml } from "./element.ts";
import { readGeneralRegressionModel } from "./general-regression-model.ts";
import { readTreeModels } from "./mining-model.ts";
import { miningNotes, openDocument } from "./pmml-document.ts";
import { readRegressionModel } from "./regression-model.ts";

/** Reads regressions and trees out of PMML 4.x, as sklearn2pmml, the converters of JPMML and R's pmml write them. */
export function readPmml(bytes: Uint8Array, { path }: Pick<ReadingContext, "path">): ImportedClassifier {
  const document = openDocument(parseXml(new TextDecoder().decode(bytes)), path);
  if (document.model.name === "TreeModel" || document.model.name === "MiningModel") {
    const { json, notes } = readTreeModels(document);
    return { json, notes: [...miningNotes(document), ...notes] };
  }
  const read = document.model.name === "RegressionModel" ? readRegressionModel : readGeneralRegressionModel;
  return { json: read(document, createLookup(document)), notes: miningNotes(document) };
}
