import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Asked, Told } from "./hosted-commands.ts";

const HOST = fileURLToPath(new URL("./command-host.mjs", import.meta.url));

/** The pipes to a process that runs commands. */
interface Pipes {
  readonly requests: number;
  readonly answers: number;
}

/** One process per worker of the tests, which ends with it. Kept outside of the module, which is loaded anew for some files. */
const kept = globalThis as { warmCommands?: Pipes | undefined };

/** Runs a command from the sources in a process that has run others, which is several times as fast as a process of its own, and waits. */
export function runWarm(asked: Asked): Told {
  kept.warmCommands ??= start();
  const { requests, answers } = kept.warmCommands;
  try {
    writeAll(requests, Buffer.from(`${JSON.stringify(asked)}\n`));
    const size = readExactly(answers, 4).readUInt32LE();
    return JSON.parse(readExactly(answers, size).toString());
  } catch (cause) {
    kept.warmCommands = undefined;
    closeSync(requests);
    closeSync(answers);
    throw new Error(`the process ended while it ran conformant ${asked.words.join(" ")}`, { cause });
  }
}

/** The shell opens the pipes before it becomes the process, so that its death is the end of both. */
function start(): Pipes {
  const folder = mkdtempSync(join(tmpdir(), "conformant-warm-"));
  const pipes = ["requests", "answers"].map((name) => join(folder, name));
  spawnSync("mkfifo", pipes);
  const script = 'exec "$0" --expose-gc "$1" 3<"$2" 4>"$3"';
  spawn("sh", ["-c", script, process.execPath, HOST, ...pipes], {
    stdio: ["ignore", "ignore", "inherit"],
  }).unref();
  const [requests, answers] = [openSync(pipes[0], "w"), openSync(pipes[1], "r")];
  rmSync(folder, { recursive: true });
  return { requests, answers };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function readExactly(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const read = readSync(file, bytes, at, size - at, null);
    if (read === 0) throw new Error("the pipe was closed");
    at += read;
  }
  return bytes;
}
