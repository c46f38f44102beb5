import type { ExplanationResults, SizeSummary } from "../../explain/explain-digits.ts";
import type { CaseStudy } from "../../explain/explain-study.ts";
import { markdownTable } from "../tables/markdown-table.ts";

/** Where the case study's figure stands among the others. */
export const EXPLANATIONS_FIGURE = "explanations.svg";

/** The paper's case study on sufficient explanations: its figure, and sizes over the whole test set. */
export function explanationSection({ authors, ours }: CaseStudy): string[] {
  const { training_rows, test_rows, accuracy, l2, all } = ours;
  const same = authors.filter(({ sufficient, published }) => sufficient === published).length;
  const proved = authors.filter((example) => example.proved).length;
  return [
    "## Case study: sufficient explanations",
    `MNIST 5 against 3 on the images of the authors' notebook, with their logistic regression and the distribution that their solver found; every image is cut at its
own mean + 0.05 standard deviations. The size k is theirs for ${same} of ${authors.length} images, and proved smallest for ${proved}. Pixels without effect (below 1e-7)
count on neither side, as in their code. "Refitted" is k with the distribution that \`conform\` finds for their classifier. Gray was not chosen, white and
black are the true colors; right predictions above, wrong ones below. \`npm run paper -- explain\` draws it.`,
    `![Explanations of MNIST digits](figures/${EXPLANATIONS_FIGURE})`,
    exampleTable(authors),
    `Over all test images of the two digits with a classifier of our own (${training_rows.toLocaleString("en")} training and ${test_rows.toLocaleString("en")} test images, l2 ${l2}, accuracy ${accuracy.toFixed(4)}), against the paper's baseline:
as many support pixels, those of the largest weight. Of all sets of its size the sufficient explanation moves the decision furthest, and with one pixel fewer none is
enough; so hardly any other set of that size can be, and the last column is the fairer comparison: how many pixels it takes when they are chosen by weight.${without(all.none_needed)}`,
    summaryTable(ours),
  ];
}

function without(images: number): string {
  return images === 0
    ? ""
    : ` ${images} images need no support pixel at all; there top k by weight is not scored.`;
}

function exampleTable(examples: CaseStudy["authors"]): string {
  return markdownTable(
    [
      "test image",
      "is",
      "predicted",
      "support",
      "opposing",
      "without effect",
      "k, authors' files",
      "k, ours",
      "k, refitted",
      "proved smallest",
      "top k by weight keeps it",
    ],
    examples.map((example) => [
      String(example.test_row),
      example.label,
      `${example.prediction} (${example.probability.toFixed(3)})`,
      String(example.support),
      String(example.opposing),
      String(example.without_effect),
      String(example.published),
      String(example.sufficient),
      String(example.refitted),
      example.proved ? "yes" : "no",
      example.top_k_keeps ? "yes" : "no",
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
