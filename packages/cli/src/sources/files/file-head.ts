import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { CliError, quoted } from "../../errors.ts";

const HEAD_BYTES = 1 << 20;
/** The most bytes of a head after decompression. */
const UNPACKED_BYTES = 16 << 20;

/** The beginning of a file, decompressed if it is gzip, unless requested otherwise. */
export function readHead(path: string, unpack = true): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const head = bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    return unpack && isGzip(head) ? unpackHead(head) : head;
  } finally {
    closeSync(file);
  }
}

/** Decompresses a gzip file's head up to {@link UNPACKED_BYTES}: one byte may expand to a thousand. */
function unpackHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: UNPACKED_BYTES });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw thrown;
    return unpackHead(head.subarray(0, head.length >> 1));
  }
}

export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

export function isZstandard(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528;
}

/** The encoding of a file: by its byte order mark, else the given one, else UTF-8. */
export function encodingOf(head: Buffer, said: string | undefined): string {
  const known = knownEncoding(said);
  return markedEncoding(head) ?? known ?? "utf-8";
}

/** An encoding by its standard name. */
function knownEncoding(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name.replace(/^latin-/i, "latin")).encoding;
  } catch (cause) {
    throw new CliError(
      "usage",
      `--encoding ${quoted(name)} is not known, expected utf-8, utf-16, latin-1 or another`,
      { cause },
    );
  }
}

/** The encoding that a byte order mark at the beginning names, where it is not UTF-8. */
function markedEncoding(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined;
}

/** The text of a head without its byte order mark; undefined if it is not in that encoding. */
export function decodeHead(head: Buffer, encoding: string): string | undefined {
  try {
    // In stream mode, because the head may end inside a character.
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}
