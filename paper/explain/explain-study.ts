import { join } from "node:path";
import { dataFolders } from "../datasets/data-folder.ts";
import { mnist } from "../datasets/mnist.ts";
import { writeWhole } from "../protocol/cache.ts";
import { EXPLANATIONS_FIGURE, explanationSection } from "../report/sections/explanation-section.ts";
import type { Study } from "../studies/study.ts";
import { type AuthorsExample, explainAuthorsDigits } from "./authors-digits.ts";
import { drawPanels } from "./draw-panels.ts";
import { type ExplanationResults, explainDigits } from "./explain-digits.ts";

/** The paper's case study on the authors' images and model, and our own over the whole test set. */
export interface CaseStudy {
  readonly authors: readonly AuthorsExample[];
  readonly ours: ExplanationResults;
}

/** The paper's case study: draws the figure and gives the sizes. */
export const explainStudy: Study<CaseStudy> = {
  about: "the paper's case study on explanations: MNIST 5 against 3",
  datasets: ["mnist"],
  run: ({ data, seed, out }) => {
    const folders = dataFolders(data);
    const { model, examples, panels } = explainAuthorsDigits(folders);
    const svg = drawPanels(model, panels, { width: 28, height: 28 });
    writeWhole(join(out, "figures", EXPLANATIONS_FIGURE), `${svg}\n`);
    return { authors: examples, ours: explainDigits(mnist.read(folders, seed, "ours")).results };
  },
  words: sizesInWords,
  section: explanationSection,
};

function sizesInWords({ authors, ours }: CaseStudy): string[] {
  const { all, misclassified, accuracy } = ours;
  return [
    ...authors.map(
      ({ test_row, label, prediction, support, sufficient, published }) =>
        `test image ${test_row}, a ${label} predicted ${prediction}: ${support} support, ${sufficient} sufficient (the authors' files: ${published})`,
    ),
    `${all.images} test images, accuracy ${accuracy.toFixed(4)}: ${all.mean_support.toFixed(1)} support pixels on average, of which ${all.mean_sufficient.toFixed(1)} suffice (median ${all.median_sufficient}, most ${all.largest_sufficient}); top k by weight of the same size keeps the decision of ${all.top_k_keeps}; it takes ${all.mean_top_needed.toFixed(1)} on average`,
    `${misclassified.images} of them misclassified: ${misclassified.mean_sufficient.toFixed(1)} suffice on average; top k by weight keeps the decision of ${misclassified.top_k_keeps}`,
  ];
}
