import { requireMade } from "../errors.ts";
import { probabilityOf } from "../math/softmax.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import { readOptions } from "../options.ts";
import { decide } from "../predictors/decision.ts";
import type { Coalitions } from "../predictors/expectation.ts";
import type { Row, UnseenValues } from "../schema/data.ts";
import { askToExplain, type ExplainedRow, type ExplainOptions, explainOptions } from "./ask-about.ts";
import { type Contribution, featureValue, type Sides, type Step, sidesOf } from "./contributions.ts";
import { explainNumber, type NumberExplanation } from "./explain-number.ts";
import type { Kept } from "./goal.ts";
import { type SufficientStatus, sufficientSet } from "./smallest-set.ts";

/** Why a row got its prediction. Names are columns, or groups where those were asked for. */
export interface Explanation {
  /** The most likely class; of several tied ones the last. */
  readonly prediction: string;
  /** P(prediction | the known columns). */
  readonly probability: number;
  /** P(prediction) with nothing known. */
  readonly prior: number;
  /** The classes that share the highest probability, where they are several; else empty. */
  readonly tied: readonly string[];
  /** Every known feature, the largest effect on the log-odds first. */
  readonly contributions: readonly Contribution[];
  /** From the prior to the prediction, one feature after the other in the same order. */
  readonly path: readonly Step[];
  /** Features that speak for the prediction, strongest first; the paper's Definition 5. */
  readonly support: readonly string[];
  /** All others, strongest first. */
  readonly opposing: readonly string[];
  /** A smallest set of support features, with those in `use`, that together with all opposing ones keeps the decision; Definition 6. */
  readonly sufficient: readonly string[];
  /** P(prediction | the sufficient and the opposing features). */
  readonly sufficientProbability: number;
  /** Whether `sufficient` is proved to be smallest. */
  readonly status: SufficientStatus;
  /** No smaller set than this suffices; null where no set does at all. */
  readonly lowerBound: number | null;
  /** The probability that had to be kept instead of the decision, where one was asked for. */
  readonly threshold?: number;
  /** Columns about which nothing is known. */
  readonly missing: readonly string[];
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

/**
 * Explains the prediction for one row: what each known column contributes, which speak for and which against it, and a
 * smallest set of the former that would have been enough (the paper's sufficient explanation). `status` says whether the set was
 * proved to be smallest.
 *
 *     explain(model, { age: 40, dose: 2 }).sufficient; // ["dose"]
 */
export function explain(model: Model, row: Row, options?: ExplainOptions): Explanation;
export function explain(model: RegressionModel, row: Row, options?: ExplainOptions): NumberExplanation;
export function explain(
  model: AnyModel,
  row: Row,
  options: ExplainOptions = {},
): Explanation | NumberExplanation {
  requireMade("model", model);
  if (isRegression(model)) return explainNumber(model, row, options);
  const read = readOptions(options, explainOptions);
  const { schema, response } = model;
  const asked = askToExplain(model, row, read);
  const { features, coalitions, missing } = asked;
  const { values } = coalitions.value(features.map((_, f) => f));
  const decision = decide(values);
  const c = decision.class;
  const effects = coalitions.leaveOneOut(c);
  const sides = sidesOf(response.outputs.length, c, effects);
  const { order, support, opposing } = sides;
  const nameOf = (f: number): string => features[f].name;
  return {
    prediction: response.outputs[c],
    probability: values[c],
    prior: coalitions.value([]).values[c],
    tied: decision.tied.map((k) => response.outputs[k]),
    contributions: order.map((f) => ({
      column: nameOf(f),
      value: featureValue(schema, row, features[f]),
      logOdds: effects.scores[f],
      probability: effects.values[f],
    })),
    path: pathOf(coalitions, order, c),
    support: support.map(nameOf),
    opposing: opposing.map(nameOf),
    ...findSufficient(asked, { decision, threshold: read.threshold }, sides),
    missing,
    unseen: asked.table.unseen,
  };
}

/** From the prior to the prediction of class c, one feature after the other. */
function pathOf(coalitions: Coalitions, order: readonly number[], c: number): Step[] {
  const { scores: logOdds } = coalitions.along(order, c);
  return order.map((f, at) => ({
    column: coalitions.features[f].name,
    logOdds: logOdds[at + 1] - logOdds[at],
    probability: probabilityOf(logOdds[at + 1]),
  }));
}

function findSufficient(
  { coalitions, use, avoid, late }: ExplainedRow,
  kept: Kept,
  { order, support, opposing }: Sides,
): Pick<Explanation, "sufficient" | "sufficientProbability" | "status" | "lowerBound" | "threshold"> {
  const { decision, threshold } = kept;
  const { chosen, lowerBound, status } = sufficientSet(coalitions, kept, {
    given: [...opposing, ...support.filter((f) => use.has(f))],
    free: support.filter((f) => !use.has(f) && !avoid.has(f)),
    late,
  });
  const found = new Set(chosen && [...use, ...chosen]);
  const sufficient = order.filter((f) => found.has(f));
  const known = [...new Set([...opposing, ...sufficient])];
  return {
    sufficient: sufficient.map((f) => coalitions.features[f].name),
    sufficientProbability: coalitions.value(known).values[decision.class],
    status,
    lowerBound: Number.isFinite(lowerBound) ? use.size + lowerBound : null,
    ...(threshold !== undefined && { threshold }),
  };
}
