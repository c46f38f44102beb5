import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExplanationResults } from "../explain/explain-digits.ts";
import { writeWhole } from "../protocol/cache.ts";
import type { Results } from "../protocol/results.ts";
import { EXPLANATIONS } from "./explanation-section.ts";
import { drawPanels } from "./figures.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** The name under which results are stored: the dataset, and the split where it is not ours. */
export function fileNameOf({ dataset, split }: Pick<Results, "dataset" | "split">): string {
  return split === "ours" ? `${dataset}.json` : `${dataset}-${split}.json`;
}

/** Writes RESULTS.md and the figures from all results that are stored in a folder. */
export function writeReport(folder: string): void {
  const results = readResults(join(folder, "results"));
  const panels = drawPanels(results);
  for (const { file, svg } of panels) writeWhole(join(folder, "figures", file), `${svg}\n`);
  writeWhole(
    join(folder, "RESULTS.md"),
    writeMarkdown(results, panels, readExplanations(join(folder, "results", EXPLANATIONS))),
  );
}

function readResults(folder: string): Results[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && file !== EXPLANATIONS)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Results);
}

function readExplanations(file: string): ExplanationResults | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ExplanationResults) : undefined;
}
