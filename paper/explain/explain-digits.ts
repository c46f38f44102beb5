import { conform, type Explanation, explain, type Model, train } from "conformant";
import { type Dataset, LABEL } from "../datasets/dataset.ts";
import { mnist } from "../datasets/mnist.ts";
import { keepsDecision } from "./keeps-decision.ts";
import { supportByWeight } from "./support-by-weight.ts";
import { type LabeledImage, pickTwoDigits } from "./two-digits.ts";

/** The paper's case: 5 against 3, with F = P(5). */
const DIGITS = ["3", "5"] as const;

/** The sizes of one image's explanation. */
interface Sizes {
  readonly right: boolean;
  readonly support: number;
  readonly sufficient: number;
  /** Whether as many support features of the largest weight keep the decision too. */
  readonly top_k_keeps: boolean;
  /** How many of them it takes. */
  readonly top_needed: number;
}

/** Sizes over some test images. */
export interface SizeSummary {
  readonly images: number;
  readonly mean_support: number;
  readonly mean_sufficient: number;
  readonly median_sufficient: number;
  readonly largest_sufficient: number;
  /** Images that need no support feature at all: the rest of the image and the prior decide alike. */
  readonly none_needed: number;
  /** Images for which top k by weight of the same size keeps the decision, of those that need one feature or more. */
  readonly top_k_keeps: number;
  /** How many features of the largest weight it takes, on average. */
  readonly mean_top_needed: number;
}

/** The case study, as it is stored. */
export interface ExplanationResults {
  readonly digits: readonly string[];
  readonly training_rows: number;
  readonly test_rows: number;
  readonly l2: number;
  readonly accuracy: number;
  readonly all: SizeSummary;
  readonly correct: SizeSummary;
  readonly misclassified: SizeSummary;
}

/** Explains every test image of the two digits with a classifier and a distribution of our own. */
export function explainDigits(dataset: Dataset): { results: ExplanationResults; model: Model } {
  const { training, test } = pickTwoDigits(dataset, DIGITS);
  const { l2 } = mnist.protocol("ours");
  const model = conform(train(training, { label: LABEL, l2 }), training);
  const explained = test.map((image) => explainImage(model, image));
  const right = explained.filter((sizes) => sizes.right);
  return {
    model,
    results: {
      digits: DIGITS,
      training_rows: training.rows,
      test_rows: test.length,
      l2,
      accuracy: right.length / test.length,
      all: summarize(explained),
      correct: summarize(right),
      misclassified: summarize(explained.filter((sizes) => !sizes.right)),
    },
  };
}

function explainImage(model: Model, { label, row }: LabeledImage): Sizes {
  const explanation = explain(model, row);
  const { prediction, support, sufficient } = explanation;
  const byWeight = supportByWeight(model, row, explanation);
  return {
    right: prediction === label,
    support: support.length,
    sufficient: sufficient.length,
    top_k_keeps: keepsDecision(model, row, explanation, byWeight.slice(0, sufficient.length)),
    top_needed: neededOf(explanation, byWeight),
  };
}

/**
 * The shortest beginning of a list of support features that keeps the decision: with two classes and one component the
 * log-odds of prior, opposing and chosen features add up.
 */
function neededOf({ prior, contributions, opposing }: Explanation, order: readonly string[]): number {
  const logOdds = new Map(contributions.map((contribution) => [contribution.column, contribution.logOdds]));
  let sum = Math.log(prior / (1 - prior));
  for (const column of opposing) sum += logOdds.get(column) ?? 0;
  let needed = 0;
  while (sum <= 0 && needed < order.length) sum += logOdds.get(order[needed++]) ?? 0;
  return needed;
}

function summarize(sizes: readonly Sizes[]): SizeSummary {
  const asked = sizes.filter(({ sufficient }) => sufficient > 0);
  const ordered = sizes.map(({ sufficient }) => sufficient).sort((a, b) => a - b);
  return {
    images: sizes.length,
    mean_support: mean(sizes.map(({ support }) => support)),
    mean_sufficient: mean(ordered),
    median_sufficient: ordered[ordered.length >> 1],
    largest_sufficient: ordered[ordered.length - 1],
    none_needed: sizes.length - asked.length,
    top_k_keeps: asked.filter(({ top_k_keeps }) => top_k_keeps).length,
    mean_top_needed: mean(sizes.map(({ top_needed }) => top_needed)),
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}
