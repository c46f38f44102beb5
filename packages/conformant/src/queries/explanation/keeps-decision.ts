import { requireOptions } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { requireAdditive } from "../../model/require-additive.ts";
import { predictRow } from "../../posterior/predict-row.ts";
import type { Row } from "../../schema/data.ts";
import { decide } from "../terms/decision.ts";
import { encodeRow } from "../terms/query-input.ts";
import { leaveOneOut } from "./contributions.ts";
import { evidenceOf, logJointOf } from "./evidence.ts";
import { type ExplainOptions, readExplainOptions, readKnownFeatures } from "./explain-options.ts";
import { knownFeatures } from "./features.ts";
import { keepDecision, keepProbability, slackOf } from "./goal.ts";
import { sidesOf } from "./sides.ts";

/** What must be kept, and whether the opposing features are known. */
export interface KeepsDecisionOptions
  extends Pick<ExplainOptions, "atLeast" | "groups" | "strict" | "extra"> {
  /** Whether all opposing features are known besides the given ones, as the paper's definition has it. Default true. */
  readonly opposing?: boolean;
}

/**
 * Whether the prediction for a row stays the same when, of its known features, only the given ones are known (and the
 * opposing ones): what makes a set of features a sufficient explanation.
 */
export function keepsDecision(
  model: Model,
  row: Row,
  columns: readonly string[],
  options: KeepsDecisionOptions = {},
): boolean {
  requireOptions(options);
  requireAdditive(model, "keepsDecision");
  const { opposing = true, ...rest } = options;
  const table = encodeRow(model, row, rest);
  const features = knownFeatures(model, table, 0, rest.groups);
  const { schema } = model.classifier;
  const { atLeast } = readExplainOptions(schema, features, rest);
  const given = readKnownFeatures(schema, features, columns, "columns", rest.groups);
  const evidence = evidenceOf(model, table, 0, features);
  const decision = decide(predictRow(model, table, 0));
  const kept = new Set(given);
  if (opposing) {
    const { logOdds } = leaveOneOut(evidence, decision.class);
    for (const f of sidesOf(evidence, decision.class, logOdds).opposing) kept.add(f);
  }
  const goal =
    atLeast === undefined
      ? keepDecision(evidence, decision)
      : keepProbability(evidence, decision.class, atLeast);
  return slackOf(goal, evidence, logJointOf(evidence, [...kept])) >= 0;
}
