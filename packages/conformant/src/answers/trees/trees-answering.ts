import type { Answering } from "../../conform/choosing/answering.ts";
import { answerRows } from "../../trees/answer-rows.ts";
import type { TreeClassifier } from "../../trees/tree-classifier.ts";
import { type ExpectationSettings, MANY_ROWS } from "./expectation/expected-answer.ts";
import { expectTreesColumns } from "./predict-trees.ts";

/** Answers of trees to judge a candidate by: each costs about a millisecond. */
const ENOUGH_ANSWERS = 600;
/** They need not be as exact as what is asked for: the differences of candidates are means over all of them. */
const ROUGHLY: ExpectationSettings = { ...MANY_ROWS, tolerance: 0.03, walks: 1 << 18 };

/** The answers of trees, for the mixture of their rows to be judged by. */
export function treesAnswering(trees: TreeClassifier): Answering {
  return {
    columns: [...new Set(trees.nodes.column)].filter((i) => i >= 0),
    full: (rows) => answerRows(trees, rows),
    expected: (candidate, rows) =>
      expectTreesColumns({ ...candidate, trees }, rows, {}, ROUGHLY).probabilities,
    most: ENOUGH_ANSWERS,
    trees,
  };
}
