import type { ClassifierJson, NumberLink, RegressorJson } from "conformant";
import {
  type Affine,
  classifierFromLogits,
  columnOf,
  combine,
  constantOf,
  featureOf,
  regressorFromSum,
  scaled,
} from "../affine.ts";
import type { FieldLookup } from "./derived-fields.ts";
import { childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown } from "./pmml-document.ts";
import { rescalingOf } from "./rescaling.ts";

/** The normalizations of a number and their links; PMML calls the logistic function of a single table both "logit" and "softmax". */
const LINKS: Readonly<Record<string, NumberLink>> = {
  none: "identity",
  exp: "log",
  logit: "logit",
  softmax: "logit",
  probit: "probit",
};

/** RegressionModel: a classifier, or a regressor with a link. */
export function readRegressionModel(
  document: PmmlDocument,
  lookUp: FieldLookup,
): ClassifierJson | RegressorJson {
  const kind = document.model.attributes.get("functionName");
  if (kind === "regression") return regressorOf(document, lookUp);
  if (kind === "classification") return classifierOf(document, lookUp);
  return document.refuse(
    `RegressionModel with functionName ${shown(kind)}, expected "classification" or "regression"`,
  );
}

function regressorOf(document: PmmlDocument, lookUp: FieldLookup): RegressorJson {
  const { model, refuse, target } = document;
  const tables = childrenOf(model, "RegressionTable");
  if (tables.length !== 1) refuse(`a regression with ${tables.length} RegressionTables, expected one`);
  const method = model.attributes.get("normalizationMethod") ?? "none";
  if (!Object.hasOwn(LINKS, method))
    refuse(
      `normalizationMethod ${shown(method)} of a regression is not read`,
      `${Object.keys(LINKS).join(", ")} are`,
    );
  const link = LINKS[method];
  const { factor, shift } = rescalingOf(document, model, link);
  return regressorFromSum(link, scaled(sumOf(document, tables[0], lookUp), factor, shift), target);
}

/**
 * With `softmax` each RegressionTable is a class with its logit. With `logit` and two
 * tables the first has the log-odds of its class and the other is what remains.
 */
function classifierOf(document: PmmlDocument, lookUp: FieldLookup): ClassifierJson {
  const { model, refuse, target } = document;
  const tables = childrenOf(model, "RegressionTable");
  const classes = tables.map(
    (table) => table.attributes.get("targetCategory") ?? refuse("a RegressionTable has no targetCategory"),
  );
  const logits = tables.map((table) => sumOf(document, table, lookUp));
  const method = model.attributes.get("normalizationMethod") ?? "none";
  if (method === "softmax") return classifierFromLogits(classes, logits, target);
  if (method !== "logit")
    return refuse(`normalizationMethod ${shown(method)}, expected "logit" or "softmax"`);
  if (tables.length !== 2)
    return refuse(
      `normalizationMethod "logit" with ${tables.length} classes is one-vs-rest, which is not supported`,
    );
  if ([...logits[1].terms.values()].some((weight) => weight !== 0))
    return refuse(
      'normalizationMethod "logit": the second RegressionTable must be empty, it is what remains',
    );
  return classifierFromLogits([classes[1], classes[0]], [constantOf(0), logits[0]], target);
}

function sumOf(document: PmmlDocument, table: Element, lookUp: FieldLookup): Affine {
  const [parts, weights]: [Affine[], number[]] = [[], []];
  for (const predictor of table.children) {
    if (predictor.name === "Extension") continue;
    parts.push(predictorOf(document, predictor, lookUp));
    weights.push(numberAttribute(document, predictor, "coefficient"));
  }
  return combine(parts, weights, numberAttribute(document, table, "intercept"));
}

function predictorOf(document: PmmlDocument, predictor: Element, lookUp: FieldLookup): Affine {
  const { name, attributes } = predictor;
  const field = attributes.get("name") ?? "";
  if (name === "NumericPredictor") {
    const exponent = numberAttribute(document, predictor, "exponent", 1);
    if (exponent !== 1)
      document.refuse(`NumericPredictor ${shown(field)} has the exponent ${exponent}, expected 1`);
    return lookUp(field);
  }
  if (name === "CategoricalPredictor") {
    const column = columnOf(lookUp(field));
    const value = attributes.get("value");
    if (column === undefined || value === undefined)
      return document.refuse(`CategoricalPredictor ${shown(field)} needs a column and a value`);
    return featureOf(`${column}=${value}`);
  }
  return document.refuse(`${name} ${shown(field)} is not additive in the columns`);
}
