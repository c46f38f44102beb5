import { spawnSync } from "node:child_process";

/** Whether R is installed, with these packages. */
export function hasR(...packages: readonly string[]): boolean {
  const program = packages.map((name) => `library(${name})`).join(";") || "1";
  return spawnSync("Rscript", ["--vanilla", "-e", program]).status === 0;
}

/** Runs a file of R and gives back what it printed. */
export function rscript(file: string, words: readonly string[] = [], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync("Rscript", ["--vanilla", file, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    ...(cwd && { cwd }),
  });
  if (status !== 0) throw new Error(`Rscript ended with ${status}: ${stderr}`);
  return stdout;
}
