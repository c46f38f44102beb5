import type { Classifier } from "../classifier/classifier.ts";
import { type ConformOptions, conform as conformAdditive } from "../conform/naive/conform.ts";
import { requireMade } from "../errors.ts";
import type { Marginals } from "../marginals/marginals.ts";
import type { Model } from "../model/model.ts";
import type { AlsoOptions } from "../schema/also-columns.ts";
import type { Data } from "../schema/data.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import { weightless } from "../trees/weightless.ts";
import { withAlso } from "./add-columns.ts";

/**
 * Naive conformant learning: the distribution that, of all naive Bayes distributions that agree with the classifier on
 * complete rows, makes the data most likely. Labels are not needed and rows may have gaps. The data is rows, columns or
 * their marginals. For trees it is the distribution of independent columns.
 *
 * The result says in `certificate` how good it is; a fit that did not converge is returned with that status.
 */
export function conform(
  classifier: Classifier | TreeClassifier,
  data: Data | Marginals,
  options: ConformOptions & AlsoOptions = {},
): Model {
  requireMade("classifier of any kind", classifier, "classifier");
  const wide = withAlso(classifier, data, options);
  if (!("kind" in wide)) return conformAdditive(wide, data, options);
  return { ...conformAdditive(weightless(wide), data, options), trees: wide };
}
