import { createInterface } from "node:readline";
import type { Person } from "../options/command.ts";
import { printable } from "./printable.ts";

/** The user at the terminal, or the lines of standard input. Questions are written to standard error. */
export function terminalPerson(): Person {
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: process.stdin.isTTY === true,
  });
  // A terminal in raw mode sends Ctrl-C as a key.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const answers = lines[Symbol.asyncIterator]();
  return {
    tell: (text) => void process.stderr.write(`${printable(text)}\n`),
    ask: async (question) => {
      lines.setPrompt(printable(question));
      lines.prompt();
      const { value, done } = await answers.next();
      if (done || process.stdin.isTTY !== true) process.stderr.write("\n"); // no one has pressed Enter here
      return done ? undefined : String(value);
    },
    close: () => lines.close(),
  };
}
