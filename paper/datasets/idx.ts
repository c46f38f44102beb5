import { readPacked } from "./data-folder.ts";

/** An array of bytes in the IDX format: the sizes of its dimensions, then the bytes, last dimension fastest. */
export interface Idx {
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array;
}

/** Reads a file, unpacked if its name ends in .gz. */
export function readIdx(path: string): Idx {
  const file = readPacked(path);
  const [type, dimensions] = [file[2], file[3]];
  if (file.readUInt16BE(0) !== 0 || type !== 8) throw new Error(`${path} is not an IDX file of bytes`);
  const sizes = Array.from({ length: dimensions }, (_, d) => file.readUInt32BE(4 + 4 * d));
  const bytes = new Uint8Array(file.buffer, file.byteOffset + 4 + 4 * dimensions);
  const expected = sizes.reduce((product, size) => product * size, 1);
  if (bytes.length < expected) throw new Error(`${path} ends after ${bytes.length} of ${expected} bytes`);
  return { sizes, bytes: bytes.subarray(0, expected) };
}
