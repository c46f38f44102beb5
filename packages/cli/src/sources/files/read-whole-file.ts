import { readFileSync, readSync, statSync } from "node:fs";
import { CliError, quoted } from "../../errors.ts";
import { claimInput } from "../../output/standard-streams.ts";
import { isStdin } from "../address.ts";
import { readError } from "./input-file.ts";

/** The bytes of a file or of standard input. Devices such as /dev/zero, which have no end, are rejected. */
export function readWholeFile(path: string): Buffer {
  try {
    if (isStdin(path)) return readStdin();
    if (statSync(path).isCharacterDevice())
      throw new CliError("unreadable-file", `${quoted(path)} is a device, expected a file`);
    return readFileSync(path);
  } catch (thrown) {
    throw thrown instanceof CliError ? thrown : readError(path, thrown);
  }
}

/** Milliseconds between two attempts to read more. */
const LOOK_MS = 10;

/** All of standard input, read synchronously; for small files. */
function readStdin(): Buffer {
  claimInput();
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.alloc(1 << 16);
    try {
      const length = readSync(0, piece);
      if (length === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "EOF") return Buffer.concat(pieces); // how Windows tells the end of a pipe
      if (code !== "EAGAIN") throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
    }
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
