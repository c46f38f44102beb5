/** The number of bytes at the beginning that identify a file. */
const HEAD = 4096;

/** The beginning of a file as characters whose codes are its bytes. Text decoders would replace some of them. */
export function fileHead(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, HEAD));
}
