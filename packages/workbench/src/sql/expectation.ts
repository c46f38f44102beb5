import type { Atoms, Component, Schema } from "conformant";
import { LOG_IMPOSSIBLE } from "conformant/remote";
import type { EngineDialect } from "./dialects/engine-dialect.ts";
import { encodeSql } from "./encode.ts";
import type { FieldSet } from "./fields.ts";
import { placeSql } from "./score-terms.ts";
import { groupSlots, type SlotGroup, slotsWithin } from "./slot-groups.ts";
import { type Stage, sumSql } from "./stages.ts";

/** The inputs of an expectation step. */
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
 * The slots of column i are its atoms and, where `gaps`, one more for a missing value; they start at offsets[i] + i then. A final slot
 * belongs to every row; its last sum is Σ log Σ_a e^{s_a}.
 */
export interface SlotScores {
  readonly gaps: boolean;
  readonly constants: ArrayLike<number>;
  /** slots × constants, `table[slot * constants.length + a]`. */
  readonly table: ArrayLike<number>;
}

/** The number of slots without the final one. */
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

/** Σ_rows of the log of these scores' sum is the part of the complete rows' likelihood that no fit changes: s_k = b_k + Σ_i s_ki(x_i). */
export function classScores({ scores }: Atoms, intercept: Float64Array): SlotScores {
  return { gaps: false, constants: intercept, table: scores };
}

/** Incomplete rows: s_mk = log π_m − log Z_m + b_k + Σ_known ( s_ki(y_i) + log q_mi(y_i) ) + Σ_missing log Z_mki. */
export function incompleteScores(
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

/** The first slot of column i. */
export function firstSlot({ offsets }: Atoms, gaps: boolean, i: number): number {
  return offsets[i] + (gaps ? i : 0);
}

/** The groups of columns whose slots are summed together, and the first slot of each; the slot of every row comes last. */
export function slotGroups(
  { columns }: Atoms,
  { gaps, constants }: SlotScores,
): { groups: SlotGroup[]; first: number[] } {
  const sizes = columns.map(({ count }) => count + (gaps ? 1 : 0));
  const groups = groupSlots(sizes, constants.length);
  const first = [0];
  for (const { count } of groups) first.push(first[first.length - 1] + count);
  return { groups, first };
}

/** The sums of {@link SlotScores} by the slots of {@link slotGroups}: rows of slot, one sum per score, and the sum of the logarithm. */
export function slotSumsSql(
  dialect: EngineDialect,
  { schema, fields, atoms }: Rows,
  slotScores: SlotScores,
): string {
  const { gaps, constants, table } = slotScores;
  const width = constants.length;
  const { groups, first } = slotGroups(atoms, slotScores);
  const encoded: Stage = schema.columns.map((column, i) => [
    `x${i}_`,
    encodeSql(dialect, column, fields.fields.get(column.name)),
  ]);
  const places: Stage = groups.map(({ columns, sizes }, g) => [
    `j${g}_`,
    columns
      .map((i) => `(${placeSql(dialect, atoms, i, gaps)})`)
      .reduce((above, own, c) => `(${above}) * ${sizes[c]} + ${own}`),
  ]);
  const own = (group: SlotGroup, a: number): number[] =>
    Array.from({ length: group.count }, (_, slot) =>
      slotsWithin(group, slot).reduce(
        (sum, v, c) => sum + table[(firstSlot(atoms, gaps, group.columns[c]) + v) * width + a],
        0,
      ),
    );
  const scores: Stage = Array.from({ length: width }, (_, a) => {
    const terms = groups.map((group, g) => dialect.pick(`j${g}_`, own(group, a)));
    return [`s${a}_`, sumSql([dialect.number(constants[a]), ...terms])];
  });
  const { stages, share, logTotal } = dialect.softmax(scores.map(([name]) => name));
  const slots = groups.map((_, g) => ({ slot: `j${g}_ + ${first[g]}` }));
  return dialect.sumPerSlot(
    { from: fields.from, stages: [encoded, places, scores, ...stages] },
    [...slots, { slot: String(first[groups.length]) }],
    [...scores.map((_, a) => share(a)), logTotal],
  );
}
