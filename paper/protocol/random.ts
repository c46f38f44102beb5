/** A whole number from 0 to `below` − 1. */
export type Draw = (below: number) => number;

/** A seeded generator, sfc32 (PractRand) with its state spread by splitmix32: the same numbers on every machine. */
export function random(seed: number): Draw {
  const spread = splitmix(seed);
  let [a, b, c, counter] = [spread(), spread(), spread(), 1];
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) bits();
  // 32 random bits: the bias of a range of a thousand is below 1e-6 of a draw.
  return (below) => Math.floor((bits() / 4294967296) * below);
}

function splitmix(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
}

/** One seed from several numbers and words, so that each part of an evaluation draws its own numbers (FNV-1a). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join("\u0000")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash | 0;
}
