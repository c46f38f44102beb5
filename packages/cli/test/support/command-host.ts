// Runs one command after the other in one process, without its start. Command lines come as messages of Node.js or, for callers that
// wait, as lines of a named pipe; outcomes go back in the same way.

import { createReadStream, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { readCommandLine } from "../../src/commands/read-command-line.ts";
import { isOn } from "../../src/options/command.ts";
import { removeLeftovers } from "../../src/output/cleanup.ts";
import { redirectStreams } from "../../src/output/standard-streams.ts";
import { describeError } from "../../src/process/describe-error.ts";
import { errorText, statusOf } from "../../src/process/error-text.ts";
import { runHere } from "../../src/process/run-here.ts";
import { palette } from "../../src/terminal/color.ts";
import { createMessages, silence } from "../../src/terminal/messages.ts";
import { printable } from "../../src/terminal/printable.ts";
import type { Asked, Told } from "./hosted-commands.ts";

/** Where a caller that waits writes command lines and reads outcomes. */
const [REQUESTS, ANSWERS] = [3, 4];

// The threads of a command are files of the build; results do not depend on their number.
os.availableParallelism = () => 1;
syncBuiltinESMExports();

/** What `fit` replaces by functions of its own, for the rest of its process. */
const { exp, log, log1p, expm1, log2, cos } = Math;

process.on("exit", removeLeftovers);
if (process.send) {
  process.on("disconnect", () => process.exit());
  process.on("message", async (asked: Asked) => process.send?.(await run(asked)));
} else {
  const lines = createInterface({ input: createReadStream("", { fd: REQUESTS }) });
  lines.on("close", () => process.exit());
  lines.on("line", async (line) => {
    const answer = Buffer.from(JSON.stringify(await run(JSON.parse(line))));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(answer.length);
    writeAll(Buffer.concat([size, answer]));
  });
}

function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(ANSWERS, bytes, at);
}

/** Does what `main.ts` and its thread do, with outputs that are kept. */
async function run({ words, cwd, env, input }: Asked): Promise<Told> {
  const [stdout, stderr]: Buffer[][] = [[], []];
  const print = (text: string): void => void stdout.push(Buffer.from(`${printable(text)}\n`));
  const terminal = { isTTY: false, write: (text: string) => stderr.push(Buffer.from(text)) };
  const texts = () => ({
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  });
  process.chdir(cwd);
  if (env) setEnvironment(env);
  Object.assign(Math, { exp, log, log1p, expm1, log2, cos });
  redirectStreams({
    write: async (text) => void stdout.push(Buffer.from(text)),
    read: () =>
      Readable.from(input === undefined ? [] : [Buffer.from(input, "base64")], { objectMode: false }),
  });
  try {
    const messages = createMessages(terminal as unknown as NodeJS.WriteStream);
    const person = () => ({ tell: () => undefined, ask: async () => undefined, close: () => undefined });
    const context = { messages, print, person, onInterrupt: () => undefined };
    if (!(await runHere(words, context))) {
      const { command, parsed } = readCommandLine(words);
      await command.run(parsed, parsed.flag("quiet") ? { ...context, messages: silence(messages) } : context);
    }
    return { status: 0, ...texts() };
  } catch (thrown) {
    const error = describeError(thrown);
    const debug =
      error.code === "internal" || words.includes("--debug") || isOn(process.env.CONFORMANT_DEBUG);
    terminal.write(errorText(error, { json: words.includes("--json"), debug, red: palette(terminal).red }));
    return { status: statusOf(error), ...texts() };
  } finally {
    removeLeftovers();
    if (words.some((word) => word.startsWith("duckdb:"))) await closeDatabases();
  }
}

/** Statements that nobody holds any more keep a DuckDB file open, and locked, until they are collected as garbage. */
async function closeDatabases(): Promise<void> {
  globalThis.gc?.();
  await new Promise((resolve) => setImmediate(resolve));
}

function setEnvironment(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
