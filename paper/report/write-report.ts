import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../protocol/cache.ts";
import type { Results } from "../protocol/results.ts";
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
  const page = { results, paired, panels, studies: sections, run: readJson<RunRecord>(stored, RUN_FILE) };
  writeWhole(join(folder, "RESULTS.md"), writeMarkdown(page));
}

function readResults(folder: string): Results[] {
  if (!existsSync(folder)) return [];
  const ofStudies = [RUN_FILE, ...STUDY_NAMES.map((name) => `${name}.json`)];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !ofStudies.includes(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Results);
}

function readScores(folder: string, result: Results): string {
  return readFileSync(join(folder, `${nameOf(result)}.csv`), "utf8");
}

/** What the studies that were run have to say and to show. */
function readStudies(folder: string): { section: readonly string[]; panels: readonly Panel[] }[] {
  return STUDY_NAMES.flatMap((name) => {
    const results = readJson<unknown>(folder, `${name}.json`);
    if (results === undefined) return [];
    return [{ section: STUDIES[name].section(results), panels: STUDIES[name].panels?.(results) ?? [] }];
  });
}

function readJson<T>(folder: string, name: string): T | undefined {
  const file = join(folder, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : undefined;
}
