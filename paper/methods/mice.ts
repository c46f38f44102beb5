import { baseline } from "./baseline.ts";
import { atRates, type RowMethod } from "./method.ts";

/** Chained equations: each column predicted from the others, in turns. */
export const mice: RowMethod = {
  name: "mice",
  label: "Chained equations",
  applies: atRates,
  fit: baseline("mice"),
};
