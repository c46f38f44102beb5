import { binOf } from "../math/bin-of.ts";
import { logSumExp } from "../math/exponential/log-sum-exp.ts";
import { logAtomGivenClass, type Model } from "../model/model.ts";

/** A missing column with finitely many values and what it may be. */
export interface MissingColumn {
  /** Position in the schema. */
  readonly index: number;
  /** Number of values. */
  readonly count: number;
  /** The cell of value v: the number that represents it, or its code. */
  readonly cellOf: (v: number) => number;
  /** The value that a known cell is, or falls into. */
  readonly codeOf: (cell: number) => number;
  /** P_m(v | k): values × M × K, `conditional[v * M * K + m * K + k]`. */
  readonly conditional: Float64Array;
  /** Its logarithm, in the same layout. */
  readonly logConditional: Float64Array;
}

/** A sum whose logarithm is this near 0 is 1 up to rounding. */
const NORMAL = 1e-12;

/** P_m(v | k) = q_m(v) e^{s_k(v)} / Z_mk for all atoms v of a column. */
export function missingAtoms({ atoms, components, classifier }: Model, index: number): MissingColumn {
  const K = classifier.classes.length;
  const outcomes = components.length * K;
  const { count, values, edges } = atoms.columns[index];
  const logConditional = new Float64Array(count * outcomes);
  components.forEach((component, m) => {
    for (let v = 0; v < count; v++) {
      for (let k = 0; k < K; k++) {
        const atom = atoms.offsets[index] + v;
        logConditional[v * outcomes + m * K + k] = logAtomGivenClass(atoms, component, index, atom, k);
      }
    }
  });
  normalise(logConditional, count, outcomes);
  const cellOf = (v: number): number => values?.[v] ?? v;
  const codeOf = (cell: number): number => (edges ? binOf(edges, cell) : cell);
  return { index, count, cellOf, codeOf, conditional: logConditional.map(Math.exp), logConditional };
}

/** Beside large scores log q − log Z loses its digits, and what was a distribution need not sum to 1. */
function normalise(logConditional: Float64Array, count: number, outcomes: number): void {
  const logs = new Float64Array(count);
  for (let a = 0; a < outcomes; a++) {
    for (let v = 0; v < count; v++) logs[v] = logConditional[v * outcomes + a];
    const logSum = logSumExp(logs);
    if (Math.abs(logSum) > NORMAL) for (let v = 0; v < count; v++) logConditional[v * outcomes + a] -= logSum;
  }
}
