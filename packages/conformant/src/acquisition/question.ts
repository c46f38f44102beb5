import { ConformantError, show } from "../errors.ts";
import { byNames, flag, number, type OptionsOf } from "../options.ts";
import { type WatchOptions, watchOptions } from "../progress.ts";
import { type QueryOptions, queryOptions } from "../questions/row-input.ts";
import { rejectColumn, type Schema } from "../schema/column.ts";

/** What questions cost, and how strictly names are read. */
export interface AskOptions extends QueryOptions, WatchOptions {
  /** The cost of learning a column, or a group: positive numbers; columns that are not listed cost 1. */
  readonly costs?: Readonly<Record<string, number>> | undefined;
}

/** How {@link AskOptions} are read; {@link readCosts} checks the costs. */
export const askOptions = {
  ...queryOptions,
  ...watchOptions,
  costs: byNames<number>("an object of columns and their costs"),
} satisfies OptionsOf<AskOptions>;

/** Options for the next question. */
export interface AskNextOptions extends AskOptions {
  /** Columns that are learned together, by the name of the group: each group is one question. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Whether to look one question ahead, for answers that only help together. Default false. */
  readonly lookAhead?: boolean | undefined;
  /** The tolerance of `informationGain` for numbers in a Gaussian. Default 1e-11. */
  readonly tolerance?: number | undefined;
}

export const askNextOptions = {
  ...askOptions,
  groups: byNames<readonly string[]>("an object of groups and their columns"),
  lookAhead: flag(false),
  tolerance: number(undefined),
} satisfies OptionsOf<AskNextOptions>;

/** The value of learning one missing column. */
export interface Question {
  /** The column, or the group. */
  readonly column: string;
  /**
   * Expected reduction of the entropy of the class, in nats: its mutual information with the column, given what is known. Negative where
   * the fact that the column is missing says more than its value would.
   */
  readonly informationGain: number;
  /** The probability that the answer changes the decision. */
  readonly changesDecision: number;
  readonly cost: number;
  readonly gainPerCost: number;
  /** The estimated error of `informationGain`: of the integral for a number in a Gaussian, the standard error for a group. */
  readonly error?: number;
  /** With `lookAhead`, where this question and the next together have a higher gain per cost than the best single one. */
  readonly ahead?: {
    /** The most frequent next question. */
    readonly column: string;
    /** Of both answers together, and per cost of both. */
    readonly informationGain: number;
    readonly gainPerCost: number;
  };
}

/** What learning one missing column tells about a number. */
export interface NumberQuestion extends Pick<Question, "column" | "cost" | "gainPerCost"> {
  /** By how much the variance of the number, over what the missing columns may be, is expected to fall. */
  readonly varianceReduction: number;
  /** The square root of the variance that is expected to be left, in units of the number. */
  readonly standardDeviation: number;
  /** Where answers are sampled: the standard error of `varianceReduction`. */
  readonly error?: number;
}

/** The cost of a column or a group, after checking all that were given. */
export function readCosts(
  schema: Schema,
  costs: Readonly<Record<string, number>> = {},
  groups: Iterable<string> = [],
): (column: string) => number {
  const known = new Set([...schema.columns.map(({ name }) => name), ...groups]);
  for (const [column, cost] of Object.entries(costs)) {
    if (!known.has(column)) rejectColumn(column, "options.costs");
    if (!(typeof cost === "number" && cost > 0 && cost < Number.POSITIVE_INFINITY)) {
      const message = `options.costs: the cost of ${show(column)} must be a positive number, got ${show(cost)}`;
      throw new ConformantError("invalid-argument", message, {
        argument: "options.costs",
        column,
        value: cost,
      });
    }
  }
  return (column) => (Object.hasOwn(costs, column) ? costs[column] : 1);
}
