import { type Data, encode, type Schema, type Table, type WatchOptions } from "conformant";
import { isMissing, Watch } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { fillConstants, fitConstants } from "./fit-constants.ts";
import { type Regression, regress, regressAll, splitSlots } from "./gaussian.ts";
import { type Imputer, slotRows } from "./imputer.ts";
import { addRow, completeMoments, emptyMoments } from "./moments.ts";

/** Settings of {@link fitChainedEquations}. */
export interface ChainedEquationsOptions extends WatchOptions {
  /** How often each column is regressed on the others in turn. Default 10. */
  readonly rounds?: number;
  /** Ridge penalty of the regressions, as a share of each predictor's variance. Default 1e-6. */
  readonly ridge?: number;
}

/** Imputes missing values column by column from regressions on the other columns, round after round. */
export interface ChainedEquationsImputer extends Imputer {
  readonly rounds: number;
}

/**
 * Chained equations (MICE, van Buuren and Groothuis-Oudshoorn 2011) with the conditional mean of linear regressions, as
 * scikit-learn's `IterativeImputer` and R's `mice` with method norm.predict: missing values start at the mean, then column after
 * column is predicted from all the others as they stand. Columns with fewer missing values in the training data come first.
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
  const { rounds = 10, ridge = 1e-6 } = options;
  const table = encode(schema, data);
  const means = fitConstants(schema, table, "mean").constants!;
  const order = columnOrder(table);
  const complete = order.every(({ missing }) => missing.length === 0);
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
  readonly missing: readonly number[];
}

/** Columns with fewer missing values first, ties in the order of the schema. */
function columnOrder({ columns }: Table): Target[] {
  return columns
    .map((cells, column) => ({
      column,
      missing: Array.from(cells.keys()).filter((r) => isMissing(cells, r)),
    }))
    .sort((a, b) => a.missing.length - b.missing.length || a.column - b.column);
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
  /** The mean of each slot, where missing values start. */
  readonly means: Float64Array;
  readonly order: readonly Target[];
  readonly ridge: number;
}

/** Training rows with missing values: each regression is fitted on the rows that have its column, with the others filled so far. */
function chain({ table, means, order, ridge }: Training, rounds: number, watch: Watch): Regression[][] {
  const width = means.length;
  const slots = slotOffsets(table.schema);
  const filled = slotRows(table);
  fillConstants(filled, table.rows, means);
  return Array.from({ length: rounds }, (_, round) =>
    order.map(({ column, missing }, at) => {
      watch.step((round + at / order.length) / rounds);
      const without = new Set(missing);
      const moments = emptyMoments(means);
      for (let r = 0; r < table.rows; r++) if (!without.has(r)) addRow(moments, filled, r * width);
      const regression = regress(moments, slots[column], slots[column + 1], ridge);
      for (const r of missing) applyRegression(regression, filled.subarray(r * width, (r + 1) * width));
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

/**
 * Runs the chain on one row. The known slots add the same in every round with the same equations, so only the part
 * between the missing slots is repeated.
 */
function chainRow(
  row: Float64Array,
  means: Float64Array,
  equations: readonly (readonly Regression[])[],
): void {
  const [missing, known] = splitSlots(row, 0, row.length);
  if (missing.length === 0) return;
  for (const slot of missing) row[slot] = means[slot];
  let steps: readonly Step[] = [];
  equations.forEach((round, t) => {
    if (round !== equations[t - 1]) steps = reduceRound(round, row, missing, known);
    for (const step of steps) takeStep(step, row, missing);
  });
}

/** One missing column's equation with the known slots summed up. */
interface Step {
  readonly start: number;
  /** Intercept plus the known slots, one number per slot of the column. */
  readonly base: Float64Array;
  /** slots of the column × missing slots, row-major. */
  readonly coefficients: Float64Array;
}

function reduceRound(
  round: readonly Regression[],
  row: Float64Array,
  missing: readonly number[],
  known: readonly number[],
): Step[] {
  const isMissingSlot = new Set(missing);
  return round
    .filter(({ start }) => isMissingSlot.has(start))
    .map(({ start, intercept, coefficients }) => {
      const base = intercept.slice();
      const between = new Float64Array(base.length * missing.length);
      for (let a = 0, at = 0; a < base.length; a++) {
        const line = a * row.length;
        for (const j of known) base[a] += coefficients[line + j] * row[j];
        for (const j of missing) between[at++] = coefficients[line + j];
      }
      return { start, base, coefficients: between };
    });
}

function takeStep({ start, base, coefficients }: Step, row: Float64Array, missing: readonly number[]): void {
  const predicted = base.slice();
  for (let a = 0, at = 0; a < predicted.length; a++) {
    let sum = predicted[a];
    for (let b = 0; b < missing.length; b++) sum += coefficients[at++] * row[missing[b]];
    predicted[a] = sum;
  }
  row.set(predicted, start);
}
