import type { NumberLink } from "conformant";
import {
  type Affine,
  classifierFromLogits,
  columnOf,
  combine,
  constantOf,
  featureOf,
  regressorFromSum,
} from "../affine.ts";
import type { ImportedClassifier } from "../imported-classifier.ts";
import type { FieldLookup } from "./derived-fields.ts";
import { childOf, childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown, targetValues } from "./pmml-document.ts";

/**
 * GeneralRegressionModel: parameters, their predictors (PPMatrix), and their estimates per class (ParamMatrix). A class without estimates
 * is the reference, with logit 0. A number has one list of estimates and a link.
 */
export function readGeneralRegressionModel(
  document: PmmlDocument,
  lookUp: FieldLookup,
): ImportedClassifier["json"] {
  const { model, refuse } = document;
  const link = linkOf(document);
  const parameters = parametersOf(document, lookUp);
  const logits = new Map<string, [Affine[], number[]]>();
  for (const cell of childrenOf(childOf(model, "ParamMatrix"), "PCell")) {
    const name = cell.attributes.get("parameterName") ?? "";
    const parameter =
      parameters.get(name) ?? refuse(`ParamMatrix names the unknown parameter ${shown(name)}`);
    const category = cell.attributes.get("targetCategory") ?? "";
    const [parts, weights] = logits.get(category) ?? [[], []];
    parts.push(parameter);
    weights.push(numberAttribute(document, cell, "beta"));
    logits.set(category, [parts, weights]);
  }
  const label = document.target ?? model.attributes.get("targetVariableName");
  if (link !== undefined) {
    if (logits.size > 1) refuse(`a regression with the estimates of ${logits.size} numbers, expected one`);
    const [[parts, weights] = [[], []]] = logits.values();
    return regressorFromSum(link, combine(parts, weights), label);
  }
  const classes = classesOf(document, [...logits.keys()]);
  // Estimates without a class belong to the second of two.
  const of = (name: string, k: number) => logits.get(name) ?? (k === 1 ? logits.get("") : undefined);
  return classifierFromLogits(
    classes,
    classes.map((name, k) => {
      const [parts, weights] = of(name, k) ?? [[], []];
      return parts.length === 0 ? constantOf(0) : combine(parts, weights);
    }),
    label,
  );
}

/** The links of numbers. */
const LINKS: readonly NumberLink[] = ["identity", "log", "logit", "probit"];

/** The link of a number, undefined for classes; a binomial model with the logit answers the second of two classes in any case. */
function linkOf({ model, refuse }: PmmlDocument): NumberLink | undefined {
  const [type, link, distribution, kind, offset] = [
    ...["modelType", "linkFunction", "distribution", "functionName", "offsetVariable"],
  ].map((name) => model.attributes.get(name));
  if (offset !== undefined) refuse(`a generalized linear model with the offset ${shown(offset)}`);
  if (type === "multinomialLogistic") return undefined;
  if (type === "regression" || (type === "generalLinear" && link === undefined)) return "identity";
  if (type !== "generalizedLinear" && type !== "generalLinear")
    refuse(
      `GeneralRegressionModel with modelType ${shown(type)}, expected "multinomialLogistic", "regression", "generalLinear" or "generalizedLinear"`,
    );
  if (link === "logit" && (distribution ?? "binomial") === "binomial") return undefined;
  const found = LINKS.find((name) => name === link);
  if (kind !== "regression" || !found)
    return refuse(
      `a generalized linear model for ${kind ?? "classification"} with link ${shown(link)} and distribution ${shown(distribution)}, expected "logit" and "binomial", or a regression with ${LINKS.map(shown).join(", ")}`,
    );
  return found;
}

/** The meaning of each parameter: 1, a column, or a value of a factor. */
function parametersOf({ model, refuse }: PmmlDocument, lookUp: FieldLookup): Map<string, Affine> {
  const factors = predictorsOf(model, "FactorList");
  const contrast = factors.find((factor) => childOf(factor, "Matrix"));
  if (contrast)
    refuse(`factor ${shown(contrast.attributes.get("name"))} has a contrast matrix, expected dummies`);
  const isFactor = new Set(factors.map(({ attributes }) => attributes.get("name")));
  const parameters = new Map<string, Affine>();
  for (const { attributes } of childrenOf(childOf(model, "ParameterList"), "Parameter"))
    parameters.set(attributes.get("name") ?? "", constantOf(1));
  const used = new Set<string>();
  for (const { attributes } of childrenOf(childOf(model, "PPMatrix"), "PPCell")) {
    const [name, predictor, value] = ["parameterName", "predictorName", "value"].map(
      (attribute) => attributes.get(attribute) ?? "",
    );
    if (!parameters.has(name)) refuse(`PPMatrix names the unknown parameter ${shown(name)}`);
    if (used.has(name))
      refuse(`parameter ${shown(name)} is an interaction, which is not additive in the columns`);
    used.add(name);
    if (!isFactor.has(predictor) && Number(value) !== 1)
      refuse(`covariate ${shown(predictor)} has the exponent ${shown(value)}, expected 1`);
    const column = lookUp(predictor);
    const source = columnOf(column);
    if (isFactor.has(predictor) && source === undefined) refuse(`factor ${shown(predictor)} needs a column`);
    parameters.set(name, isFactor.has(predictor) ? featureOf(`${source}=${value}`) : column);
  }
  return parameters;
}

function predictorsOf(model: Element, list: string): readonly Element[] {
  return childrenOf(childOf(model, list), "Predictor");
}

/** The classes, for two of them with the reference first; the dictionary lists them, otherwise the reference must be named. */
function classesOf(document: PmmlDocument, withEstimates: readonly string[]): readonly string[] {
  const { model, refuse } = document;
  const named = withEstimates.filter((name) => name !== "");
  if (named.length > 0 && named.length < withEstimates.length)
    refuse("some cells of the ParamMatrix have a targetCategory and some have none");
  const listed = targetValues(document);
  const reference =
    model.attributes.get("targetReferenceCategory") ??
    listed.find((name) => !named.includes(name)) ??
    (listed.length === 0 && named.length <= 1 ? "0" : undefined);
  if (named.length === 0) return listed.length === 2 ? listed : ["0", "1"];
  const all = reference === undefined || named.includes(reference) ? named : [reference, ...named];
  const unknown = listed.filter((name) => !all.includes(name));
  if (unknown.length > 0) refuse(`class ${shown(unknown[0])} has no estimates and is not the reference`);
  return all;
}
