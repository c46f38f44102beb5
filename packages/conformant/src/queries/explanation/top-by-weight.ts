import { requireInteger, requireOptions } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { requireAdditive } from "../../model/require-additive.ts";
import { predictRow } from "../../posterior/predict-row.ts";
import { isLinear, slotOffsets } from "../../schema/column.ts";
import type { Row } from "../../schema/data.ts";
import { decide } from "../terms/decision.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";
import { leaveOneOut } from "./contributions.ts";
import { evidenceOf } from "./evidence.ts";
import { knownFeatures } from "./features.ts";
import { sidesOf } from "./sides.ts";

/**
 * The rival that the paper compares sufficient explanations with: the k support columns whose weights are largest. A
 * weight says how much the prediction would move if the value changed, not if it were unknown.
 *
 * The weight is that of the predicted class minus the mean of the others' (with two classes the weight of the logistic
 * regression, up to its sign); of a categorical or binned column that of the value in the row.
 *
 * @returns column names, the largest absolute weight first
 */
export function topByWeight(model: Model, row: Row, k: number, options: QueryOptions = {}): string[] {
  requireOptions(options);
  requireAdditive(model, "topByWeight");
  requireInteger("k", k, 0);
  const { schema, weights, classes } = model.classifier;
  const table = encodeRow(model, row, options);
  const features = knownFeatures(model, table, 0);
  const evidence = evidenceOf(model, table, 0, features);
  const c = decide(predictRow(model, table, 0)).class;
  const { support } = sidesOf(evidence, c, leaveOneOut(evidence, c).logOdds);
  const slots = slotOffsets(schema);
  const K = classes.length;
  const weight = (f: number): number => {
    const [i] = features[f].columns;
    const slot = isLinear(schema.columns[i]) ? slots[i] : slots[i] + table.columns[i][0];
    let others = 0;
    for (let r = 0; r < K; r++) if (r !== c) others += weights[slot * K + r];
    return Math.abs(weights[slot * K + c] - others / (K - 1));
  };
  return [...support]
    .sort((a, b) => a - b) // equal weights in the order of the schema
    .map((f) => ({ name: features[f].name, size: weight(f) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, k)
    .map(({ name }) => name);
}
