import { requireOptions } from "../../errors.ts";
import { logSumExp } from "../../math/exponential/log-sum-exp.ts";
import type { Model } from "../../model/model.ts";
import { requireAdditive } from "../../model/require-additive.ts";
import { logJointOfRow } from "../../posterior/log-joint.ts";
import { byName } from "../../schema/by-name.ts";
import type { Row } from "../../schema/data.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";

/**
 * log P(y, k) per class, for the known columns of a row. Numbers count by the atom they fall into, so this is the
 * logarithm of a probability; only the numbers of a Gaussian block count by their density.
 */
export function logJoint(model: Model, row: Row, options: QueryOptions = {}): Record<string, number> {
  requireOptions(options);
  requireAdditive(model, "logJoint");
  const joint = logJointOfRow(model, encodeRow(model, row, options), 0);
  return byName(model.classifier.classes, joint);
}

/** log P(y): how likely the known columns of a row are, whatever the class. Low values mean a row unlike the data. */
export function logEvidence(model: Model, row: Row, options: QueryOptions = {}): number {
  requireOptions(options);
  return logSumExp(logJointOfRow(model, encodeRow(model, row, options), 0));
}
