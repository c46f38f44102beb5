import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dataFolders } from "./datasets/data-folder.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { type Progress, showProgress } from "./progress.ts";
import { writeWhole } from "./protocol/cache.ts";
import { hashesOf, provenanceOf } from "./protocol/provenance.ts";
import { runDataset } from "./protocol/run-dataset.ts";
import { writeScores } from "./protocol/scores/write-scores.ts";
import { nameOf, writeReport } from "./report/write-report.ts";
import { type Job, runInParallel } from "./run-in-parallel.ts";
import { RUN_FILE, type RunRecord } from "./run-record.ts";
import { STUDIES, type StudyName } from "./studies/studies.ts";

const published = fileURLToPath(new URL("./", import.meta.url));
const quick = fileURLToPath(new URL("../reports/paper/", import.meta.url));

/** Runs the evaluation that the command line asks for and writes what came out. */
export async function runPaper(options: Options, print: (line: string) => void): Promise<void> {
  const out = options.out ?? (options.publish ? published : quick);
  const progress = showProgress(process.stderr);
  const parts: Record<string, number> = {};
  const started = performance.now();
  const timed: Progress = {
    ...progress,
    finish: (text, since) => {
      parts[text] = progress.finish(`${text}: done`, since);
      return parts[text];
    },
  };
  const jobs = jobsOf(options, join(out, ".cache"));
  // One is run here; several in processes of their own, which leave their repeats in the cache.
  if (jobs.length > 1) await runInParallel(jobs, options.jobs, timed);
  for (const { name, options: how } of jobs) {
    const { results, scores } = runDataset(name, { ...how, progress: progress.update });
    if (jobs.length === 1) timed.finish(`${name} ${how.split}`);
    const file = join(out, "results", nameOf(results));
    writeWhole(`${file}.json`, `${JSON.stringify(results, null, 1)}\n`);
    writeWhole(`${file}.csv`, writeScores(results.missing, scores));
    if (options.json) print(JSON.stringify(results));
  }
  for (const name of options.studies) runStudy(name, options, out, timed, print);
  const record: RunRecord = {
    seconds: (performance.now() - started) / 1000,
    parts,
    jobs: options.jobs,
    provenance: provenanceOf({}),
  };
  writeWhole(join(out, "results", RUN_FILE), `${JSON.stringify(record, null, 1)}\n`);
  writeReport(out);
  progress.say(`written to ${join(out, "RESULTS.md")}`);
}

function jobsOf({ datasets, splits, seed, repeats, methods, l2, data }: Options, cache: string): Job[] {
  return splits.flatMap((split) =>
    datasets.map((name) => ({ name, options: { split, seed, repeats, methods, l2, data, cache } })),
  );
}

function runStudy(
  name: StudyName,
  { data, seed, json }: Options,
  out: string,
  progress: Progress,
  print: (line: string) => void,
): void {
  const { run, words, datasets } = STUDIES[name];
  const folders = dataFolders(data);
  const show = (line: string): void => progress.update(line, 0);
  const before = process.cpuUsage();
  const results = run({ data, seed, out, progress: show });
  progress.finish(name);
  const { user, system } = process.cpuUsage(before);
  const provenance = provenanceOf(Object.assign({}, ...datasets.map((used) => hashesOf(folders, used))));
  const stored = { ...(results as object), seed, processor_seconds: (user + system) / 1e6, provenance };
  writeWhole(join(out, "results", `${name}.json`), `${JSON.stringify(stored, null, 1)}\n`);
  for (const line of json ? [JSON.stringify(stored)] : (words?.(results) ?? [])) print(line);
}

async function main(): Promise<void> {
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options.help) console.log(USAGE);
    else await runPaper(options, console.log);
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
