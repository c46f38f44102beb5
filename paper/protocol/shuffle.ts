import { random } from "./random.ts";

/** The numbers 0 … count − 1 in a random order (Fisher and Yates). */
export function shuffle(count: number, seed: number): Int32Array {
  const g = random(seed);
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = 0; i < count - 1; i++) {
    const j = i + g(count - i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
