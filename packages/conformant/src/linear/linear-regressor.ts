import { ClassScorer } from "../distribution/class-scores.ts";
import { ConformantError, requireMade, show } from "../errors.ts";
import { fastContext } from "../kernels/context.ts";
import { NUMBER_LINKS, type NumberLink, numberOf } from "../predictors/number-link.ts";
import type { NumberResponse } from "../predictors/predictor.ts";
import { type ClassTilt, weightedColumns } from "../schema/class-tilt.ts";
import { type Column, checkSchema, type Schema, slotCount, slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";

/** How the training of a regressor went. */
export interface RegressionReport {
  readonly family: "gaussian" | "poisson" | "gamma";
  readonly status: "converged" | "iteration-limit" | "stalled";
  readonly iterations: number;
  /** Σ weight·loss + ½·l2·‖w‖² at the end. */
  readonly objective: number;
  readonly l2: number;
  readonly rows: number;
  /** Rows that were left out because a column or the label was missing. */
  readonly rowsWithGaps: number;
  /** Rows among `rows` whose missing columns were drawn. */
  readonly rowsCompleted?: number;
}

/**
 * A number that is made of a sum over columns, f(x) = g( b + Σ_i s_i(x_i) ), with s_i(x) = w_i·x for numeric and binary columns and
 * s_i(v) = w_iv for value v of a categorical or binned one: linear regression and generalized linear models. g is the inverse of the link.
 */
export interface LinearRegressor {
  readonly kind: "linear";
  readonly schema: Schema;
  /** The name of the number. */
  readonly output: string;
  /** The name of the column that was learned, where it is known. */
  readonly label?: string;
  readonly link: NumberLink;
  readonly intercept: number;
  /** One per slot; the slots of column i start at `slotOffsets(schema)[i]`. */
  readonly weights: Float64Array;
  readonly training?: RegressionReport;
}

/**
 * Builds a regressor from its parts after checking all of them.
 *
 *     createRegressor({ schema, output: "price", link: "identity", intercept: 2, weights }); // weights: one per slot
 */
export function createRegressor(parts: Omit<LinearRegressor, "kind">): LinearRegressor {
  requireMade("regressor", parts, "parts");
  const { output, link, intercept, weights } = parts;
  const schema = checkSchema(parts.schema);
  if (typeof output !== "string" || output === "") reject("output", "a non-empty string", output);
  if (!NUMBER_LINKS.includes(link)) reject("link", `one of ${NUMBER_LINKS.join(", ")}`, link);
  if (!Number.isFinite(intercept)) reject("intercept", "a finite number", intercept);
  const slots = slotOffsets(schema)[schema.columns.length];
  if (weights?.length !== slots) reject("weights", `${slots} numbers, one per slot`, weights);
  const bad = weights.findIndex((weight) => !Number.isFinite(weight));
  if (bad >= 0) reject(`weights[${bad}]`, "a finite number", weights[bad]);
  return { ...parts, kind: "linear", weights: Float64Array.from(weights) };
}

function reject(part: string, need: string, value: unknown): never {
  const message = `regressor.${part} must be ${need}, got ${show(value)}`;
  throw new ConformantError("invalid-weights", message, { argument: `regressor.${part}`, value });
}

/** The regressor on more columns, behind its own and without weights. */
export function addColumns(regressor: LinearRegressor, columns: readonly Column[]): LinearRegressor {
  if (columns.length === 0) return regressor;
  const { schema, weights } = regressor;
  const slots = columns.reduce((sum, column) => sum + slotCount(column), 0);
  const wider = new Float64Array(weights.length + slots);
  wider.set(weights);
  return createRegressor({
    ...regressor,
    schema: { columns: [...schema.columns, ...columns] },
    weights: wider,
  });
}

/** What it answers. */
export function linearResponse({ output }: LinearRegressor): NumberResponse {
  return { kind: "number", outputs: [output] };
}

/** Its sum as the score of one class. */
export function scoreOf({ schema, intercept, weights }: LinearRegressor): ClassTilt {
  return { schema, intercept: Float64Array.of(intercept), weights };
}

/** Positions of the columns with a weight other than 0, ascending. */
export function columnsOf(regressor: LinearRegressor): readonly number[] {
  return weightedColumns(scoreOf(regressor));
}

/** The regressor's own answer to many rows, whose columns are found by name; NaN for a row that lacks a column with weights. */
export function evaluateLinear(regressor: LinearRegressor, rows: Table): Float64Array {
  const { schema, link } = regressor;
  const gaps = new Float64Array(schema.columns.length);
  for (const i of columnsOf(regressor)) gaps[i] = Number.NaN;
  const out = new Float64Array(rows.rows);
  new ClassScorer(scoreOf(regressor), gaps).score(encode(schema, rows), 0, rows.rows, out, fastContext);
  return link === "identity" ? out : out.map((sum) => numberOf(link, sum));
}
