import { requireInteger, requireNumber } from "../../errors.ts";
import { type Schema, slotOffsets } from "../../schema/column.ts";
import { type Data, isGapCell, type Table } from "../../schema/data.ts";
import { encode } from "../../schema/encode.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { completeMoments } from "../moments/complete-moments.ts";
import { addRow, emptyMoments } from "../moments/moments.ts";
import { type Regression, regress, regressAll } from "../moments/regression.ts";
import { chainRow } from "./chain-row.ts";
import { fillConstants, fitConstants } from "./fit-constants.ts";
import type { Imputer } from "./imputer.ts";
import { slotRows } from "./slot-rows.ts";

/** Settings of {@link fitChainedEquations}. */
export interface ChainedEquationsOptions extends WatchOptions {
  /** How often each column is regressed on the others in turn. Default 10. */
  readonly rounds?: number;
  /** Ridge penalty of the regressions, as a share of each predictor's variance. Default 1e-6. */
  readonly ridge?: number;
}

/** Fills gaps column by column from regressions on the other columns, round after round. */
export interface ChainedEquationsImputer extends Imputer {
  readonly rounds: number;
}

/**
 * Chained equations (MICE, van Buuren and Groothuis-Oudshoorn 2011) with the conditional mean of linear regressions, as
 * scikit-learn's `IterativeImputer` and R's `mice` with method norm.predict: gaps start at the mean, then column after
 * column is predicted from all the others as they stand. Columns with fewer gaps in the training data come first.
 *
 * A one-hot group is one column: its bits are predicted together from the *other* columns. Predicting a bit from the
 * rest of its own group would give one minus their sum and never leave the mean.
 */
export function fitChainedEquations(
  schema: Schema,
  data: Data,
  options: ChainedEquationsOptions = {},
): ChainedEquationsImputer {
  const watch = new Watch(options, "imputing");
  const rounds = requireInteger("options.rounds", options.rounds ?? 10, 0);
  const ridge = requireNumber("options.ridge", options.ridge ?? 1e-6, 0);
  const table = encode(schema, data);
  const means = fitConstants(schema, table, "mean").constants!;
  const order = columnOrder(table);
  const complete = order.every(({ gaps }) => gaps.length === 0);
  const equations = complete
    ? repeat(inOrder(regressAll(schema, completeMoments(table), ridge), order), rounds)
    : chain({ table, means, order, ridge }, rounds, watch);
  const fill = (rows: Float64Array, count: number): void => {
    for (let r = 0; r < count; r++)
      chainRow(rows.subarray(r * means.length, (r + 1) * means.length), means, equations);
  };
  return { method: "mice", schema, rounds, fill };
}

/** A column and the training rows that lack it. */
interface Target {
  readonly column: number;
  readonly gaps: readonly number[];
}

/** Columns with fewer gaps first, ties in the order of the schema. */
function columnOrder({ columns }: Table): Target[] {
  return columns
    .map((cells, column) => ({ column, gaps: Array.from(cells.keys()).filter((r) => isGapCell(cells, r)) }))
    .sort((a, b) => a.gaps.length - b.gaps.length || a.column - b.column);
}

function inOrder(regressions: readonly Regression[], order: readonly Target[]): Regression[] {
  return order.map(({ column }) => regressions[column]);
}

/** With complete training rows every round has the same equations. */
function repeat(round: Regression[], rounds: number): Regression[][] {
  return Array.from({ length: rounds }, () => round);
}

/** What the equations are fitted on. */
interface Training {
  readonly table: Table;
  /** The mean of each slot, where gaps start. */
  readonly means: Float64Array;
  readonly order: readonly Target[];
  readonly ridge: number;
}

/** Training rows with gaps: each regression is fitted on the rows that have its column, with the others filled so far. */
function chain({ table, means, order, ridge }: Training, rounds: number, watch: Watch): Regression[][] {
  const width = means.length;
  const slots = slotOffsets(table.schema);
  const filled = slotRows(table);
  fillConstants(filled, table.rows, means);
  return Array.from({ length: rounds }, (_, round) =>
    order.map(({ column, gaps }, at) => {
      watch.step((round + at / order.length) / rounds);
      const without = new Set(gaps);
      const moments = emptyMoments(means);
      for (let r = 0; r < table.rows; r++) if (!without.has(r)) addRow(moments, filled, r * width);
      const regression = regress(moments, slots[column], slots[column + 1], ridge);
      for (const r of gaps) applyRegression(regression, filled.subarray(r * width, (r + 1) * width));
      return regression;
    }),
  );
}

/** Puts a column's slots at what the equation predicts from the others. */
function applyRegression({ start, intercept, coefficients }: Regression, row: Float64Array): void {
  const width = row.length;
  const predicted = intercept.slice();
  for (let a = 0; a < predicted.length; a++)
    for (let j = 0; j < width; j++) predicted[a] += coefficients[a * width + j] * row[j];
  row.set(predicted, start);
}
