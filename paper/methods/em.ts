import { baseline } from "./baseline.ts";
import { atRates, type RowMethod } from "./method.ts";

/** Conditional means of a normal distribution fitted by EM. */
export const em: RowMethod = { name: "em", label: "EM", applies: atRates, fit: baseline("em") };
