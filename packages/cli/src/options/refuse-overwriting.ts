import { statSync } from "node:fs";
import { CliError, quoted } from "../errors.ts";
import type { Command, Parsed } from "./command.ts";

/** Throws where a file that a command is to make has no name, or is one that another of its words names: it would be gone once it had been read. */
export function refuseOverwriting({ options }: Command, parsed: Parsed): void {
  const given = Object.entries(options).flatMap(([name, { takes, writes }]) => {
    const word = takes === undefined ? undefined : parsed.text(name);
    return word === undefined ? [] : [{ name, word, writes }];
  });
  const read = [...parsed.positionals, ...given.flatMap(({ word, writes }) => (writes ? [] : [word]))];
  for (const { name, word } of given.filter(({ writes }) => writes)) {
    if (word === "") throw new CliError("usage", `--${name} requires the name of a file, got ""`);
    const file = fileOf(word);
    if (file !== undefined && read.some((other) => fileOf(other) === file))
      throw new CliError("usage", `--${name} would overwrite ${quoted(word)}, which is to be read`, {
        hint: "give the result another name",
      });
  }
}

/** The same text for all names of one file; undefined where there is none. */
function fileOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined; // no path at all: an address, a condition
  }
}
