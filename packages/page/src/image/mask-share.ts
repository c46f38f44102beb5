import { random } from "conformant";

/** The pixels in a random order; hiding a share hides the first ones, so that more hidden is always a superset. */
export function maskOrder(pixels: number, seed: number): Int32Array {
  const g = random(seed);
  const order = Int32Array.from({ length: pixels }, (_, i) => i);
  for (let i = pixels - 1; i > 0; i--) {
    const j = g.integer(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** 1 for each of the first `share` of the pixels in the order. */
export function maskShare(order: Int32Array, share: number): Uint8Array {
  const hidden = new Uint8Array(order.length);
  for (const i of order.subarray(0, Math.round(share * order.length))) hidden[i] = 1;
  return hidden;
}
