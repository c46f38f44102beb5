import type { MissingNormals } from "../gaussian/condition.ts";
import type { ScoringContext } from "../gaussian/patterns.ts";
import type { Table } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import type { Component, ComponentParts, MissingColumn } from "./distribution.ts";

/**
 * One factor of the product that a component is, a distribution q_m over some columns, in all components at once. Questions loop
 * over the factors of a model and know no more of them than this; many rows are scored by {@link FactorScores}.
 *
 * Shapes: M components, K classes, arrays M × K as `[m * K + k]`; y_o are the known cells of its columns in a row, x_h the
 * hidden ones.
 */
export interface Factor {
  /** Positions of its columns in the schema, ascending. */
  readonly columns: readonly number[];
  /**
   * Whether its columns are independent given component and class, each with finitely many values: what they say then adds
   * up column by column, and their gaps can be enumerated. Else what is hidden is jointly normal given what is known.
   */
  readonly independent: boolean;
  /** Adds log P_m(y_o | k) of a row to M × K numbers. */
  addLogGivenClass(table: Table, row: number, joint: Float64Array): void;
  /**
   * Adds log P_m(y_S | k) of the listed columns S, as if no other cell were known, to the M × K numbers from `at` on; up to a
   * constant that all (m, k) share. Columns of other factors and missing cells are skipped.
   *
   * @returns the size of the numbers whose differences these terms are
   */
  addEvidence(cells: Cells, columns: readonly number[], terms: Float64Array, at: number): number;
  /** What those of the listed columns may be that are its own and independent, each with finitely many values. */
  missingColumns(columns: readonly number[]): MissingColumn[];
  /**
   * The hidden columns of a row given the known ones, where they are jointly normal; undefined where none is.
   *
   * @param only the component that is wanted, all by default
   */
  missingNormals(table: Table, row: number, only?: number): MissingNormals | undefined;
  /** Component m with the values of its columns weighed by tilts, by position of the column: q(x) Π_i e^{tilt_i(x_i)}. */
  tilted(m: number, tilts: ReadonlyMap<number, Tilt>): TiltedFactor;
}

/** The logarithm of what a column's values are multiplied by. */
export interface Tilt {
  /** Of a cell: a number, or the code of a value. */
  readonly of: (cell: number) => number;
  /** Of a number, in which it is linear: by how much it rises from x to x + 1. */
  readonly slope: number;
}

export interface TiltedFactor {
  /** Its parameters, of any scale. */
  readonly parts: Partial<Pick<Component, "logQ">> & ComponentParts;
  /** log Σ_x q(x) Π_i e^{tilt_i(x_i)}. */
  readonly logFactor: number;
}

/** What a factor adds to the scores of rows, in all components at once: all that predictions ask of it. */
export interface FactorScores {
  /** As {@link Factor} has it. */
  readonly independent: boolean;
  /** How many rows are best scored at once. */
  readonly rowsTogether: number;
  /**
   * Adds the scores of rows `start` to `start + rows`.
   *
   * @param density log q_m(y_o), rows × M
   * @param gaps log ∫ q_m(x_h | y_o) e^{s_k(x_h)} dx_h, rows × (M·K)
   */
  addScores(
    table: Table,
    start: number,
    rows: number,
    density: Float64Array,
    gaps: Float64Array,
    context: ScoringContext,
  ): void;
}
