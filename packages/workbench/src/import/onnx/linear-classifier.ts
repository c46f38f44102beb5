import { type Affine, combine, constantOf, scaled } from "../affine.ts";
import type { NodeView, OnnxValue } from "./node-view.ts";

/**
 * ai.onnx.ml LinearClassifier: one row of coefficients and one intercept per class, or one row for two classes. With SOFTMAX the scores are
 * the logits. With LOGISTIC each score is a separate log-odds, which is additive only for two classes with scores −z and z; for more it is
 * one-vs-rest.
 */
export function linearClassifier(node: NodeView): OnnxValue {
  const classes = node.names("classlabels_strings", "classlabels_ints");
  const scores = scoresOf(node);
  const transform = node.text("post_transform", "NONE");
  if (transform === "LOGISTIC") {
    const logOdds = binaryLogOdds(node, classes, scores);
    return { kind: "probabilities", logits: [constantOf(0), logOdds], classes };
  }
  if (scores.length !== classes.length)
    node.refuse(`has ${scores.length} rows of coefficients for ${classes.length} classes`);
  if (transform === "SOFTMAX") return { kind: "probabilities", logits: scores, classes };
  if (transform === "NONE") return { kind: "cells", cells: scores, single: node.single, classes };
  return node.refuse(
    `post_transform ${JSON.stringify(transform)} is not understood, only SOFTMAX and LOGISTIC`,
  );
}

/** ai.onnx.ml LinearRegressor: a row of coefficients per number. */
export function linearRegressor(node: NodeView): readonly Affine[] {
  const transform = node.text("post_transform", "NONE");
  if (transform !== "NONE")
    node.refuse(`post_transform ${JSON.stringify(transform)} is not understood, only NONE`);
  const scores = scoresOf(node);
  const targets = node.int("targets", 1);
  if (scores.length !== targets)
    node.refuse(`has ${scores.length} rows of coefficients for ${targets} targets`);
  return scores;
}

function scoresOf(node: NodeView): readonly Affine[] {
  const cells = node.cells();
  const coefficients = node.floats("coefficients");
  const rows = coefficients.length / cells.length;
  if (!Number.isInteger(rows) || rows === 0)
    node.refuse(`has ${coefficients.length} coefficients for ${cells.length} columns`);
  const intercepts = node.floats("intercepts");
  if (intercepts.length > 0 && intercepts.length !== rows)
    node.refuse(`has ${intercepts.length} intercepts for ${rows} rows of coefficients`);
  node.spend(rows * cells.reduce((sum, { terms }) => sum + terms.size + 1, 0));
  return Array.from({ length: rows }, (_, r) =>
    combine(cells, coefficients, intercepts[r] ?? 0, r * cells.length),
  );
}

/** The log-odds of the second of two classes. */
function binaryLogOdds(node: NodeView, classes: readonly string[], scores: readonly Affine[]): Affine {
  if (classes.length !== 2)
    node.refuse(
      `post_transform "LOGISTIC" with ${classes.length} classes is one-vs-rest, which is not supported`,
      'train with multi_class="multinomial"',
    );
  const [first, second] = scores.length === 1 ? [scaled(scores[0], -1), scores[0]] : scores;
  const sum = combine([first, second], [1, 1]);
  if (sum.constant !== 0 || [...sum.terms.values()].some((weight) => weight !== 0))
    node.refuse('post_transform "LOGISTIC" is understood where the two scores are −z and z');
  return second;
}
