import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Asked, HostedCommands, type Told } from "./hosted-commands.ts";
import { bin } from "./run.ts";
import { tinyTable } from "./tiny-tables.ts";

/** A run that takes longer than this is taken to hang: with such tables the slowest takes a few seconds. */
const HANGS_MS = 120_000;

/** An error as a person is to see one: one line, and perhaps a hint. */
const ERROR =
  /^(note: .*\n|.*\bin .* m?s\n)*(error\[(?!internal\])[a-z-]+\]: .+\n(hint: .+\n)?|\{"error":\{"code":"(?!internal")[a-z-]+",.+\}\}\n)$/;

/** Runs a command line to its end. */
type Run = (asked: Asked) => Promise<Told>;

/** Runs fits, and what follows them, on tables of these seeds, each a process of its own; gives back what went wrong. */
export async function tryTinyTables(seeds: readonly number[], folder: string): Promise<string[]> {
  return tryEach(seeds, folder, runAlone);
}

/** The same in one process, which saves the start of each. */
export async function tryTinyTablesHere(seeds: readonly number[], folder: string): Promise<string[]> {
  const hosted = new HostedCommands(HANGS_MS);
  try {
    return await tryEach(seeds, folder, (asked) => hosted.run(asked));
  } finally {
    hosted.end();
  }
}

async function tryEach(seeds: readonly number[], folder: string, run: Run): Promise<string[]> {
  const complaints: string[] = [];
  for (const seed of seeds) complaints.push(...(await tryTable(seed, join(folder, `table ${seed}`), run)));
  return complaints;
}

async function tryTable(seed: number, cwd: string, run: Run): Promise<string[]> {
  const { csv, fit, next } = tinyTable(seed);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "table.csv"), csv);
  const complaints: string[] = [];
  for (const words of [fit, next]) {
    const { status, stderr } = await run({ words, cwd });
    const leftovers = readdirSync(cwd).filter((name) => name.includes("partial"));
    const fine = status === 0 || ((status === 1 || status === 2) && ERROR.test(stderr));
    if (!fine || leftovers.length > 0)
      complaints.push(`table ${seed}, ${words.join(" ")}: ${status} ${stderr} ${leftovers}\n${csv}`);
    if (status !== 0) break;
  }
  rmSync(cwd, { recursive: true });
  return complaints;
}

function runAlone({ words, cwd }: Asked): Promise<Told> {
  const child = spawn(process.execPath, [bin, ...words], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const watchdog = setTimeout(() => child.kill("SIGKILL"), HANGS_MS);
  return new Promise((resolve) =>
    child.once("close", (code, signal) => {
      clearTimeout(watchdog);
      resolve({ status: code ?? String(signal), stdout: "", stderr });
    }),
  );
}
