import { readCoefficients } from "../additive/read-classifier.ts";
import type { NumberLink } from "../predictors/number-link.ts";
import type { Schema } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import { createRegressor, type LinearRegressor } from "./linear-regressor.ts";

/** A linear regressor as other software writes it: one number per feature. */
export interface RegressorJson {
  /** The name of the number. */
  readonly output: string;
  /** How the sum becomes the number. Default "identity". */
  readonly link?: NumberLink;
  /** `column=value` is a one-hot bit of a categorical column; any other name is a numeric or 0/1 column. */
  readonly features: readonly string[];
  readonly intercept: number;
  readonly coef: readonly number[];
  /** The regressor saw (x − mean) / scale; one number per feature. */
  readonly mean?: readonly number[];
  readonly scale?: readonly number[];
  readonly label?: string;
}

/**
 * Brings in a linear regressor that was trained elsewhere. The data (or its schema) says which columns are categorical and which values they
 * have: a value without a feature of its own is the reference level and has weight 0.
 *
 *     readRegressor({ output: "price", features: ["rooms"], intercept: 20, coef: [35] }, rows);
 *
 * @throws `unknown-column` where a feature is not in the data, `invalid-weights` where the numbers do not fit
 */
export function readRegressor(json: RegressorJson, data: Data | Schema): LinearRegressor {
  const { output, link = "identity", intercept, coef, label } = json ?? {};
  const own = { ...json, intercept: [intercept], coef: [coef] };
  const { schema, intercepts, weights } = readCoefficients(own, data, { what: "regressor", rows: 1 });
  return createRegressor({
    schema,
    output,
    link,
    intercept: intercepts[0],
    weights,
    ...(label !== undefined && { label }),
  });
}
