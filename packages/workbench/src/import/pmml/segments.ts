import { childOf, childrenOf, type Element } from "./element.ts";
import type { PmmlDocument } from "./pmml-document.ts";

/** The segments of a model that hold for every row, each with its model. */
export function segmentsOf(
  { refuse }: PmmlDocument,
  model: Element,
): { readonly segment: Element; readonly model: Element }[] {
  const segments = childrenOf(childOf(model, "Segmentation"), "Segment");
  if (segments.length === 0) refuse("a MiningModel has no segments");
  return segments.map((segment, s) => {
    if (!childOf(segment, "True"))
      refuse(`segment ${s + 1} is not for every row, expected the predicate True`);
    const own = segment.children.find(({ name }) => name.endsWith("Model"));
    return { segment, model: own ?? refuse(`segment ${s + 1} has no model`) };
  });
}
