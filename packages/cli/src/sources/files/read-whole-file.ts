import { readFileSync, statSync } from "node:fs";
import { CliError, quoted } from "../../errors.ts";
import { readError } from "./input-file.ts";

/** The bytes of a file. A device such as /dev/zero has no end and is refused. */
export function readWholeFile(path: string): Buffer {
  try {
    if (statSync(path).isCharacterDevice())
      throw new CliError("unreadable-file", `${quoted(path)} is a device, expected a file`);
    return readFileSync(path);
  } catch (thrown) {
    throw thrown instanceof CliError ? thrown : readError(path, thrown);
  }
}

/** The text of a file in UTF-8. */
export function readTextFile(path: string): string {
  const bytes = readWholeFile(path);
  try {
    return bytes.toString("utf8");
  } catch (thrown) {
    throw readError(path, thrown); // longer than a text can be
  }
}
