import { type Atoms, atomCode } from "../distribution/atoms.ts";
import type { FactorInFit } from "../gaussian/factor-in-fit.ts";
import type { FitContext } from "../kernels/context.ts";
import { type PackedColumns, packColumns } from "../kernels/packed-columns.ts";
import { passOver } from "../kernels/packed-passes.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import { type EncodedColumn, holdsNumbers, type Table } from "../schema/data.ts";
import type { WeightedRows } from "../schema/rows.ts";
import { type FactorFrames, factorsInFit } from "./mixture-problem.ts";

/** Some rows of a table as atoms, packed for passes over them, and as the cells of other factors. */
export interface AtomRows {
  readonly packed: PackedColumns;
  /** Per row. */
  readonly weights: Float64Array;
  /** Per factor beside the atoms, rows × its columns. */
  readonly cells: readonly Float64Array[];
  /** Where classes are known: that of each row, −1 for none. */
  readonly classes?: Int32Array;
}

/**
 * The rows of a table as atoms, those without gaps apart from those with: for a complete row no class is needed to tell
 * how likely each component is. Slots are the atoms; where there are gaps, column i has one more at its end, for the gap,
 * so that its slots start at offsets[i] + i.
 */
export interface SplitRows {
  readonly complete: AtomRows;
  readonly incomplete: AtomRows;
  readonly frames: FactorFrames;
  readonly totalWeight: number;
  /** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) of the complete rows, the part of their likelihood that no fit changes. */
  readonly logClassScores: number;
}

/** Turns the given rows of a table into atoms. Rows of weight 0 are left out. */
export function splitRows(
  { table, rows, weights, classes }: WeightedRows,
  atoms: Atoms,
  intercept: Float64Array,
  frames: FactorFrames,
  context: FitContext,
): SplitRows {
  const factors = factorsInFit(frames);
  const weighty = rows.filter((r) => weights[r] > 0);
  const hasGap = new Uint8Array(weighty.length);
  for (const cells of table.columns) markGaps(cells, weighty, hasGap);
  const part = (gap: number): AtomRows => {
    let chosen: Int32Array = weighty.filter((_, at) => hasGap[at] === gap);
    if (gap === 1) for (const factor of factors) chosen = factor.inOrder(table, chosen);
    return {
      packed: packAtoms(table, atoms, chosen, gap),
      weights: Float64Array.from(chosen, (r) => weights[r]),
      cells: factors.map((factor) => factor.cellsOf(table, chosen)),
      ...(classes && { classes: chosen.map((r) => classes[r]) }),
    };
  };
  const complete = part(0);
  return {
    complete,
    incomplete: part(1),
    frames,
    totalWeight: weighty.reduce((sum, r) => sum + weights[r], 0),
    logClassScores: logClassScores(atoms, intercept, complete, factors, context),
  };
}

function markGaps(cells: EncodedColumn, rows: Int32Array, hasGap: Uint8Array): void {
  const numbers = holdsNumbers(cells);
  for (let at = 0; at < rows.length; at++) {
    const cell = cells[rows[at]];
    if (numbers ? Number.isNaN(cell) : cell < 0) hasGap[at] = 1;
  }
}

/** Rows of a part, roughly: what comes to each part beside its rows is a fifth of its work then, for 784 bits and 50 components. */
const PART_ROWS = 1 << 15;

/** The rows in parts, those without gaps first; how many there are follows from the rows alone. */
export function cutRows(rows: SplitRows): SplitRows[] {
  const [complete, incomplete] = [cutAtomRows(rows.complete), cutAtomRows(rows.incomplete)];
  const none = (own: AtomRows): AtomRows => sliceRows(own, 0, 0);
  return [
    ...complete.map((own, at) => ({
      ...rows,
      complete: own,
      incomplete: none(rows.incomplete),
      logClassScores: at === 0 ? rows.logClassScores : 0,
    })),
    ...incomplete.map((own) => ({
      ...rows,
      complete: none(rows.complete),
      incomplete: own,
      logClassScores: 0,
    })),
  ];
}

function cutAtomRows(rows: AtomRows): AtomRows[] {
  const { length } = rows.weights;
  const count = length === 0 ? 0 : Math.max(1, Math.round(length / PART_ROWS));
  const each = Math.ceil(length / count);
  return Array.from({ length: count }, (_, part) =>
    sliceRows(rows, part * each, Math.min((part + 1) * each, length)),
  );
}

function sliceRows({ packed, weights, cells, classes }: AtomRows, from: number, to: number): AtomRows {
  const { rowStart, entries } = packed;
  const [first, last] = [rowStart[from], rowStart[to]];
  return {
    packed: {
      ...packed,
      rowStart: rowStart.subarray(from, to + 1).map((start) => start - first),
      entries: entries.subarray(first, last),
    },
    weights: weights.subarray(from, to),
    cells: cells.map((own) => {
      const width = own.length / weights.length;
      return own.subarray(from * width, to * width);
    }),
    ...(classes && { classes: classes.subarray(from, to) }),
  };
}

/** Packs rows as atoms, a slot each, and one more per column for the gap where `gap` is 1. */
function packAtoms(table: Table, atoms: Atoms, rows: Int32Array, gap: number): PackedColumns {
  const { columns, offsets } = atoms;
  const packable = columns.map(({ count }, i) => ({
    cells: atomCodes(table, atoms, i, rows),
    values: count + gap,
    slotOf: (atom: number) => offsets[i] + gap * i + atom,
  }));
  return packColumns(packable, offsets[columns.length] + gap * columns.length, rows.length);
}

/** The atoms of some rows in a column; a gap counts as one more. */
function atomCodes({ columns }: Table, atoms: Atoms, i: number, rows: Int32Array): EncodedColumn {
  const [cells, { count, edges }] = [columns[i], atoms.columns[i]];
  const codes = count < 127 ? new Int8Array(rows.length) : new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const code = edges ? atomCode(atoms, i, cells[rows[at]]) : cells[rows[at]];
    codes[at] = code < 0 ? count : code;
  }
  return codes;
}

/** Rows without gaps: packed as atoms, and as the cells of the other factors. */
interface ScoredRows {
  readonly packed: PackedColumns;
  readonly weights: Float64Array;
  readonly cells: readonly Float64Array[];
}

/** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) over rows without gaps: the part of their likelihood that no fit changes. */
export function logClassScores(
  atoms: Atoms,
  intercept: Float64Array,
  { packed, weights, cells }: ScoredRows,
  factors: readonly FactorInFit[],
  context: FitContext,
): number {
  const K = intercept.length;
  let sum = 0;
  passOver(packed, atoms.scores, intercept, context, ({ scores, line, from, to }) => {
    for (let r = from, at = 0; r < to; r++, at += line) {
      for (let f = 0; f < factors.length; f++) factors[f].addClassScores(cells[f], r, scores, at);
      sum += weights[r] * softmaxInPlace(scores, at, K);
    }
  });
  return sum;
}
