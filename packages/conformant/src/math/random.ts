import { requireOrdered } from "../errors.ts";

/** A seeded source of numbers, the same in every JavaScript engine. */
export interface Random {
  /** 32 random bits, a whole number from 0 to 2³² − 1. */
  bits(): number;
  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number;
  /** A whole number from 0 to `below` − 1. */
  integer(below: number): number;
  /** Standard normal (Box–Muller). */
  normal(): number;
}

/**
 * The generator sfc32 by Chris Doty-Humphrey (PractRand), its state spread from one seed by splitmix32.
 *
 *     random(1).uniform(); // the same number in Node and in every browser
 */
export function random(seed: number): Random {
  let mix = requireOrdered("seed", seed) | 0;
  const next = (): number => {
    mix = (mix + 0x9e3779b9) | 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let [a, b, c, counter] = [next(), next(), next(), 1];
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) bits();

  const uniform = (): number => ((bits() >>> 5) * 67108864 + (bits() >>> 6)) / 9007199254740992;
  return {
    bits,
    uniform,
    integer: (below) => Math.floor(uniform() * below),
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}

/**
 * An index from 0 to `count` − 1, drawn with probability proportional to its weight; the last one where all weights are 0.
 *
 * @param total the sum of the weights, where it is known
 */
export function drawIndex(
  generator: Random,
  count: number,
  weight: (index: number) => number,
  total: number = sumOf(count, weight),
): number {
  let left = generator.uniform() * total;
  for (let j = 0; j < count - 1; j++) {
    left -= weight(j);
    if (left < 0) return j;
  }
  return count - 1;
}

function sumOf(count: number, weight: (index: number) => number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += weight(j);
  return sum;
}

/** Puts numbers into a random order, in place (Fisher and Yates), and gives them back. */
export function shuffle(order: Int32Array, generator: Random): Int32Array {
  for (let s = order.length - 1; s > 0; s--) {
    const other = generator.integer(s + 1);
    [order[s], order[other]] = [order[other], order[s]];
  }
  return order;
}
