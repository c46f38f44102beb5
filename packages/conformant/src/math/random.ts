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

/** The generator sfc32 by Chris Doty-Humphrey (PractRand), its state spread from one seed by splitmix32. */
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
