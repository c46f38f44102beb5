import type { Random } from "conformant";

/** The numbers 0 … count − 1 in a random order (Fisher and Yates). */
export function shuffled(count: number, generator: Random): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let s = count - 1; s > 0; s--) {
    const other = generator.integer(s + 1);
    [order[s], order[other]] = [order[other], order[s]];
  }
  return order;
}
