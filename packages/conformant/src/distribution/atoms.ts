import { binOf } from "../math/search.ts";
import { offsets } from "../math/vectors.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { isLinear, slotOffsets } from "../schema/column.ts";

/** The finite support of one column: the values of a discrete column, or the representatives of a numeric one. */
export interface ColumnAtoms {
  readonly count: number;
  /** Numeric columns: ascending representatives. */
  readonly values?: Float64Array;
  /** Numeric columns: atom j holds the values in [edges[j − 1], edges[j]). */
  readonly edges?: Float64Array;
}

/**
 * The atoms of a column that another factor describes: one, of probability 1 and score 0, so that they add nothing anywhere and
 * the whole of the column is the other factor's.
 */
export const LONE_ATOM: ColumnAtoms = {
  count: 1,
  values: Float64Array.of(0),
  edges: new Float64Array(0),
};

/** All columns' atoms one after the other, with the classifier's scores on them. */
export interface Atoms {
  readonly columns: readonly ColumnAtoms[];
  /** Where each column's atoms start; the last entry is the number of atoms. */
  readonly offsets: Int32Array;
  /** s_k(atom): atoms × K, `scores[atom * K + k]`. */
  readonly scores: Float64Array;
}

/** Lays out the atoms and scores them with the classifier: w·r for numbers and bits, the weight of the value otherwise. */
export function createAtoms(tilt: ClassTilt, columns: readonly ColumnAtoms[]): Atoms {
  const { schema, weights } = tilt;
  const K = tilt.intercept.length;
  const start = offsets(columns.map((column) => column.count));
  const slots = slotOffsets(schema);
  const scores = new Float64Array(start[columns.length] * K);
  schema.columns.forEach((column, i) => {
    const linear = isLinear(column);
    for (let j = 0; j < columns[i].count; j++) {
      const slot = linear ? slots[i] : slots[i] + j;
      const factor = linear ? (columns[i].values?.[j] ?? j) : 1;
      for (let k = 0; k < K; k++) scores[(start[i] + j) * K + k] = factor * weights[slot * K + k];
    }
  });
  return { columns, offsets: start, scores };
}

/** The atom that cell x of column i falls into, counted within its column, or −1 where the cell is missing. */
export function atomCode({ columns }: Atoms, i: number, x: number): number {
  const { edges } = columns[i];
  if (edges === undefined) return x < 0 ? -1 : x;
  return Number.isNaN(x) ? -1 : binOf(edges, x);
}

/** The same counted among the atoms of all columns. */
export function atomOf(atoms: Atoms, i: number, x: number): number {
  const code = atomCode(atoms, i, x);
  return code < 0 ? -1 : atoms.offsets[i] + code;
}
