import { shuffle } from "../protocol/shuffle.ts";

/** Divides row numbers 80:20 at random, the same way for the same seed; each part in ascending order. */
export function split(rows: number, seed: number): { training: number[]; test: number[] } {
  const order = shuffle(rows, seed);
  const cut = Math.round(0.8 * rows);
  const ascending = (part: Int32Array): number[] => [...part].sort((a, b) => a - b);
  return { training: ascending(order.subarray(0, cut)), test: ascending(order.subarray(cut)) };
}
