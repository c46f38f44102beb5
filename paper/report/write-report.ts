import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DATASET_NAMES } from "../datasets/datasets.ts";
import { writeWhole } from "../protocol/cache.ts";
import type { Results } from "../protocol/scores/results.ts";
import { RUN_FILE, type RunRecord } from "../run-record.ts";
import { STUDIES, STUDY_NAMES } from "../studies/studies.ts";
import { drawPanels, type Panel } from "./figures.ts";
import { pairedResults } from "./paired-results.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** The name under which results are stored, without its ending. */
export function nameOf({ dataset, split }: Pick<Results, "dataset" | "split">): string {
  return `${dataset}-${split}`;
}

/** Writes RESULTS.md and the figures from all results that are stored in a folder. */
export function writeReport(folder: string): void {
  const stored = join(folder, "results");
  const results = readResults(stored);
  const studies = readStudies(stored);
  const panels = drawPanels(results);
  for (const { file, svg } of [...panels, ...studies.flatMap((study) => study.panels)])
    writeWhole(join(folder, "figures", file), `${svg}\n`);
  const sections = studies.flatMap((study) => study.section);
  const paired = results.map((result) => pairedResults(result, readScores(stored, result)));
  const studySeconds = studies.reduce((sum, { seconds }) => sum + seconds, 0);
  const run = readJson<RunRecord>(stored, RUN_FILE);
  const page = { results, paired, panels, studies: sections, studySeconds, run };
  writeWhole(join(folder, "RESULTS.md"), writeMarkdown(page));
}

/** In the order of the paper's Table 1, the authors' split first. */
function readResults(folder: string): Results[] {
  const places = DATASET_NAMES.flatMap((dataset) =>
    (["authors", "ours"] as const).map((split) => `${nameOf({ dataset, split })}.json`),
  );
  return places.flatMap((name) => readJson<Results>(folder, name) ?? []);
}

function readScores(folder: string, result: Results): string {
  return readFileSync(join(folder, `${nameOf(result)}.csv`), "utf8");
}

/** What the studies that were run have to say and to show. */
function readStudies(folder: string): ToldStudy[] {
  return STUDY_NAMES.flatMap((name) => {
    const results = readJson<{ readonly processor_seconds?: number }>(folder, `${name}.json`);
    if (results === undefined) return [];
    const { section, panels } = STUDIES[name];
    return [
      {
        section: section(results),
        panels: panels?.(results) ?? [],
        seconds: results.processor_seconds ?? 0,
      },
    ];
  });
}

interface ToldStudy {
  readonly section: readonly string[];
  readonly panels: readonly Panel[];
  /** Processor time. */
  readonly seconds: number;
}

function readJson<T>(folder: string, name: string): T | undefined {
  const file = join(folder, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : undefined;
}
