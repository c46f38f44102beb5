import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DatasetName } from "./datasets/dataset.ts";
import { type Options, PAPER_REPEATS, parseOptions, USAGE } from "./options.ts";
import { showProgress } from "./progress.ts";
import { writeWhole } from "./protocol/cache.ts";
import { protocolOf } from "./protocol/protocol.ts";
import { type RunOptions, runDataset } from "./protocol/run-dataset.ts";
import { fileNameOf, writeReport } from "./report/write-report.ts";
import { runInParallel } from "./run-in-parallel.ts";
import { STUDIES } from "./studies/studies.ts";

const here = fileURLToPath(new URL("./", import.meta.url));

/** Runs the evaluation that the command line asks for and writes what came out. */
export async function runPaper(options: Options, print: (line: string) => void): Promise<void> {
  const out = options.out ?? here;
  const progress = showProgress(process.stderr);
  const jobs = options.datasets.map((name) => ({
    name,
    options: runOptions(name, options, join(out, ".cache")),
  }));
  if (jobs.length > 1) await runInParallel(jobs, Math.min(availableParallelism(), 2), progress);
  for (const { name, options: how } of jobs) {
    const results = runDataset(name, { ...how, progress: progress.update });
    if (jobs.length === 1) progress.finish(`${name}: done, ${results.repeats} repeats`);
    writeWhole(join(out, "results", fileNameOf(results)), `${JSON.stringify(results, null, 1)}\n`);
    if (options.json) print(JSON.stringify(results));
  }
  for (const name of options.studies) {
    const { run, words } = STUDIES[name];
    const results = run({
      data: options.data,
      seed: options.seed,
      out,
      progress: (line) => progress.update(line, 0),
    });
    progress.finish(`${name}: done`);
    writeWhole(join(out, "results", `${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
    for (const line of options.json ? [JSON.stringify(results)] : (words?.(results) ?? [])) print(line);
  }
  writeReport(out);
}

function runOptions(name: DatasetName, options: Options, cache: string): RunOptions {
  const { split, seed, methods, data } = options;
  const { paperRepeats } = protocolOf(name, split);
  const repeats = options.repeats === PAPER_REPEATS ? paperRepeats : options.repeats;
  return { split, seed, methods, data, cache, repeats };
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
