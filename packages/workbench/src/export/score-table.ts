import type { Distribution } from "conformant";
import { LOG_IMPOSSIBLE, slotOffsets } from "conformant/remote";

/**
 * What column i adds to the M·K scores of components and classes (components first), as a table with a row per atom and a last row for a
 * missing value: s_ki(v) + log q_mi(v), and log Z_mki. Where an atom stands for many numbers its row omits the classifier's score, which is
 * {@link weightRow} times the number. One component needs no log q.
 */
export function scoreTable({ atoms, components, schema, tilt }: Distribution, i: number): number[][] {
  const K = tilt.intercept.length;
  const numeric = schema.columns[i].kind === "numeric";
  const rows = Array.from({ length: atoms.columns[i].count }, (_, j) => {
    const atom = atoms.offsets[i] + j;
    return components.flatMap(({ logQ }) => {
      const likelihood = components.length === 1 ? 0 : Math.max(logQ[atom], LOG_IMPOSSIBLE);
      return Array.from({ length: K }, (_, k) => likelihood + (numeric ? 0 : atoms.scores[atom * K + k]));
    });
  });
  return [...rows, components.flatMap(({ logZ }) => [...logZ.subarray(i * K, (i + 1) * K)])];
}

/** The weights of a numeric column, once per component: M·K numbers. */
export function weightRow({ components, schema, tilt }: Distribution, i: number): number[] {
  const K = tilt.intercept.length;
  const slot = slotOffsets(schema)[i];
  return components.flatMap(() => [...tilt.weights.subarray(slot * K, (slot + 1) * K)]);
}

/** The initial scores: b_k and, in a mixture, log π_m − log Z_m. */
export function constantRow({ components, tilt }: Distribution): number[] {
  return components.flatMap(({ logWeight, logNormaliser }) =>
    Array.from(tilt.intercept, (b) => (components.length === 1 ? b : b + logWeight - logNormaliser)),
  );
}
