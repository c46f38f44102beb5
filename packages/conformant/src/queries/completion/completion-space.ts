import { logSumExp } from "../../math/log-sum-exp.ts";
import { logAtomGivenClass, type Model } from "../../model/model.ts";
import { posteriorOfRow } from "../../posterior/predict-row.ts";
import { isGapCell, type Table } from "../../schema/data.ts";
import { type HiddenBlock, hiddenBlock } from "./hidden-block.ts";

/** A missing column and what it may be. */
export interface MissingColumn {
  /** Position in the schema. */
  readonly index: number;
  /** Number of atoms. */
  readonly count: number;
  /** P_m(v | k): atoms × M × K, `conditional[v * M * K + m * K + k]`. */
  readonly conditional: Float64Array;
  /** Its logarithm, in the same layout. */
  readonly logConditional: Float64Array;
}

/**
 * All ways to complete a row: given component and class the missing columns are independent, but for those of a Gaussian
 * block, which are jointly normal,
 *
 *     P(x_missing | y) = Σ_mk P(m, k | y) Π_i P_m(x_i | k) · P_m(x_h | y_o, k)
 */
export interface CompletionSpace {
  readonly model: Model;
  readonly K: number;
  /** P(m, k | y), M × K. */
  readonly posterior: Float64Array;
  /** The missing columns with atoms. */
  readonly missing: readonly MissingColumn[];
  /** The missing columns of the block, where there are any. */
  readonly hidden?: HiddenBlock;
  /** How many completions there are; Infinity beyond the range of numbers, and where numbers of a block are missing. */
  readonly size: number;
}

/** The completions of row `row` of a table. */
export function completionSpace(model: Model, table: Table, row: number): CompletionSpace {
  const missing: MissingColumn[] = [];
  const hidden = hiddenBlock(model, table, row);
  for (let i = 0; i < table.columns.length; i++) {
    if (isGapCell(table.columns[i], row) && !hidden?.columns.includes(i))
      missing.push(missingColumn(model, i));
  }
  return {
    model,
    K: model.classifier.classes.length,
    posterior: posteriorOfRow(model, table, row),
    missing,
    ...(hidden && { hidden }),
    size: hidden ? Number.POSITIVE_INFINITY : sizeOf(missing),
  };
}

/** In how many ways the columns with atoms can be completed. */
export function sizeOf(missing: readonly MissingColumn[]): number {
  return missing.reduce((product, { count }) => product * count, 1);
}

/** Beside large scores log q − log Z loses its digits, and what was a distribution need not sum to 1. */
function normalise(logConditional: Float64Array, count: number, cells: number): void {
  const logs = new Float64Array(count);
  for (let a = 0; a < cells; a++) {
    for (let v = 0; v < count; v++) logs[v] = logConditional[v * cells + a];
    const logSum = logSumExp(logs);
    if (Math.abs(logSum) > NORMAL) for (let v = 0; v < count; v++) logConditional[v * cells + a] -= logSum;
  }
}

/** A sum whose logarithm is this near 0 is 1 up to rounding. */
const NORMAL = 1e-12;

/** P_m(v | k) = q_m(v) e^{s_k(v)} / Z_mk for all atoms v of a column. */
export function missingColumn({ atoms, components, classifier }: Model, index: number): MissingColumn {
  const K = classifier.classes.length;
  const cells = components.length * K;
  const { count } = atoms.columns[index];
  const logConditional = new Float64Array(count * cells);
  components.forEach((component, m) => {
    for (let v = 0; v < count; v++) {
      for (let k = 0; k < K; k++) {
        const atom = atoms.offsets[index] + v;
        logConditional[v * cells + m * K + k] = logAtomGivenClass(atoms, component, index, atom, k);
      }
    }
  });
  normalise(logConditional, count, cells);
  return { index, count, conditional: logConditional.map(Math.exp), logConditional };
}
