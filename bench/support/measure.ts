import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** One line of the table: what was measured, by us and by the peer in the same run, against the bar that was set. */
export interface BenchRow {
  readonly what: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
  readonly bar: string;
  /** Undefined where the peer could not be run. */
  readonly met: boolean | undefined;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The path of one of the paper's datasets, or undefined where it is not there. */
export function datasetFile(name: string): string | undefined {
  const folders = [process.env.CONFORMANT_DATA, join(repository, "data"), join(repository, "../shared/data")];
  return folders.flatMap((folder) => (folder ? [join(folder, name)] : [])).find((path) => existsSync(path));
}

/** Milliseconds of one call. */
export function time(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** The middle of several timings after one call to warm up, and the spread around it. */
export function times(repeats: number, run: () => unknown): { median: number; least: number; most: number } {
  run();
  const all = Array.from({ length: repeats }, () => time(run)).sort((a, b) => a - b);
  return { median: all[all.length >> 1], least: all[0], most: all[all.length - 1] };
}

/** Runs a Python peer with Debian's packages and reads the JSON it prints; undefined where it cannot run. */
export function peer<T>(program: string, input: unknown): T | undefined {
  const script = join(repository, "bench/peers", program);
  const { status, stdout, stderr } = spawnSync("/usr/bin/python3", [script], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status === 0) return JSON.parse(stdout) as T;
  console.error(
    `the peer ${program} did not run: ${(stderr ?? "python3 is missing").trim().split("\n").pop()}`,
  );
  return undefined;
}

/** A duration with three significant digits. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${milliseconds.toPrecision(3)} ms`
    : `${(milliseconds / 1000).toPrecision(3)} s`;
}

export function markdownTable(rows: readonly BenchRow[]): string {
  const verdict = ({ met }: BenchRow): string =>
    met === undefined ? "peer missing" : met ? "met" : "**not met**";
  const lines = rows.map(
    (row) => `| ${[row.what, row.ours, row.peer, row.ratio, row.bar, verdict(row)].join(" | ")} |`,
  );
  return ["| what | ours | peer | ratio | bar | |", "| --- | --- | --- | --- | --- | --- |", ...lines].join(
    "\n",
  );
}
