import type { BroughtClassifier, ReadingContext } from "../brought-classifier.ts";
import { createLookup } from "./derived-fields.ts";
import { parseXml } from "./element.ts";
import { readGeneralRegressionModel } from "./general-regression-model.ts";
import { miningNotes, openDocument } from "./pmml-document.ts";
import { readRegressionModel } from "./regression-model.ts";

/** Reads logistic and multinomial regressions out of PMML 4.x, as sklearn2pmml and R's pmml write them. */
export function readPmml(text: string, { path }: ReadingContext): BroughtClassifier {
  const document = openDocument(parseXml(text), path);
  const read = document.model.name === "RegressionModel" ? readRegressionModel : readGeneralRegressionModel;
  return { json: read(document, createLookup(document)), notes: miningNotes(document) };
}
