import { requireMade } from "../../errors.ts";
import { mixtureQuantile } from "../completion/normals/mixture-quantile.ts";
import type { NumericImputation } from "./impute.ts";

/** The share of a density that lies beyond each end. */
const BEYOND = 0.001;

/**
 * Where nearly all of what a number may be lies: between the least and the largest atom or, in a Gaussian block, between the
 * quantiles 0.1 % and 99.9 %. Of `impute(model, {})` it is the usual range of the column.
 */
export function usualRange(imputation: NumericImputation): [low: number, high: number] {
  requireMade("imputation", imputation);
  const { values, density } = imputation;
  if (density) return [mixtureQuantile(density, BEYOND), mixtureQuantile(density, 1 - BEYOND)];
  return [values[0], values[values.length - 1]];
}
