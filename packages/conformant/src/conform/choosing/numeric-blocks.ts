import { ConformantError, show } from "../../errors.ts";
import type { Schema } from "../../schema/column.ts";
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
/** "auto" tries no block of more columns: every component has their covariances, and a step costs their number cubed. */
const MOST_COLUMNS = 128;

/**
 * The ways to describe the columns that there are to choose from. Where the atoms of hundreds of columns would make steps costly there may be
 * fewer of each: it is faster, and numbers that go together count less as the independent evidence that they are taken for.
 *
 * @param K classes
 */
export function columnsToTry(
  kind: NumericOption,
  data: WeightedRows,
  bins: number,
  K: number,
): Description[] {
  const blocks = numericBlocks(kind, data, bins);
  const numbers = data.table.schema.columns.filter((column) => column.kind === "numeric").length;
  const atomsOnly = blocks.length === 1 && blocks[0].length === 0;
  if (!atomsOnly || !isCostly(numbers * bins * K * K)) return blocks.map((block) => ({ block }));
  return FEWER_BINS.map((few) => ({ block: [], bins: Math.min(few, bins) }));
}

/**
 * The blocks of columns to choose from. "auto" compares no block, all numeric columns that vary, and of these the ones that
 * look continuous: more distinct values than there would be atoms, none of which is a spike.
 */
function numericBlocks(kind: NumericOption, data: WeightedRows, bins: number): number[][] {
  const { columns } = data.table.schema;
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
  const blocks = [[], varying, continuous].filter(({ length }) => length <= MOST_COLUMNS);
  return blocks.filter((block, b) => blocks.findIndex((other) => other.join() === block.join()) === b);
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
