import type { NumberLink } from "conformant";
import { childOf, childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown } from "./pmml-document.ts";

/** The Targets of a regression: prediction · rescaleFactor + rescaleConstant, where its link lets a sum be rescaled. */
export function rescalingOf(
  document: PmmlDocument,
  model: Element,
  link: NumberLink,
): { readonly factor: number; readonly shift: number } {
  const targets = childrenOf(childOf(model, "Targets"), "Target");
  if (targets.length === 0) return { factor: 1, shift: 0 };
  if (targets.length > 1) document.refuse("a model has several Targets");
  const [target] = targets;
  for (const name of ["min", "max", "castInteger"])
    if (target.attributes.has(name)) document.refuse(`a Target has ${shown(name)}, which is not read`);
  const factor = numberAttribute(document, target, "rescaleFactor", 1);
  const shift = numberAttribute(document, target, "rescaleConstant", 0);
  if (link !== "identity" && (factor !== 1 || shift !== 0))
    document.refuse(`Targets rescale an answer with the link ${shown(link)}, which is not read`);
  return { factor, shift };
}
