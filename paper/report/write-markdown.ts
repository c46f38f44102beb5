import type { Measure, Results } from "../protocol/scores/results.ts";
import type { RunRecord } from "../run-record.ts";
import { answerSections } from "./answers.ts";
import type { Panel } from "./figures.ts";
import { COSTS, differenceWords, glanceWords, INTRODUCTION } from "./prose.ts";
import { beyondSection } from "./sections/beyond-section.ts";
import { glanceTable } from "./tables/glance-table.ts";
import { orderTable } from "./tables/order-table.ts";
import { paperTable } from "./tables/paper-table.ts";
import { scatterTable } from "./tables/scatter-table.ts";
import { runsTable, testbedTable } from "./tables/testbed-table.ts";

/** What a page is made of besides the results. */
export interface Page {
  readonly results: readonly Results[];
  /** The same over the repeats that all methods have. */
  readonly paired: readonly Results[];
  readonly panels: readonly Panel[];
  /** The sections of studies. */
  readonly studies: readonly string[];
  /** Processor time of the studies. */
  readonly studySeconds: number;
  readonly run?: RunRecord | undefined;
}

/**
 * RESULTS.md: what the reproduction comes to, the testbed, the two tables, the figures, the answers to the paper's questions, what
 * goes past it, the sections of studies, what differs and why.
 */
export function writeMarkdown(page: Page): string {
  const { results, paired, panels, studies } = page;
  const authors = results.filter(({ split }) => split === "authors");
  const tabular = results.filter(({ measure }) => measure === "weighted_f1");
  const differing = differenceWords(results);
  const sections = [
    "# The paper, reproduced",
    INTRODUCTION,
    ...(authors.length > 0 ? ["## What it comes to", glanceWords(results), glanceTable(authors)] : []),
    ...(results.length > 0
      ? [
          "## The testbed (Table 1), and what was run",
          testbedTable(results),
          runsTable(results),
          timeWords(page),
        ]
      : []),
    ...(tabular.length > 0 ? tableSections(tabular) : []),
    ...(panels.length > 0 ? figureSections(authors, panels) : []),
    ...(results.length > 0 ? answerSections(results, paired) : []),
    ...beyondSection(paired),
    ...studies,
    ...(differing.length > 0 ? ["## What differs, and why", differing.join("\n"), COSTS] : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** What everything on the page cost, and the last run by the clock. */
function timeWords({ results, studySeconds, run }: Page): string {
  const spent = results.reduce((sum, { processor_seconds }) => sum + processor_seconds, studySeconds);
  const total = `Everything on this page takes ${(spent / 60).toFixed(0)} minutes of processor time, studies included (${(studySeconds / 60).toFixed(0)} minutes); an interrupted run goes on where it was.`;
  if (!run) return total;
  const parts = Object.entries(run.parts).map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`);
  return `${total} The last run took ${(run.seconds / 60).toFixed(1)} minutes by the clock, ${run.jobs === 1 ? "one dataset" : `${run.jobs} datasets`} at a time (${parts.join(", ")}).`;
}

function tableSections(results: readonly Results[]): string[] {
  const [authors, ours] = ["authors", "ours"].map((split) =>
    results.filter((result) => result.split === split),
  );
  const tablesOf = (measure: Measure): string[] => [
    ...(authors.length > 0 ? [paperTable(authors, measure)] : []),
    ...(ours.length > 0 ? ["As the paper describes it:", paperTable(ours, measure)] : []),
  ];
  return [
    "## Cross entropy to the full-data prediction",
    "Lower is closer. ± is the standard error over repeats. Bold: the best of the paper's five methods.",
    ...tablesOf("cross_entropy"),
    ...(authors.length > 0
      ? ["The order of the methods, closest first:", orderTable(authors, "cross_entropy")]
      : []),
    "## Weighted F1",
    ...tablesOf("weighted_f1"),
    ...(authors.length > 0
      ? ["The order of the methods, best first:", orderTable(authors, "weighted_f1")]
      : []),
  ];
}

function figureSections(authors: readonly Results[], panels: readonly Panel[]): string[] {
  return [
    "## Figures",
    "Lines are ours with a band of two standard errors, mostly too narrow to see; dots are the authors' numbers, which for images are those of the paper's figure.",
    panels.map(({ file, title }) => `![${title}](figures/${file})`).join("\n"),
    ...(authors.length > 0
      ? [
          'Ours against all points of the authors\' series. "Near" is within 2 % of a cross entropy, half a point of accuracy or F1. "Scatter" is how much a series strays from a smooth curve, and how much one repeat of ours strays from the mean of all; ours has the paper\'s number of repeats, so where the typical difference is about their scatter the two agree.',
          scatterTable(authors),
        ]
      : []),
  ];
}
