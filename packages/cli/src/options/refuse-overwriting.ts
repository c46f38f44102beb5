import { statSync } from "node:fs";
import { CliError, quoted } from "../errors.ts";
import type { Command, Parsed } from "./command.ts";

/** Throws where an output file has no name, or is also an input, which would be overwritten. */
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
      throw new CliError("usage", `--${name} would overwrite ${quoted(word)}, which is an input`, {
        hint: "give the result another name",
      });
  }
}

/** The same text for all names of one file; undefined where no file exists. */
function fileOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined; // not a path: an address, a condition
  }
}
