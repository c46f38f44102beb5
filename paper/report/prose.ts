import { PAPER_METHODS } from "../methods/methods.ts";
import type { Measure, Results } from "../protocol/scores/results.ts";
import { differences, largest, scatter, typical } from "./differences.ts";
import { authorsValue, printedValue } from "./published.ts";
import { ourValue, shortTitle } from "./series.ts";
import { inOrder } from "./tables/order-table.ts";

/** The methods of the paper's figure that are imputations, and NaCL. */
const FIGURE_METHODS = PAPER_METHODS.filter((method) => method !== "max");

/** The words of RESULTS.md; their numbers come from the results, and they speak only of what was run. */

export const INTRODUCTION = `The evaluation of *What to Expect of Classifiers? Reasoning about Logistic Regression with Missing Features*
(Khosravi, Liang, Choi, Van den Broeck, IJCAI 2019), run with this library. \`npm run paper -- --publish\` writes this page,
[results/](results) (JSON, and every repeat as CSV) and [figures/](figures); \`npm run paper\` takes a quick look into \`reports/paper\`. The same seed gives the
same numbers to the last bit. [README.md](README.md) says how to run it and how to add a dataset or a method.

A dataset is run in two ways (the table of runs says which were). *authors*: encoded, divided and cut as the authors' public files have it, with min, max, mean and median taken of the
test rows and 1e-14 added to probabilities before the logarithm, as in their code. *ours*: as the paper describes it, a bit for each number (1
above mean + 0.05 standard deviations) and a one-hot group for each category, every constant taken of the training rows. In both, logistic regression is trained on complete rows and
columns go missing uniformly at random from every test row. What is missing with fewer columns is missing with more, so a row is followed from one
number to the next. "Paper" is what is printed; "authors' files" are the result files of their public repository, which for some
tables say something else; \`nacl\` is the paper's method on independent one-hot bits, "a group as one column" is what \`conform\` does by default.`;

/** How the largest differences are to be read. */
export function glanceWords(results: readonly Results[]): string {
  const ratios = results
    .filter(({ measure, split }) => measure === "accuracy" && split === "authors")
    .flatMap((result) =>
      (["cross_entropy", "accuracy"] as const).flatMap((measure) =>
        FIGURE_METHODS.flatMap((method) => {
          const own = scatter(result, measure, method);
          return own ? [typical(differences(result, "authors' files", measure, [method])) / own] : [];
        }),
      ),
    );
  const words =
    ratios.length > 0
      ? ` The series of the paper's figures stray from a smooth curve by themselves: NaCL, min, mean and median differ from them typically by ${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)} times that scatter (table below the figures).`
      : "";
  return `Ours minus theirs, where it is largest: per cent of their number for cross entropy, points (×100) for accuracy and F1; tables at their four rates, figures at all of their points, the place in brackets.${words}`;
}

/** "What differs, and why": a paragraph per dataset that was run. */
export function differenceWords(results: readonly Results[]): string[] {
  return results.flatMap((result) => {
    const words = WORDS[`${result.dataset}-${result.split}`]?.(result);
    return words ? [`- **${shortTitle(result)}, ${result.split}**: ${words}`] : [];
  });
}

