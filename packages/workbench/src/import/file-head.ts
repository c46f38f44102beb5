/** Bytes at the beginning that tell what a file is. */
const HEAD = 4096;

/** The beginning of a file as characters whose numbers are its bytes. Decoders would take some of them for letters of Windows. */
export function fileHead(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, HEAD));
}
