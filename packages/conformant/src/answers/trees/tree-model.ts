import { requireMade } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { TreeClassifier } from "../../trees/tree-classifier.ts";

/**
 * Trees F and the distribution of their rows: P(x, k) = q(x) · F_k(x). It conforms with F whatever q is, and the expected
 * prediction is the mean of F over the ways to complete a row. q is the rest of the model: a mixture whose own classifier has no
 * weights, so that it says nothing about the classes.
 */
export type TreeModel = Model & { readonly trees: TreeClassifier };

/** Whether the classifier of a model is made of trees. */
export function hasTrees(model: Model): model is TreeModel {
  requireMade("model", model);
  return model.trees !== undefined;
}
