import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NumericResults } from "../numeric/numeric-results.ts";
import { NUMERIC_FILE } from "../numeric/run-numeric.ts";
import { writeWhole } from "../protocol/cache.ts";
import type { Results } from "../protocol/results.ts";
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
  writeWhole(join(folder, "RESULTS.md"), writeMarkdown(results, panels, readNumeric(folder)));
}

/** The results on numeric columns, where they were run. */
function readNumeric(folder: string): NumericResults | undefined {
  const path = join(folder, "results", NUMERIC_FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as NumericResults) : undefined;
}

function readResults(folder: string): Results[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && file !== NUMERIC_FILE)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Results);
}
