import type { Classifier } from "../../classifier/classifier.ts";
import { ConformantError, show } from "../../errors.ts";
import { type Schema, slotOffsets } from "../../schema/column.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { type Description, isCostly } from "../mixture/mixture-problem.ts";
import { resolutionsOf } from "./resolution.ts";

/**
 * What describes the numeric columns inside a component: "atoms", each column by itself as in the paper's method; "gaussian",
 * all of them together with their correlations; "auto", whichever answers held-out rows with hidden cells better.
 */
export type NumericKind = "atoms" | "gaussian" | "auto";

/** A kind, or the names of the numeric columns that are described together; the others keep their atoms. */
export type NumericOption = NumericKind | readonly string[];

/** A value with a larger share of the rows than this is a spike, which no density describes. */
const SPIKE = 0.1;
/** Rows that tell whether a column varies and looks continuous. */
const LOOKED_AT = 12_000;
/** Atoms of a number where the usual ones would make steps costly. */
const FEWER_BINS = [2, 8];
/** "auto" tries no block of more columns: every component has their covariances, and a row with gaps costs their number cubed. */
const MOST_COLUMNS = 256;

/**
 * The ways to describe the columns that there are to choose from. Where the atoms of hundreds of columns would make steps costly there may be
 * fewer of each: it is faster, and numbers that go together count less as the independent evidence that they are taken for.
 *
 * @param sized whether the number of components is given
 */
export function columnsToTry(
  kind: NumericOption,
  classifier: Classifier,
  data: WeightedRows,
  bins: number,
  sized: boolean,
): Description[] {
  const numbers = classifier.schema.columns.filter((column) => column.kind === "numeric").length;
  const costly = !sized && isCostly(numbers * bins * classifier.classes.length ** 2);
  const fewer = costly ? FEWER_BINS.map((few) => ({ block: [], bins: Math.min(few, bins) })) : [];
  return numericBlocks(kind, classifier, data, bins, costly ? 0 : MOST_COLUMNS).flatMap((block) =>
    costly && block.length === 0 ? fewer : [{ block }],
  );
}

/**
 * The blocks of columns to choose from. "auto" compares no block, all numeric columns that vary, and of these the ones that
 * look continuous: more distinct values than there would be atoms, none of which is a spike. Of too many columns those are taken that
 * move the classes' scores most; the others keep their atoms.
 *
 * @param most columns that are taken of too many
 */
function numericBlocks(
  kind: NumericOption,
  classifier: Classifier,
  data: WeightedRows,
  bins: number,
  most: number,
): number[][] {
  const { columns } = classifier.schema;
  const numeric = columns.flatMap((column, i) => (column.kind === "numeric" ? [i] : []));
  if (typeof kind !== "string") return [numeric.filter((i) => kind.includes(columns[i].name))];
  if (kind === "atoms" || numeric.length === 0) return [[]];
  if (kind === "gaussian") return [numeric];
  const spacing = Math.ceil(data.rows.length / LOOKED_AT);
  const resolutions = resolutionsOf({ ...data, rows: data.rows.filter((_, at) => at % spacing === 0) });
  const varying = numeric.filter((i) => (resolutions[i]?.values.length ?? 0) > 1);
  const continuous = varying.filter((i) => {
    const { values, largestShare } = resolutions[i] ?? { values: [], largestShare: 1 };
    return values.length > bins && largestShare <= SPIKE;
  });
  const telling = (block: number[]): number[] =>
    block.length <= MOST_COLUMNS ? block : mostTelling(classifier, block, data).slice(0, most);
  const blocks = [[], telling(varying), telling(continuous)].map((block) => block.sort((a, b) => a - b));
  return blocks.filter((block, b) => blocks.findIndex((other) => other.join() === block.join()) === b);
}

/** Those of some numeric columns that have weights, the ones first that move the classes' scores most: by their deviation times that of their weights. */
function mostTelling(
  { schema, classes, weights }: Classifier,
  columns: readonly number[],
  { table, rows }: WeightedRows,
): number[] {
  const [slots, K] = [slotOffsets(schema), classes.length];
  const influence = columns.map((i) => {
    const cells = Float64Array.from(rows, (r) => table.columns[i][r]).filter((x) => !Number.isNaN(x));
    return varianceOf(cells) * varianceOf(weights.subarray(slots[i] * K, slots[i] * K + K));
  });
  const order = Array.from(columns.keys()).sort((a, b) => influence[b] - influence[a]);
  return order.filter((at) => influence[at] > 0).map((at) => columns[at]);
}

function varianceOf(numbers: Float64Array): number {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  return numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length;
}

/** Checks the option against the columns there are. */
export function checkNumeric(option: unknown, { columns }: Schema): NumericOption {
  if (option === "atoms" || option === "gaussian" || option === "auto") return option;
  if (!Array.isArray(option)) {
    const message = `options.numeric must be "atoms", "gaussian", "auto" or a list of numeric columns, got ${show(option)}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.numeric", value: option });
  }
  const stranger = option.find((name) => !columns.some((own) => own.kind === "numeric" && own.name === name));
  if (stranger === undefined) return option;
  const message = `options.numeric: ${show(stranger)} is not a numeric column`;
  throw new ConformantError("invalid-argument", message, { argument: "options.numeric", value: stranger });
}
