import { divergence, entropy } from "../math/vectors.ts";
import { decide, isAnother } from "../predictors/decision.ts";
import type { Ahead, Expectation } from "../predictors/expectation.ts";
import type { Schema } from "../schema/column.ts";
import { indicatorOf } from "../schema/indicators.ts";
import type { Cells } from "../schema/read-row.ts";
import type { Question } from "./question.ts";

type Gain = Pick<Question, "informationGain" | "changesDecision" | "error">;

/**
 * The information of a missing column: the expected divergence of the prediction with the column known from the current one, which is the
 * mutual information of class and column. With an indicator of missing values the prediction also changes because the column is no longer
 * missing, and the information is the expected reduction of entropy instead.
 */
export function informationGains(
  expectation: Expectation,
  schema: Schema,
  cells: Cells,
  tolerance?: number,
): (column: number) => Gain {
  const { now, column } = expectation.lookAhead(cells, tolerance);
  const decision = decide(now).class;
  return (i) => gainOf(column(i), now, decision, indicatorOf(schema, i) !== undefined);
}

function gainOf(ahead: Ahead, now: Float64Array, decision: number, hasIndicator: boolean): Gain {
  const uncertainty = hasIndicator ? entropy(now) : 0;
  const { value, error } = ahead.mean((then, before) =>
    hasIndicator ? uncertainty - entropy(then) : divergence(then, before),
  );
  const changes = ahead.share((then) => isAnother(then, decision));
  return {
    // That a value is missing may say more than the value: the entropy then rises. A divergence below 0 is rounding.
    informationGain: hasIndicator ? value : Math.max(0, value),
    changesDecision: Math.min(1, Math.max(0, changes)),
    ...(error !== undefined && { error }),
  };
}
