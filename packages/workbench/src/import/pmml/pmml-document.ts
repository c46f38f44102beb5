import { quoted } from "../../source/quoted.ts";
import { refuseFile } from "../imported-classifier.ts";
import { childOf, childrenOf, type Element } from "./element.ts";

/** What the readers of all kinds of model share: the document, its mining schema, and errors. */
export interface PmmlDocument {
  readonly model: Element;
  readonly dictionary: readonly Element[];
  readonly derived: readonly Element[];
  /** The name of the field that is predicted. */
  readonly target: string | undefined;
  readonly refuse: (why: string, hint?: string) => never;
}

/** The most replacements of missing values that are listed by name. */
const MOST_LISTED = 10;

const MODELS = ["RegressionModel", "GeneralRegressionModel", "TreeModel", "MiningModel"];

/** Finds the one model of a document. */
export function openDocument(root: Element, path: string): PmmlDocument {
  const refuse = (why: string, hint?: string): never => {
    throw refuseFile(path, why, hint);
  };
  if (root.name !== "PMML") refuse(`the root element is ${shown(root.name)}, expected "PMML"`);
  const version = root.attributes.get("version") ?? "";
  if (!/^4(\.\d+)*$/.test(version)) refuse(`PMML version ${shown(version)}, expected 4.x`);
  const others = root.children.filter(({ name }) => name.endsWith("Model") || name === "Scorecard");
  const model = root.children.find(({ name }) => MODELS.includes(name));
  if (!model || others.length !== 1)
    return refuse(
      `has ${others.map(({ name }) => name).join(", ") || "no model"}, expected one of ${MODELS.join(", ")}`,
    );
  const fields = childrenOf(childOf(model, "MiningSchema"), "MiningField");
  const target = fields.find((field) =>
    ["target", "predicted"].includes(field.attributes.get("usageType") ?? ""),
  );
  return {
    model,
    dictionary: childrenOf(childOf(root, "DataDictionary"), "DataField"),
    derived: derivedFields(root),
    target: target?.attributes.get("name"),
    refuse,
  };
}

/** The derived fields of the document and of all models in it. */
function derivedFields(element: Element): readonly Element[] {
  return element.children.flatMap((child) => {
    if (child.name === "TransformationDictionary" || child.name === "LocalTransformations")
      return childrenOf(child, "DerivedField");
    return child.name.endsWith("Model") || child.name.startsWith("Segment") ? derivedFields(child) : [];
  });
}

/** Replacements of missing values, which a conformant model does not need, as sentences; clipped values are rejected. */
export function miningNotes({ model, derived, refuse }: PmmlDocument): string[] {
  const fields = childrenOf(childOf(model, "MiningSchema"), "MiningField");
  for (const { attributes } of fields) {
    if ((attributes.get("outliers") ?? "asIs") !== "asIs")
      refuse(`field ${shown(attributes.get("name"))}: outliers="${attributes.get("outliers")}" is not read`);
  }
  const replaced = fields.flatMap(({ attributes }) => {
    const value = attributes.get("missingValueReplacement");
    return value === undefined ? [] : [`${attributes.get("name")} by ${value}`];
  });
  const mapped = derived.flatMap((field) =>
    field.children.flatMap(({ attributes }) => {
      const value = attributes.get("mapMissingTo");
      return value === undefined ? [] : [`${field.attributes.get("name")} by ${value}`];
    }),
  );
  const all = [...replaced, ...mapped];
  if (all.length === 0) return [];
  const listed = all.slice(0, MOST_LISTED).join(", ") + (all.length > MOST_LISTED ? ", …" : "");
  return [
    `the file replaces missing values (${listed}): not used, for what a gap means is learned from the data`,
  ];
}

/** The classes that the data dictionary lists for the target. */
export function targetValues({ dictionary, target }: PmmlDocument): string[] {
  const field = dictionary.find(({ attributes }) => attributes.get("name") === target);
  return childrenOf(field, "Value")
    .filter(({ attributes }) => (attributes.get("property") ?? "valid") === "valid")
    .flatMap(({ attributes }) => attributes.get("value") ?? []);
}

/** A text of the document for a message: quoted and shortened. */
export function shown(text: string | undefined): string {
  return text === undefined ? "nothing" : quoted(text);
}

/** An attribute that must be a number. */
export function numberAttribute(
  { refuse }: PmmlDocument,
  { name, attributes }: Element,
  attribute: string,
  otherwise?: number,
): number {
  const text = attributes.get(attribute);
  if (text === undefined && otherwise !== undefined) return otherwise;
  const number = text?.trim() ? Number(text) : Number.NaN;
  return Number.isFinite(number)
    ? number
    : refuse(`${name} must have a finite number as ${attribute}, got ${shown(text)}`);
}