const WORDS: Readonly<Record<string, (result: Results) => string>> = {
  "mnist-authors": (result) =>
    `complete rows get an accuracy of ${at(result, "accuracy", "nacl", 0)}, theirs ${theirs(result, "accuracy", "nacl", 0)}: test images are cut at the thresholds of the test images.`,
  "fashion-authors": (result) =>
    `as MNIST (${at(result, "accuracy", "nacl", 0)}, theirs ${theirs(result, "accuracy", "nacl", 0)}), fitted with pseudo-count ${result.pseudocount}. NaCL's cross entropy is ${biasInWords(result, "nacl")} theirs on average, that of min ${biasInWords(result, "min")} theirs: the predictions of complete rows agree, so it is the distribution behind their figure that is another one.`,
  "splice-authors": (result) =>
    `their own training and test rows. The printed cross entropies are the outlier: they differ from the authors' files by up to ${printedGap(result)} %, and ours differ from the files by ${largestText(result)} %. Min and max coincide, since with a free intercept the weights of a one-hot group sum to zero. \`--l2\` runs another penalty.`,
  "adult-authors": (result) =>
    `numbers in five one-hot bins, fnlwgt left out, 13 groups; their test rows are published and the other rows of UCI's files are their training rows. Here too the printed cross entropies differ from the authors' files, by up to ${printedGap(result)} %; ours differ from the files by ${largestText(result)} %. The file has accuracies where the table has F1.`,
  "covtype-authors": (result) =>
    `${result.title.includes("sample") ? "a sample of the rows, " : ""}six bins a number (equally full, in the order of first occurrence, which the files do not tell) and the authors' list of groups, which takes bits of neighbors for a number's own. ${endsInWords(result)}; how far max falls behind depends on the order of the bits. The printed cross entropies differ from the authors' files by up to ${printedGap(result)} %.`,
  "adult-ours": (result) =>
    `UCI's own test rows and one bit a number. Where not every column is a one-hot group min and max part: F1 ×100 at 80 % is ${last(result, "min")} and ${last(result, "max")}, NaCL's ${last(result, "nacl")} (the paper's exception is min and max ahead of NaCL there).`,
  "splice-ours": (result) =>
    `with the constants of the training rows the median has F1 ×100 of ${last(result, "median")} at 80 %: the bits that are set in more than half of the rows are not the same in training and test rows.`,
  "covtype-ours": () => "one bit a number and groups that are what they say.",
};

function at(result: Results, measure: Measure, method: string, missing: number): string {
  return ourValue(result, measure, method, missing)?.toFixed(4) ?? "?";
}

function theirs({ dataset }: Results, measure: Measure, method: string, missing: number): string {
  return authorsValue(dataset, measure, method, missing)?.toFixed(4) ?? "?";
}

/** "1.1 % below": the mean difference to the authors' cross entropies. */
function biasInWords(result: Results, method: string): string {
  const all = differences(result, "authors' files", "cross_entropy", [method]);
  const bias = all.reduce((sum, { value }) => sum + value, 0) / Math.max(all.length, 1);
  return `${Math.abs(bias).toFixed(1)} % ${bias < 0 ? "below" : "above"}`;
}

/** At how many of the rates NaCL is first and max last, by both measures. */
function endsInWords(result: Results): string {
  const hits = (["cross_entropy", "weighted_f1"] as const).flatMap((measure) =>
    result.rates.map((missing) => {
      const order = inOrder(measure, (method) => ourValue(result, measure, method, missing));
      return order.startsWith("nacl,") && order.endsWith(", max");
    }),
  );
  return `By cross entropy and F1 NaCL is first and max last, as in their files, at ${hits.filter(Boolean).length} of ${hits.length} rates`;
}

/** Weighted F1 ×100 at the last rate. */
function last(result: Results, method: string): string {
  const value = ourValue(result, "weighted_f1", method, result.rates[result.rates.length - 1]);
  return value === null ? "?" : (100 * value).toFixed(1);
}

/** The largest difference between the printed table and the authors' files, in per cent of the files. */
function printedGap({ dataset, rates }: Results): string {
  const gaps = PAPER_METHODS.flatMap((method) =>
    rates.flatMap((missing, rate) => {
      const printed = printedValue(dataset, "cross_entropy", method, rate);
      const filed = authorsValue(dataset, "cross_entropy", method, missing);
      return printed === null || filed === null ? [] : [100 * Math.abs(printed / filed - 1)];
    }),
  );
  return Math.max(...gaps).toFixed(0);
}

function largestText(result: Results): string {
  const all = differences(result, "authors' files", "cross_entropy", PAPER_METHODS, result.rates);
  return `at most ${Math.abs(largest(all)?.value ?? 0).toFixed(1)}`;
}

export const COSTS = `Nearest neighbors use 10 neighbors among 2,000 random training rows (300 on images). On images EM, chained equations and nearest neighbors run only at 8
missing pixels, and mixtures at every fourth number: they solve or search per row. The reduced models (one classifier per pattern of gaps) run where one column is missing.`;
