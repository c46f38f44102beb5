import { logistic } from "../../math/exponential/logistic.ts";
import type { Model } from "../../model/model.ts";
import { predictRow } from "../../posterior/predict-row.ts";
import { isGapCell, type Row, type UnseenValues } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
import { type Decision, decide } from "../terms/decision.ts";
import { encodeRow } from "../terms/query-input.ts";
import { type Contribution, featureValue, leaveOneOut, pathOf, type Step } from "./contributions.ts";
import { classScores, type Evidence, evidenceOf, logJointOf, logOddsOf } from "./evidence.ts";
import { type ExplainOptions, type ExplainRequest, readExplainOptions } from "./explain-options.ts";
import { knownFeatures } from "./features.ts";
import { keepDecision, keepProbability } from "./goal.ts";
import { type SufficientStatus, sufficientSet } from "./search/sufficient-set.ts";
import { type Sides, sidesOf } from "./sides.ts";

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
  /** No smaller set than this suffices; null where none at all does. */
  readonly lowerBound: number | null;
  /** The probability that had to be kept instead of the decision, where one was asked for. */
  readonly atLeast?: number;
  /** Columns about which nothing is known. */
  readonly missing: readonly string[];
  /** Categories the model does not know, which were taken for gaps. */
  readonly unseen: readonly UnseenValues[];
}

/** What an explanation says of the sufficient set. */
export type SufficientPart = Pick<
  Explanation,
  "sufficient" | "sufficientProbability" | "status" | "lowerBound" | "atLeast"
>;

/**
 * Explains the prediction for one row: what each known column contributes, which speak for and which against it, and a
 * smallest set of the former that would have been enough (the paper's sufficient explanation).
 */
export function explain(model: Model, row: Row, options: ExplainOptions = {}): Explanation {
  const watch = new Watch(options, "searching");
  const { schema, classes } = model.classifier;
  const table = encodeRow(model, row, options);
  const features = knownFeatures(model, table, 0, options.groups);
  const request = readExplainOptions(schema, features, options);
  const late = watch.timer(request.timeLimit);
  const evidence = evidenceOf(model, table, 0, features);
  const probabilities = predictRow(model, table, 0);
  const decision = decide(probabilities);
  const effects = leaveOneOut(evidence, decision.class, watch.check);
  const sides = sidesOf(evidence, decision.class, effects.logOdds);
  return {
    prediction: classes[decision.class],
    probability: probabilities[decision.class],
    prior: probabilityOf(evidence, decision.class, []),
    tied: decision.tied.map((k) => classes[k]),
    contributions: sides.order.map((f) => ({
      column: features[f].name,
      value: featureValue(schema, row, features[f]),
      logOdds: effects.logOdds[f],
      probability: effects.probability[f],
    })),
    path: pathOf(evidence, decision.class, sides.order, watch.check),
    support: sides.support.map((f) => features[f].name),
    opposing: sides.opposing.map((f) => features[f].name),
    ...findSufficient(evidence, decision, sides, request, late),
    missing: schema.columns.filter((_, i) => isGapCell(table.columns[i], 0)).map(({ name }) => name),
    unseen: table.unseen,
  };
}

function findSufficient(
  evidence: Evidence,
  decision: Decision,
  { order, support, opposing }: Sides,
  { use, avoid, atLeast }: ExplainRequest,
  late: () => boolean,
): SufficientPart {
  const c = decision.class;
  const used = [...support, ...opposing].filter((f) => use.has(f));
  const { chosen, lowerBound, status } = sufficientSet({
    evidence,
    goal: atLeast === undefined ? keepDecision(evidence, decision) : keepProbability(evidence, c, atLeast),
    given: [...opposing, ...support.filter((f) => use.has(f))],
    free: support.filter((f) => !use.has(f) && !avoid.has(f)),
    late,
  });
  const found = new Set(chosen && [...used, ...chosen]);
  const sufficient = order.filter((f) => found.has(f));
  return {
    sufficient: sufficient.map((f) => evidence.features[f].name),
    sufficientProbability: probabilityOf(evidence, c, [...new Set([...opposing, ...sufficient])]),
    status,
    lowerBound: Number.isFinite(lowerBound) ? used.length + lowerBound : null,
    ...(atLeast !== undefined && { atLeast }),
  };
}

function probabilityOf(evidence: Evidence, c: number, features: readonly number[]): number {
  return logistic(logOddsOf(classScores(evidence, logJointOf(evidence, features)), c));
}
