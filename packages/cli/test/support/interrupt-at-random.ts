import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { random } from "conformant";
import { expect } from "vitest";
import { writePenguins } from "./fitted-penguins.ts";
import { interrupt } from "./run.ts";
import type { Workplace } from "./workplace.ts";

/** A command that takes a while; its results go to a folder that is empty before it. */
export interface LongJob {
  readonly name: string;
  readonly words: (folder: string) => readonly string[];
  /** The files that it leaves when it comes to its end. */
  readonly results: readonly string[];
  /** Milliseconds within which it is stopped. */
  readonly within: number;
}

const to = (file: string) => (folder: string) => join(folder, file);

/** One job of each kind; they take seconds, but for the export, which is all start-up. */
export const LONG_JOBS: readonly LongJob[] = [
  job("fit", 4000, ["fit", "many.csv", "--label", "species", "-o", to("m.json")], ["m.json"]),
  job(
    "evaluate",
    4000,
    [
      ...["evaluate", "model.json", "penguins.csv", "--label", "species", "--against", "knn,mice,em"],
      "--allow-training-rows",
      ...["--repeats", "100", "--report", to("r.html")],
    ],
    ["r.html"],
  ),
  job("export of a page", 700, ["export", "model.json", "--to", "page", "-o", to("page")], ["page"]),
  job(
    "export of a module",
    700,
    ["export", "model.json", "--to", "js", "-o", to("m.js")],
    ["m.d.ts", "m.js"],
  ),
  job("predict to CSV", 3000, ["predict", "model.json", "many.csv", "-o", to("p.csv")], ["p.csv"]),
  job(
    "predict to packed CSV",
    3000,
    ["predict", "model.json", "many.csv", "-o", to("p.csv.gz")],
    ["p.csv.gz"],
  ),
  job(
    "predict to Parquet",
    3000,
    ["predict", "model.json", "many.csv", "-o", to("p.parquet")],
    ["p.parquet"],
  ),
  job("predict to standard output", 3000, ["predict", "model.json", "many.csv"], []),
];

type Word = string | ((folder: string) => string);

function job(name: string, within: number, words: readonly Word[], results: readonly string[]): LongJob {
  const wordsFor = (folder: string): string[] =>
    words.map((word) => (typeof word === "string" ? word : word(folder)));
  return { name, words: wordsFor, results, within };
}

/** The files that the jobs read. */
export function prepareJobs(place: Workplace): void {
  writePenguins(place, "model.json");
  const [header, ...rows] = place.read("penguins.csv").trimEnd().split("\n");
  place.write("many.csv", [header, ...Array.from({ length: 600 }, () => rows).flat(), ""].join("\n"));
}

/** Stops a job at random moments, by INT and TERM in turn. Nothing may be left, or, where it was done before, everything. */
export async function interruptAtRandom(
  place: Workplace,
  job: LongJob,
  moments: number,
  seed: number,
): Promise<void> {
  const generator = random(seed);
  for (let moment = 0; moment < moments; moment++) {
    const [results, temporary] = ["results", "temporary"].map((name) => place.path(`${name} of ${job.name}`));
    for (const folder of [results, temporary]) mkdirSync(folder);
    const [signal, ended] = moment % 2 === 0 ? (["SIGINT", 130] as const) : (["SIGTERM", 143] as const);
    const at = performance.now() + job.within * generator.uniform();
    const { status, stderr } = await interrupt(
      job.words(results),
      { cwd: place.folder, env: { TMPDIR: temporary } },
      () => performance.now() > at,
      signal,
    );
    expect(readdirSync(temporary)).toEqual([]);
    const left = readdirSync(results).sort();
    // A signal that comes after the result is complete, or before Node.js has started, stops nothing that could be told.
    if (left.length > 0 || status === 0) expect(left).toEqual(job.results);
    if (status !== 0) expect(status).toBe(ended);
    if (status !== 0 && stderr !== "")
      expect(stderr).toMatch(/error\[interrupted\]: stopped before the end; .*\n$/);
    for (const folder of [results, temporary]) rmSync(folder, { recursive: true });
  }
}
