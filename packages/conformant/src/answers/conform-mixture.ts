import type { Classifier } from "../classifier/classifier.ts";
import { conformMixture as conformAdditive } from "../conform/choosing/conform-mixture.ts";
import type { MixtureOptions } from "../conform/choosing/mixture-options.ts";
import { requireMade } from "../errors.ts";
import type { Model } from "../model/model.ts";
import type { AlsoOptions } from "../schema/also-columns.ts";
import type { Data } from "../schema/data.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import { weightless } from "../trees/weightless.ts";
import { withAlso } from "./add-columns.ts";
import { treesAnswering } from "./trees/trees-answering.ts";

/**
 * Fits a mixture of naive conformant distributions: it conforms with the classifier as each of them does, and drops the
 * assumption that columns are independent given the class. Rows may have gaps; they are fitted by what is known of them.
 * For trees it is a plain mixture of the rows, over whose completions they are averaged. Size and kind are chosen by the answers
 * to held-out rows with hidden cells.
 */
export function conformMixture(
  classifier: Classifier | TreeClassifier,
  data: Data,
  options: MixtureOptions & AlsoOptions = {},
): Model {
  requireMade("classifier of any kind", classifier, "classifier");
  const wide = withAlso(classifier, data, options);
  if (!("kind" in wide)) return conformAdditive(wide, data, options);
  return { ...conformAdditive(weightless(wide), data, options, treesAnswering(wide)), trees: wide };
}
