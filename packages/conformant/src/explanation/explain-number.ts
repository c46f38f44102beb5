import { LARGEST } from "../errors.ts";
import { fallingOrder } from "../math/search.ts";
import { expectationOf } from "../model/kinds.ts";
import type { RegressionModel } from "../model/model.ts";
import { number, type OptionsOf, readOptions } from "../options.ts";
import type { Coalitions } from "../predictors/expectation.ts";
import type { Row, UnseenValues } from "../schema/data.ts";
import { askToExplain, type ExplainOptions, explainOptions } from "./ask-about.ts";
import { type Contribution, featureValue } from "./contributions.ts";
import { type SufficientStatus, searchSubsets, statusOf } from "./smallest-set.ts";

/** What one feature does to a number. */
export interface NumberContribution extends Pick<Contribution, "column" | "value"> {
  /** The number with the whole row less the number without this feature, in units of the number. */
  readonly effect: number;
}

/** A step of the way from the number with nothing known to the prediction. */
export interface NumberStep {
  readonly column: string;
  readonly effect: number;
  /** The expected number after the step. */
  readonly prediction: number;
}

/** Why a row got its number. Names are columns, or groups where those were asked for; effects are in units of the number. */
export interface NumberExplanation {
  /** The name of the number. */
  readonly output: string;
  readonly prediction: number;
  /** Where it was sampled. */
  readonly standardError?: number;
  /** The expected number with nothing known. */
  readonly prior: number;
  /** Every known feature, the largest effect first. */
  readonly contributions: readonly NumberContribution[];
  /** From the prior to the prediction, one feature after the other in the same order. */
  readonly path: readonly NumberStep[];
  /** Features without which the number would be lower, the largest effect first. */
  readonly raises: readonly string[];
  /** Features without which it would be higher, the largest effect first. */
  readonly lowers: readonly string[];
  /**
   * A smallest set of features by which alone the expected number stays within `within` of the prediction, or on its side of `threshold`.
   */
  readonly sufficient: readonly string[];
  /** The expected number where only the sufficient features are known. */
  readonly sufficientPrediction: number;
  /** Whether `sufficient` is proved to be smallest. */
  readonly status: SufficientStatus;
  /** No smaller set than this suffices; null where no set does at all. */
  readonly lowerBound: number | null;
  /** How far from the prediction the sufficient features may leave it, where no threshold was given. */
  readonly within?: number;
  readonly threshold?: number;
  /** Columns about which nothing is known. */
  readonly missing: readonly string[];
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

const numberOptions = {
  ...explainOptions,
  threshold: number(undefined, { least: -LARGEST }),
  within: number(undefined),
} satisfies OptionsOf<ExplainOptions>;

/** How far by default: this share of the standard deviation of all answers. */
const TOLERATED = 0.25;

/** {@link explain} of a number. */
export function explainNumber(model: RegressionModel, row: Row, options: ExplainOptions): NumberExplanation {
  const read = readOptions(options, numberOptions);
  const { schema, response } = model;
  const asked = askToExplain(model, row, read);
  const { features, coalitions, use, avoid, late, missing } = asked;
  const { values, standardError } = coalitions.value(features.map((_, f) => f));
  const effects = coalitions.leaveOneOut(0);
  const order = Array.from(fallingOrder(effects.values.map(Math.abs)));
  const nameOf = (f: number): string => features[f].name;
  const { threshold } = read;
  const within = read.within ?? TOLERATED * expectationOf(model).scale;
  const keeps = (set: readonly number[]): boolean => {
    const [then] = coalitions.value(set).values;
    if (threshold === undefined) return Math.abs(then - values[0]) <= within;
    return then >= threshold === values[0] >= threshold;
  };
  const free = order.filter((f) => !use.has(f) && !avoid.has(f));
  const found = searchSubsets([...use], free, keeps, late);
  const result = coalitions.sampled ? { chosen: found.chosen, lowerBound: 0 } : found;
  const chosen = new Set(result.chosen && [...use, ...result.chosen]);
  const sufficient = order.filter((f) => chosen.has(f));
  return {
    output: response.outputs[0],
    prediction: values[0],
    ...(standardError > 0 && { standardError }),
    prior: coalitions.value([]).values[0],
    contributions: order.map((f) => ({
      column: nameOf(f),
      value: featureValue(schema, row, features[f]),
      effect: effects.values[f],
    })),
    path: pathOf(coalitions, order),
    raises: order.filter((f) => effects.sign[f] > 0).map(nameOf),
    lowers: order.filter((f) => effects.sign[f] < 0).map(nameOf),
    sufficient: sufficient.map(nameOf),
    sufficientPrediction: coalitions.value(sufficient).values[0],
    status: statusOf(result, coalitions.sampled),
    lowerBound: Number.isFinite(result.lowerBound) ? use.size + result.lowerBound : null,
    ...(threshold === undefined ? { within } : { threshold }),
    missing,
    unseen: asked.table.unseen,
  };
}

/** From the number with nothing known to the prediction, one feature after the other. */
function pathOf(coalitions: Coalitions, order: readonly number[]): NumberStep[] {
  const { scores } = coalitions.along(order, 0);
  return order.map((f, at) => ({
    column: coalitions.features[f].name,
    effect: scores[at + 1] - scores[at],
    prediction: scores[at + 1],
  }));
}
