import { ConformantError, show } from "../errors.ts";
import type { WeightedRows } from "./fit-rows.ts";
import { resolutionsOf } from "./resolution.ts";

/**
 * What describes the numeric columns inside a component: "atoms", each column by itself as in the paper's method; "gaussian",
 * all of them together with their correlations; "auto", whichever makes held-out rows more likely.
 */
export type NumericKind = "atoms" | "gaussian" | "auto";

/** A value with a larger share of the rows than this is a spike, which no density describes. */
const SPIKE = 0.1;

/**
 * The blocks of columns to choose from. "auto" compares no block, all numeric columns that vary, and of these the ones that
 * look continuous: more distinct values than there would be atoms, none of which is a spike.
 */
export function numericBlocks(kind: NumericKind, data: WeightedRows, bins: number): number[][] {
  const numeric = data.table.schema.columns.flatMap((column, i) => (column.kind === "numeric" ? [i] : []));
  if (kind === "atoms" || numeric.length === 0) return [[]];
  if (kind === "gaussian") return [numeric];
  const resolutions = resolutionsOf(data);
  const varying = numeric.filter((i) => (resolutions[i]?.values.length ?? 0) > 1);
  const continuous = varying.filter((i) => {
    const { values, largestShare } = resolutions[i] ?? { values: [], largestShare: 1 };
    return values.length > bins && largestShare <= SPIKE;
  });
  const blocks = [[], varying, continuous];
  return blocks.filter((block, b) => blocks.findIndex((other) => other.join() === block.join()) === b);
}

/** Checks the option. */
export function checkNumeric(kind: unknown): NumericKind {
  if (kind === "atoms" || kind === "gaussian" || kind === "auto") return kind;
  const message = `options.numeric must be "atoms", "gaussian" or "auto", got ${show(kind)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.numeric", value: kind });
}
