import type { Atoms } from "../../model/atoms.ts";

/** What the classifier's scores multiply probabilities by: the same whatever the probabilities are. */
export interface Tilts {
  /** K, and one more where it is odd: the classes of an atom stand in lanes of two. */
  readonly lanes: number;
  /** e^{s_k(v)}: atoms × lanes, 1 where there is no class. */
  readonly factors: Float64Array;
  /** Columns that have scores too large for factors, ascending; their factors are 1. */
  readonly steep: Int32Array;
}

/** Atoms and what scores do to their probabilities. */
export interface TiltedAtoms {
  readonly atoms: Atoms;
  readonly tilts: Tilts;
}

/** e to this power and to its negative are numbers whose sums and products lose nothing. */
const STEEP = 300;

/** Atoms with their tilts for K classes. */
export function tiltAtoms(atoms: Atoms, K: number): TiltedAtoms {
  const { columns, offsets, scores } = atoms;
  const lanes = K + (K % 2);
  const factors = new Float64Array(offsets[columns.length] * lanes).fill(1);
  const isSteep = (i: number): boolean => {
    for (let at = offsets[i] * K; at < offsets[i + 1] * K; at++)
      if (!(Math.abs(scores[at]) <= STEEP)) return true;
    return false;
  };
  const steep: number[] = [];
  for (let i = 0; i < columns.length; i++) {
    if (isSteep(i)) {
      steep.push(i);
      continue;
    }
    for (let j = offsets[i]; j < offsets[i + 1]; j++)
      for (let k = 0; k < K; k++) factors[j * lanes + k] = Math.exp(scores[j * K + k]);
  }
  return { atoms, tilts: { lanes, factors, steep: Int32Array.from(steep) } };
}
