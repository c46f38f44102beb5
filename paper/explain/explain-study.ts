import { join } from "node:path";
import { drawPanels } from "conformant";
import { dataFolders } from "../datasets/data-folder.ts";
import { mnist } from "../datasets/mnist.ts";
import { writeWhole } from "../protocol/cache.ts";
import { EXPLANATIONS_FIGURE, explanationSection } from "../report/explanation-section.ts";
import type { Study } from "../studies/study.ts";
import { type ExampleSizes, type ExplanationResults, explainDigits } from "./explain-digits.ts";

/** The paper's case study: draws the figure and gives the sizes. */
export const explainStudy: Study<ExplanationResults> = {
  datasets: ["mnist"],
  about: "the paper's case study on explanations: MNIST 5 against 3",
  run: ({ data, seed, out }) => {
    const { results, model, examples } = explainDigits(mnist.read(dataFolders(data), seed, "ours"));
    const svg = drawPanels(model, examples, { width: 28, height: 28 });
    writeWhole(join(out, "figures", EXPLANATIONS_FIGURE), `${svg}\n`);
    return results;
  },
  words: sizesInWords,
  section: explanationSection,
};

function sizesInWords({ examples, all, misclassified, accuracy }: ExplanationResults): string[] {
  return [
    ...examples.map(exampleInWords),
    `${all.images} test images, accuracy ${accuracy.toFixed(4)}: ${all.mean_support.toFixed(1)} support pixels on average, of which ${all.mean_sufficient.toFixed(1)} suffice (median ${all.median_sufficient}, most ${all.largest_sufficient}); top k by weight of the same size keeps the decision of ${all.top_k_keeps}; it takes ${all.mean_top_needed.toFixed(1)} on average`,
    `${misclassified.images} of them misclassified: ${misclassified.mean_sufficient.toFixed(1)} suffice on average; top k by weight keeps the decision of ${misclassified.top_k_keeps}`,
  ];
}

function exampleInWords(example: ExampleSizes): string {
  const { test_row, label, prediction, features, support, sufficient, top_k_keeps } = example;
  return `test image ${test_row}, a ${label} predicted ${prediction}: ${features} pixels, ${support} support, ${sufficient} sufficient; top ${sufficient} by weight ${top_k_keeps ? "keep" : "do not keep"} the decision`;
}
