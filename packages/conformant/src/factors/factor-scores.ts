import type { Table } from "../schema/data.ts";

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
  addScores(table: Table, start: number, rows: number, density: Float64Array, gaps: Float64Array): void;
}
