import { baseline } from "./baseline.ts";
import type { RowMethod } from "./method.ts";

/** A classifier for every pattern of gaps: with one column missing there are as many as columns. */
export const reduced: RowMethod = {
  name: "reduced",
  label: "Reduced models",
  applies: ({ reduced: affordable }, missing) => affordable && missing <= 1,
  fit: baseline("reduced"),
};
