import type { ExplanationResults, SizeSummary } from "../explain/explain-digits.ts";
import { markdownTable } from "./paper-table.ts";

/** Where the case study's figure stands among the others. */
export const EXPLANATIONS_FIGURE = "explanations.svg";

/** The paper's case study on sufficient explanations: its figure, and sizes over the whole test set. */
export function explanationSection(results: ExplanationResults): string[] {
  const { training_rows, test_rows, accuracy, l2, all } = results;
  return [
    "## Case study: sufficient explanations",
    `MNIST 5 against 3: ${training_rows.toLocaleString("en")} training and ${test_rows.toLocaleString("en")} test images, l2 ${l2}, accuracy ${accuracy.toFixed(4)}. The first test image predicted
as each digit that needs an explanation at all, right ones above, wrong ones below (images counted from 0); grey was not chosen, white and black are the true colours.
\`npm run paper -- explain\` draws it.`,
    `![Explanations of MNIST digits](figures/${EXPLANATIONS_FIGURE})`,
    exampleTable(results),
    `Over all test images, against the paper's rival: as many support pixels, those of the largest weight. Of all sets of its size the sufficient
explanation moves the decision furthest, and with one pixel fewer none is enough; so hardly any other set of that size can be, and the last column is
the fairer comparison: how many pixels it takes when they are chosen by weight.${without(all.none_needed)}`,
    summaryTable(results),
  ];
}

function without(images: number): string {
  return images === 0
    ? ""
    : ` ${images} images need no support pixel at all; there top k by weight is not judged.`;
}

function exampleTable({ examples }: ExplanationResults): string {
  return markdownTable(
    [
      "test image",
      "is",
      "predicted",
      "pixels",
      "support",
      "sufficient (k)",
      "top k by weight keeps it",
      "top by weight needs",
    ],
    examples.map((example) => [
      String(example.test_row),
      example.label,
      `${example.prediction} (${example.probability > 0.9995 ? "> 0.999" : example.probability.toFixed(3)})`,
      String(example.features),
      String(example.support),
      String(example.sufficient),
      example.top_k_keeps ? "yes" : "no",
      String(example.top_needed),
    ]),
  );
}

function summaryTable({ all, correct, misclassified }: ExplanationResults): string {
  const line = (name: string, summary: SizeSummary): string[] => [
    name,
    String(summary.images),
    summary.mean_support.toFixed(1),
    summary.mean_sufficient.toFixed(1),
    `${summary.median_sufficient} / ${summary.largest_sufficient}`,
    `${summary.top_k_keeps} of ${summary.images - summary.none_needed}`,
    summary.mean_top_needed.toFixed(1),
  ];
  return markdownTable(
    [
      "test images",
      "number",
      "support, mean",
      "sufficient, mean",
      "median / largest",
      "top k by weight keeps the decision",
      "top by weight needs, mean",
    ],
    [line("all", all), line("correct", correct), line("misclassified", misclassified)],
  );
}
