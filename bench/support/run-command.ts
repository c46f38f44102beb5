import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** What a run of the command took. */
export interface CommandRun {
  readonly milliseconds: number;
  /** Largest resident set, in bytes. */
  readonly memory: number;
  readonly stdout: string;
}

/** Writes the largest resident set of a process, in KiB, to a file when it ends. Linux's own figure comes first: `maxRSS` of a process is at least what the one that started it had. */
const PROBE = `
const { readFileSync, writeFileSync } = require("node:fs");
function largest() {
  try {
    return /VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
  } catch {
    return String(process.resourceUsage().maxRSS);
  }
}
process.on("exit", () => writeFileSync(process.env.MEMORY_FILE, largest()));
`;

/** Runs the command in a process of its own, which reports its largest memory. */
export function runCommand(words: readonly string[]): CommandRun {
  const folder = mkdtempSync(join(tmpdir(), "conformant-probe-"));
  const [script, memory] = [join(folder, "probe.cjs"), join(folder, "memory")];
  writeFileSync(script, PROBE);
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", script, bin, ...words], {
    env: { ...process.env, MEMORY_FILE: memory },
    encoding: "utf8",
  });
  const milliseconds = performance.now() - start;
  if (status !== 0 || !existsSync(memory))
    throw new Error(`conformant ${words[0]} ended with ${status}: ${stderr}`);
  const bytes = Number(readFileSync(memory, "utf8")) * 1024;
  rmSync(folder, { recursive: true });
  return { milliseconds, memory: bytes, stdout };
}
