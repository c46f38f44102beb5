// Runs one command after the other in one process, without its start: the words come as messages, the outcomes go back.

import { Readable } from "node:stream";
import { readCommandLine } from "../../src/commands/read-command-line.ts";
import { removeLeftovers } from "../../src/output/cleanup.ts";
import { redirectStreams } from "../../src/output/standard-streams.ts";
import { describeError } from "../../src/process/describe-error.ts";
import type { Asked, Told } from "./hosted-commands.ts";

redirectStreams({ write: async () => undefined, read: () => Readable.from([]) });

process.on("disconnect", () => process.exit());
process.on("exit", removeLeftovers);
process.on("message", async (asked: Asked) => {
  const told = await run(asked);
  process.send?.(told);
});

async function run({ words, cwd }: Asked): Promise<Told> {
  process.chdir(cwd);
  try {
    const { command, parsed } = readCommandLine(words);
    await command.run(parsed, {
      messages: {
        quiet: true,
        note: () => undefined,
        warn: () => undefined,
        progress: () => undefined,
        clear: () => undefined,
      },
      print: () => undefined,
      person: () => ({
        tell: () => undefined,
        ask: async () => undefined,
        close: () => undefined,
      }),
      onInterrupt: () => undefined,
    });
    return { status: 0, stderr: "" };
  } catch (thrown) {
    const { code, message, hint, stack } = describeError(thrown);
    const lines = [`error[${code}]: ${message}`, ...(hint ? [`hint: ${hint}`] : [])];
    return {
      status: code === "usage" || code === "not-available" ? 2 : 1,
      stderr: `${(code === "internal" ? [...lines, stack] : lines).join("\n")}\n`,
    };
  }
}
