import { spawnSync } from "node:child_process";

/** Debian's Python, which has its packages of Python modules. */
const PYTHON = "/usr/bin/python3";

/** Whether a module of Python is installed. */
export function hasPython(module: string): boolean {
  return spawnSync(PYTHON, ["-c", `import ${module}`]).status === 0;
}

/** Runs a program and gives back what it printed. */
export function python(program: string, words: readonly string[] = [], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, ["-c", program, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    // Threads of BLAS wait for each other where other programs run.
    env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    ...(cwd && { cwd }),
  });
  if (status !== 0) throw new Error(`python3 ended with ${status}: ${stderr}`);
  return stdout;
}
