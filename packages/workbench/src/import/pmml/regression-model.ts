import type { ClassifierJson } from "conformant";
import { type Affine, classifierFromLogits, columnOf, combine, constantOf, featureOf } from "../affine.ts";
import type { FieldLookup } from "./derived-fields.ts";
import { childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown } from "./pmml-document.ts";

/**
 * RegressionModel for classification. With `softmax` each RegressionTable is a class with its logit. With `logit` and two
 * tables the first has the log-odds of its class and the other is what remains.
 */
export function readRegressionModel(document: PmmlDocument, lookUp: FieldLookup): ClassifierJson {
  const { model, refuse, target } = document;
  const kind = model.attributes.get("functionName");
  if (kind !== "classification")
    refuse(`RegressionModel with functionName ${shown(kind)}, expected "classification"`);
  const tables = childrenOf(model, "RegressionTable");
  const classes = tables.map(
    (table) => table.attributes.get("targetCategory") ?? refuse("a RegressionTable has no targetCategory"),
  );
  const logits = tables.map((table) => logitOf(document, table, lookUp));
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

function logitOf(document: PmmlDocument, table: Element, lookUp: FieldLookup): Affine {
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
