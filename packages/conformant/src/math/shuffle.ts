import type { Random } from "./random.ts";

/** Puts numbers into a random order, in place (Fisher and Yates), and gives them back. */
export function shuffle(order: Int32Array, generator: Random): Int32Array {
  for (let s = order.length - 1; s > 0; s--) {
    const other = generator.integer(s + 1);
    [order[s], order[other]] = [order[other], order[s]];
  }
  return order;
}
