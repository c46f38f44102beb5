import type { Certificate } from "../../model/certificate.ts";
import type { BlockFrame } from "../block/block-frame.ts";
import type { EmResult } from "./em.ts";
import type { MixtureProblem } from "./mixture-problem.ts";

/** What is known about the Gaussian factors of a fit. */
export function certifyBlock(
  { classifier, settings, totalWeight }: MixtureProblem,
  { components, momentMismatch = 0 }: EmResult,
  frame: BlockFrame,
): NonNullable<Certificate["gaussian"]> {
  const names = Array.from(frame.block.columns, (i) => classifier.schema.columns[i].name);
  const rows = components.map(({ logWeight }) => Math.exp(logWeight) * totalWeight);
  return {
    columns: names,
    momentMismatch,
    ridge: settings.ridge,
    singular: Array.from(frame.singular, (i) => names[i]),
    fewRows: rows.filter((weight) => weight < names.length + 1).length,
  };
}
