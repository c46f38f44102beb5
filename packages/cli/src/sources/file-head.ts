import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";

const HEAD_BYTES = 1 << 20;

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

export function isZstandard(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528;
}

/** The encoding that a byte order mark at the beginning names. */
export function markedEncoding(head: Buffer): string | undefined {
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return utf16 ? "utf-16" : undefined;
}

/** The text of a head without its byte order mark; undefined where it is not in the encoding it is said to be in. */
export function decodeHead(head: Buffer, encoding: string | undefined): string | undefined {
  const isBigEndian = head[0] === 0xfe && head[1] === 0xff;
  const name = encoding === "utf-16" && isBigEndian ? "utf-16be" : (encoding ?? "utf-8");
  try {
    // A stream, for the head may end inside a character.
    return new TextDecoder(name, { fatal: true }).decode(head, { stream: true });
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown; // RangeError: no encoding of that name
  }
}
