import type { Atoms, ClassTilt, Component } from "conformant";
import type { Answer, Expectation } from "conformant/remote";
import {
  classScores,
  completeScores,
  type FieldSet,
  firstSlot,
  incompleteScores,
  type Shape,
  type SlotScores,
  slotCount,
  slotGroups,
  slotSumsSql,
  slotsWithin,
} from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";

/**
 * Computes each expectation step with one query that runs where the rows are and returns sums, M × atoms.
 *
 * @param hasGaps whether any of the columns has a gap
 */
export function expectInEngine(
  connector: Connector,
  fields: FieldSet,
  { schema, intercept }: ClassTilt,
  hasGaps: boolean,
): Answer {
  const sums = (atoms: Atoms, scores: SlotScores): Promise<Float64Array> =>
    readSums(connector, slotSumsSql(connector.dialect, { schema, fields, atoms }, scores), atoms, scores);
  if (hasGaps)
    return async (components, atoms) =>
      gappyExpectation(
        atoms,
        components,
        intercept.length,
        await sums(atoms, incompleteScores(atoms, intercept, components)),
      );
  let unchanging: number | undefined;
  return async (components, atoms) => {
    unchanging ??= (await sums(atoms, classScores(atoms, intercept))).at(-1) ?? 0;
    const found = await sums(atoms, completeScores(atoms, components));
    return completeExpectation(atoms, components.length, found, unchanging);
  };
}

/**
 * The sums by slot: (slots + 1) × (scores + 1). The last row is for all rows of the table, the last number is the sum of logarithms. The query
 * returns sums by slots of groups of columns; the sums of one column add up over the other columns of its group.
 */
async function readSums(
  connector: Connector,
  sql: string,
  atoms: Atoms,
  scores: SlotScores,
): Promise<Float64Array> {
  const [width, all] = [scores.constants.length + 1, slotCount(atoms, scores.gaps)];
  const sums = new Float64Array((all + 1) * width);
  const slotsOf = slotFinder(atoms, scores);
  const shapes: Shape[] = ["code", ...new Array<Shape>(width).fill("number")];
  for await (const { rows, columns } of connector.query(sql, shapes))
    for (let r = 0; r < rows; r++)
      for (const slot of slotsOf(Number(columns[0][r])) ?? [all])
        for (let a = 0; a < width; a++) sums[slot * width + a] += Number(columns[a + 1][r]);
  return sums;
}

/** The slots of the columns that a slot of a group represents; undefined for the slot of all rows. */
function slotFinder(atoms: Atoms, scores: SlotScores): (slot: number) => number[] | undefined {
  const { groups, first } = slotGroups(atoms, scores);
  return (slot) => {
    const g = first.findIndex((start) => slot < start) - 1;
    if (g < 0) return undefined;
    const within = slotsWithin(groups[g], slot - first[g]);
    return groups[g].columns.map((i, c) => firstSlot(atoms, scores.gaps, i) + within[c]);
  };
}

function completeExpectation(
  { offsets, columns }: Atoms,
  M: number,
  sums: Float64Array,
  unchanging: number,
): Expectation {
  const A = offsets[columns.length];
  const column = (m: number): Float64Array =>
    Float64Array.from({ length: A }, (_, j) => sums[j * (M + 1) + m]);
  return {
    logLikelihood: sums[sums.length - 1] + unchanging,
    componentWeights: sums.slice(A * (M + 1), -1),
    counts: Array.from({ length: M }, (_, m) => column(m)),
  };
}

/** A missing column counts with P(v | y, m) = Σ_k P(k | y, m) P_m(v | k). */
function gappyExpectation(
  atoms: Atoms,
  components: readonly Component[],
  K: number,
  sums: Float64Array,
): Expectation {
  const { offsets, columns, scores } = atoms;
  const width = components.length * K + 1;
  const overClasses = (slot: number, m: number): number =>
    sums.subarray(slot * width + m * K, slot * width + (m + 1) * K).reduce((a, b) => a + b, 0);
  const counts = components.map(({ logQ, logZ }, m) => {
    const own = new Float64Array(offsets[columns.length]);
    columns.forEach((_, i) => {
      const gap = (offsets[i + 1] + i) * width + m * K;
      for (let j = offsets[i]; j < offsets[i + 1]; j++) {
        own[j] = overClasses(j + i, m);
        for (let k = 0; k < K; k++)
          own[j] += sums[gap + k] * Math.exp(logQ[j] + scores[j * K + k] - logZ[i * K + k]);
      }
    });
    return own;
  });
  const all = slotCount(atoms, true);
  return {
    logLikelihood: sums[sums.length - 1],
    componentWeights: Float64Array.from(components, (_, m) => overClasses(all, m)),
    counts,
  };
}
