import { fallingOrder } from "../math/search.ts";
import type { LeaveOneOut } from "../predictors/expectation.ts";
import type { Feature } from "../predictors/features.ts";
import { isIndicatorColumn, type Schema } from "../schema/column.ts";
import { cell, type Row, type Value } from "../schema/data.ts";

/** What one feature does to the probability of the predicted class c. */
export interface Contribution {
  /** The column, or the group of columns. */
  readonly column: string;
  /** As it stands in the row, null where it is missing and that counts; an object of its columns for a group. */
  readonly value: Value | Readonly<Record<string, Value>>;
  /**
   * Log-odds of c with the whole row minus log-odds without this feature. Two classes and one component: its term in the
   * sum that leads from the prior to the prediction; otherwise features interact and these need not add up.
   */
  readonly logOdds: number;
  /** P(c | row) − P(c | row without this feature). */
  readonly probability: number;
}

/** A step of the way from the prior to the prediction. */
export interface Step {
  readonly column: string;
  /** How the step moves the log-odds of the predicted class; the steps add up to the whole way. */
  readonly logOdds: number;
  /** P(c) after the step. */
  readonly probability: number;
}

/** The value of a feature as it stands in the row: null for a column that is a feature because it is missing. */
export function featureValue(schema: Schema, row: Row, { name, columns }: Feature): Contribution["value"] {
  if (columns.length === 1 && schema.columns[columns[0]].name === name) return cell(row, name) ?? null;
  const named = new Set(
    columns.map((i) => {
      const column = schema.columns[i];
      return isIndicatorColumn(column) ? column.gapOf : column.name;
    }),
  );
  const valueIn = (column: string): Value => cell(row, column) ?? null;
  if (named.size === 1 && named.has(name)) return valueIn(name);
  return Object.fromEntries([...named].map((column) => [column, valueIn(column)]));
}

/** Positions of features: all of them with the largest effect first, and the two sides in the same order. */
export interface Sides {
  readonly order: readonly number[];
  readonly support: readonly number[];
  readonly opposing: readonly number[];
}

/**
 * Definition 5 of the paper. For F ≥ ½ (the second class) a feature supports the decision if removing it does not raise F,
 * otherwise only if removing it does raise F. More classes: if removing it does not raise the probability of the class.
 * A change that is rounding or noise counts as none.
 *
 * @param K number of classes
 * @param c the class of the decision
 */
export function sidesOf(K: number, c: number, { scores, sign }: LeaveOneOut): Sides {
  const strict = K === 2 && c === 0;
  const order = Array.from(fallingOrder(scores.map(Math.abs)));
  const supports = (f: number): boolean => (strict ? sign[f] > 0 : sign[f] >= 0);
  return { order, support: order.filter(supports), opposing: order.filter((f) => !supports(f)) };
}
