import { type Atoms, type Component, LOG_IMPOSSIBLE, type Schema } from "conformant";
import { encodeSql } from "./encode.ts";
import type { EngineDialect } from "./engine-dialect.ts";
import type { FieldSet } from "./fields.ts";
import { type Stage, sumSql } from "./stages.ts";

/** What an expectation step is asked about. */
export interface Rows {
  readonly schema: Schema;
  readonly fields: FieldSet;
  readonly atoms: Atoms;
}

/**
 * Log-linear scores of a row over the slots of its cells, and the sums of their softmax by slot:
 *
 *     s_a = constants[a] + Σ_i table[slot_i][a]        Σ_rows softmax_a(s) for every slot
 *
 * The slots of column i are its atoms and, where `gaps`, one more at the end for a gap: they start at offsets[i] + i then. One
 * more slot behind all others belongs to every row; the last sum there is Σ log Σ_a e^{s_a}.
 */
export interface SlotScores {
  readonly gaps: boolean;
  readonly constants: ArrayLike<number>;
  /** slots × constants, `table[slot * constants.length + a]`. */
  readonly table: ArrayLike<number>;
}

/** The number of slots without the one that belongs to every row. */
export function slotCount({ offsets, columns }: Atoms, gaps: boolean): number {
  return offsets[columns.length] + (gaps ? columns.length : 0);
}

/** Complete rows: s_m = log π_m − log Z_m + Σ_i log q_mi(x_i). */
export function completeScores({ offsets, columns }: Atoms, components: readonly Component[]): SlotScores {
  const slots = offsets[columns.length];
  return {
    gaps: false,
    constants: components.map(({ logWeight, logNormaliser }) => logWeight - logNormaliser),
    table: Array.from({ length: slots * components.length }, (_, at) =>
      possible(components[at % components.length].logQ[Math.floor(at / components.length)]),
    ),
  };
}

/** Σ_rows log of these scores' sum is the part of complete rows' likelihood that no fit changes: s_k = b_k + Σ_i s_ki(x_i). */
export function classScores({ scores }: Atoms, intercept: Float64Array): SlotScores {
  return { gaps: false, constants: intercept, table: scores };
}

/** Rows with gaps: s_mk = log π_m − log Z_m + b_k + Σ_known ( s_ki(y_i) + log q_mi(y_i) ) + Σ_missing log Z_mki. */
export function gappyScores(
  { offsets, columns, scores }: Atoms,
  intercept: Float64Array,
  components: readonly Component[],
): SlotScores {
  const [K, table] = [intercept.length, [] as number[]];
  columns.forEach((_, i) => {
    for (let j = offsets[i]; j < offsets[i + 1]; j++)
      for (const { logQ } of components)
        for (let k = 0; k < K; k++) table.push(possible(logQ[j]) + scores[j * K + k]);
    for (const { logZ } of components) table.push(...logZ.subarray(i * K, (i + 1) * K));
  });
  const constants = components.flatMap(({ logWeight, logNormaliser }) =>
    Array.from(intercept, (b) => logWeight - logNormaliser + b),
  );
  return { gaps: true, constants, table };
}

function possible(logQ: number): number {
  return Math.max(logQ, LOG_IMPOSSIBLE);
}

/** The sums of {@link SlotScores}: rows of slot, one sum per score, and the sum of the logarithm. */
export function slotSumsSql(
  dialect: EngineDialect,
  { schema, fields, atoms }: Rows,
  { gaps, constants, table }: SlotScores,
): string {
  const [n, width] = [atoms.columns.length, constants.length];
  const first = (i: number): number => atoms.offsets[i] + (gaps ? i : 0);
  const encoded: Stage = schema.columns.map((column, i) => [
    `x${i}_`,
    encodeSql(dialect, column, fields.fields.get(column.name)),
  ]);
  const places: Stage = schema.columns.map((_, i) => [`j${i}_`, slotSql(dialect, atoms, i)]);
  const scores: Stage = Array.from({ length: width }, (_, a) => {
    const terms = Array.from({ length: n }, (_, i) => {
      const count = atoms.columns[i].count + (gaps ? 1 : 0);
      const own = Array.from({ length: count }, (_, v) => table[(first(i) + v) * width + a]);
      return dialect.pick(`j${i}_`, own);
    });
    return [`s${a}_`, sumSql([dialect.number(constants[a]), ...terms])];
  });
  const { stages, share, logTotal } = dialect.softmax(scores.map(([name]) => name));
  const slots = Array.from({ length: n }, (_, i) => ({ slot: `j${i}_ + ${first(i)}` }));
  return dialect.sumPerSlot(
    { from: fields.from, stages: [encoded, places, scores, ...stages] },
    [...slots, { slot: String(slotCount(atoms, gaps)) }],
    [...scores.map((_, a) => share(a)), logTotal],
  );
}

/** The atom that the cell of column i falls into, counted from 0; the number of atoms for a gap. */
function slotSql(dialect: EngineDialect, { columns }: Atoms, i: number): string {
  const { edges, count } = columns[i];
  if (edges === undefined) return `CASE WHEN x${i}_ < 0 THEN ${count} ELSE x${i}_ END`;
  return `CASE WHEN ${dialect.nullForNan(`x${i}_`)} IS NULL THEN ${count} ELSE ${dialect.bin(`x${i}_`, edges)} END`;
}
