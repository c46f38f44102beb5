import { random as seeded } from "conformant";

/** A whole number from 0 to `below` − 1. */
export type Draw = (below: number) => number;

/** The library's generator, one draw per 32 bits: the bias of a range of a thousand is below 1e-6 of a draw. */
export function random(seed: number): Draw {
  const { bits } = seeded(seed);
  return (below) => Math.floor((bits() / 2 ** 32) * below);
}

/** One seed from several numbers and words, so that each part of an evaluation draws its own numbers (FNV-1a). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join("\u0000")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash | 0;
}
