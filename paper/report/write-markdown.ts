import type { Results } from "../protocol/results.ts";
import { fidelityTable, naiveBayesTable, onePercentTable } from "./answers.ts";
import type { Panel } from "./figures.ts";
import { imageTable } from "./image-table.ts";
import { mixtureSection } from "./mixture-section.ts";
import { orderTable } from "./order-table.ts";
import { markdownTable, paperTable, type TableMeasure } from "./paper-table.ts";
import { ANSWERS, DIFFERENCES, INTRODUCTION } from "./prose.ts";

const ORDER = ["mnist", "fashion", "covtype", "adult", "splice"];

/**
 * RESULTS.md: the runs, the two tables, the figures, the answers to the paper's questions, the sections of studies,
 * what differs and why.
 */
export function writeMarkdown(
  unordered: readonly Results[],
  panels: readonly Panel[],
  studies: readonly string[] = [],
): string {
  const results = [...unordered].sort(
    (a, b) => ORDER.indexOf(a.dataset) - ORDER.indexOf(b.dataset) || (a.split < b.split ? 1 : -1),
  );
  const images = results.filter(({ dataset }) => dataset === "mnist" || dataset === "fashion");
  const tabular = results.filter((result) => !images.includes(result));
  const sections = [
    "# The paper, reproduced",
    INTRODUCTION,
    "## What was run",
    runsTable(results),
    ...(tabular.length > 0 ? tableSections(tabular) : []),
    ...(images.length > 0 ? figureSections(images, panels) : []),
    "## The paper's questions",
    ANSWERS.q1,
    onePercentTable(results),
    ANSWERS.q2,
    fidelityTable(results),
    ANSWERS.q3,
    naiveBayesTable(results),
    ...mixtureSection(results),
    ...studies,
    "## What differs, and why",
    DIFFERENCES,
  ];
  return `${sections.join("\n\n")}\n`;
}

function runsTable(results: readonly Results[]): string {
  const rows = results.map((result) => {
    const slow = result.method_repeats.em ?? result.method_repeats.mice ?? result.method_repeats.knn;
    return [
      result.title,
      `${result.training_rows.toLocaleString("en")} + ${result.test_rows.toLocaleString("en")}`,
      String(result.columns),
      String(result.l2),
      `${result.repeats}${slow === undefined || slow === result.repeats ? "" : ` (em, mice, knn: ${slow})`}`,
      String(result.seed),
      result.accuracy.nacl?.[0]?.toFixed(4) ?? "",
    ];
  });
  return markdownTable(
    ["dataset", "rows, training + test", "columns", "l2", "repeats", "seed", "accuracy, complete rows"],
    rows,
  );
}

/** The paper's three datasets side by side; below them the other division of a dataset that has two. */
function tableSections(results: readonly Results[]): string[] {
  const preferred = results.filter(
    (result) =>
      result.split === (result.dataset === "splice" ? "authors" : "ours") ||
      results.every((other) => other === result || other.dataset !== result.dataset),
  );
  const others = results.filter((result) => !preferred.includes(result));
  const tablesOf = (measure: TableMeasure): string[] => [
    paperTable(preferred, measure),
    ...(others.length > 0 ? ["Divided the other way:", paperTable(others, measure)] : []),
  ];
  return [
    "## Cross entropy to the full-data prediction",
    "Lower is closer. ± is the standard error over repeats. Bold: the best of the paper's five methods.",
    ...tablesOf("cross_entropy"),
    "The order of the methods, closest first:",
    orderTable(results, "cross_entropy"),
    "## Weighted F1",
    ...tablesOf("weighted_f1"),
    "The order of the methods, best first:",
    orderTable(results, "weighted_f1"),
  ];
}

function figureSections(images: readonly Results[], panels: readonly Panel[]): string[] {
  return [
    "## MNIST and Fashion",
    "Lines are ours with a band of two standard errors, mostly too narrow to see; dots are the paper's numbers.",
    panels.map(({ file, title }) => `![${title}](figures/${file})`).join("\n"),
    ...images.map(imageTable),
  ];
}
