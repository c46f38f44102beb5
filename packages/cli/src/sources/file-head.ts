import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";

const HEAD_BYTES = 1 << 16;

/** The beginning of a file, unpacked where it is gzip unless told otherwise. */
export function readHead(path: string, unpack = true): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const head = bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    return unpack && isGzip(head) ? gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head;
  } finally {
    closeSync(file);
  }
}

export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** The encoding that a byte order mark at the beginning names. */
export function markedEncoding(head: Buffer): string | undefined {
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return utf16 ? "utf-16" : undefined;
}

/** Whether every separator in the first lines is followed by a blank, as in `39, State-gov, 77516`. */
export function hasBlankAfter(head: Buffer, separator: string): boolean {
  const lines = head.toString("latin1").split(/\r?\n/).slice(0, 100);
  const complete = lines.slice(0, -1).filter((line) => line.includes(separator));
  return (
    complete.length > 0 &&
    complete.every(
      (line) =>
        !line
          .split(separator)
          .slice(1)
          .some((field) => !field.startsWith(" ")),
    )
  );
}
