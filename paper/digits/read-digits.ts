import { join } from "node:path";
import { dataFolders, readPacked, requireFile } from "../datasets/data-folder.ts";

/** A handwritten digit: 784 bits, line by line, 1 where there is ink. */
export interface Digit {
  readonly label: string;
  readonly bits: Int8Array;
}

/** Pixels of one image: 28 lines of 28. */
export const PIXELS = 784;

/** MNIST as its publishers have it, pixels above half as ink. */
export function readMnist(part: "train" | "t10k"): Digit[] {
  const read = (file: string): Buffer =>
    readPacked(requireFile(dataFolders(), [join("mnist", `${file}.gz`), join("mnist", file)]));
  const pixels = read(`${part}-images-idx3-ubyte`).subarray(16);
  return Array.from(read(`${part}-labels-idx1-ubyte`).subarray(8), (label, r) => ({
    label: String(label),
    bits: Int8Array.from(pixels.subarray(r * PIXELS, (r + 1) * PIXELS), (shade) => (shade > 127 ? 1 : 0)),
  }));
}
