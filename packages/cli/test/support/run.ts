import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { runWarm } from "./warm-command.ts";

/** The built command, as a user has it. */
export const bin = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** Words of command lines that need a process of their own: a person types, it runs until it is stopped, it needs files of the build. */
const ALONE: ReadonlySet<string> = new Set(["serve", "studio", "--interactive", "js", "page"]);

/** Runs `conformant` to its end, without a terminal: from the sources, in a process that runs one command after the other. */
export function conformant(words: readonly string[], options: RunOptions = {}): Outcome {
  const { cwd = process.cwd(), input, env } = options;
  const isAlone = words.some((word) => ALONE.has(word)) || env?.NODE_OPTIONS !== undefined;
  if (isAlone || process.platform === "win32") return conformantAlone(words, options); // Windows has no such pipes
  const { status, stdout, stderr } = runWarm({
    words,
    cwd,
    input: input === undefined ? undefined : Buffer.from(input).toString("base64"),
    env: environment(env),
  });
  return { status: Number(status), stdout, stderr };
}

function environment(env: RunOptions["env"]): Record<string, string> {
  const { PATH = "", HOME = "", REACHED_FILE } = process.env; // the last is of the mutation run
  return { PATH, HOME, ...(REACHED_FILE && { REACHED_FILE }), ...env };
}

/** The same of the built command, in a process of its own. */
export function conformantAlone(words: readonly string[], { cwd, input, env }: RunOptions = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    ...(cwd && { cwd }),
    ...(input !== undefined && { input }),
    env: environment(env),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** Runs it, and throws with what it said unless it ended well. */
export function succeed(words: readonly string[], options: RunOptions = {}): Outcome {
  return requireSuccess(words, conformant(words, options));
}

/** The same of the built command, in a process of its own. */
export function succeedAlone(words: readonly string[], options: RunOptions = {}): Outcome {
  return requireSuccess(words, conformantAlone(words, options));
}

function requireSuccess(words: readonly string[], outcome: Outcome): Outcome {
  if (outcome.status !== 0)
    throw new Error(`conformant ${words.join(" ")} ended with ${outcome.status}: ${outcome.stderr}`);
  return outcome;
}

/** Starts it and sends a signal as soon as `ready` says so; where the signal itself ended it, the status is what a shell says. */
export async function interrupt(
  words: readonly string[],
  { cwd, env }: Pick<RunOptions, "cwd" | "env">,
  ready: () => boolean,
  signal: NodeJS.Signals,
): Promise<Outcome> {
  const child = spawn(process.execPath, [bin, ...words], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let sent = false;
  const watch = setInterval(() => {
    if (!sent && ready()) sent = child.kill(signal);
  }, 5);
  const status = await new Promise<number | null>((resolve) =>
    child.once("close", (code, by) => resolve(by ? 128 + constants.signals[by] : code)),
  );
  clearInterval(watch);
  return { status, stdout, stderr };
}

/** The lines of a CSV text, its header first, split at commas; for files and results that need no quotes. */
export function csvCells(text: string): string[][] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
}

/** The same without the header. */
export function csvRows(text: string): string[][] {
  return csvCells(text).slice(1);
}
