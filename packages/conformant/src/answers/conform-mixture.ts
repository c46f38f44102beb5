import type { Classifier } from "../classifier/classifier.ts";
import type { Answering } from "../conform/choosing/answering.ts";
import { conformMixture as conformAdditive } from "../conform/conform-mixture.ts";
import type { MixtureOptions } from "../conform/mixture-options.ts";
import type { Model } from "../model/model.ts";
import type { Data } from "../schema/data.ts";
import { answerRows } from "../trees/answer-rows.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import { weightless } from "../trees/weightless.ts";
import { type ExpectationSettings, MANY_ROWS } from "./trees/expectation/expected-answer.ts";
import { expectTreesColumns } from "./trees/predict-trees.ts";

/** Answers of trees to judge a candidate by: each costs about a millisecond. */
const ENOUGH_ANSWERS = 600;
/** They need not be as exact as what is asked for: the differences of candidates are means over all of them. */
const ROUGHLY: ExpectationSettings = { ...MANY_ROWS, tolerance: 0.03, walks: 1 << 18 };

/**
 * Fits a mixture of naive conformant distributions: it conforms with the classifier as each of them does, and drops the
 * assumption that columns are independent given the class. Rows may have gaps; they are fitted by what is known of them.
 * For trees it is a plain mixture of the rows, over whose completions they are averaged. Size and kind are chosen by the answers
 * to held-out rows with hidden cells.
 */
export function conformMixture(
  classifier: Classifier | TreeClassifier,
  data: Data,
  options: MixtureOptions = {},
): Model {
  if (!("kind" in classifier)) return conformAdditive(classifier, data, options);
  return {
    ...conformAdditive(weightless(classifier), data, options, treesAnswering(classifier)),
    trees: classifier,
  };
}

function treesAnswering(trees: TreeClassifier): Answering {
  return {
    full: (rows) => answerRows(trees, rows),
    expected: (candidate, rows) =>
      expectTreesColumns({ ...candidate, trees }, rows, {}, ROUGHLY).probabilities,
    most: ENOUGH_ANSWERS,
  };
}
