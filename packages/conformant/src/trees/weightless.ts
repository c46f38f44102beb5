import type { Classifier } from "../classifier/classifier.ts";
import { requireMade } from "../errors.ts";
import { slotOffsets } from "../schema/column.ts";
import type { TreeClassifier } from "./tree-classifier.ts";

/** The classifier without weights on the same columns: what conforms with it is a plain mixture of the rows. */
export function weightless(trees: TreeClassifier): Classifier {
  requireMade("trees", trees);
  const { schema, classes, label } = trees;
  const K = classes.length;
  return {
    schema,
    classes,
    ...(label !== undefined && { label }),
    intercept: new Float64Array(K),
    weights: new Float64Array(slotOffsets(schema)[schema.columns.length] * K),
  };
}
