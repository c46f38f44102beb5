import type { PackedColumns } from "./packed-columns.ts";
import { drainTable, fillTable, scatterEntries4, scoreEntries4 } from "./packed-scores.ts";

/** Score vectors that go through the rows together. */
const STRIDE = 4;
/** Rows that go forward and back together: their scores stay in the cache in between. */
const BATCH_ROWS = 256;

/**
 * Passes over packed rows with many score vectors ("outputs"): scores forward, weighted counts back. The outputs go four
 * at a time, so that the table over all entries stays in the cache.
 */
export class PackedPasses {
  /** Rows of a batch × outputs, row-major: scores on the way forward, which the caller turns into shares for the way back. */
  readonly batch: Float64Array;
  private readonly packed: PackedColumns;
  private readonly outputs: number;
  private readonly panels: readonly {
    base: Float64Array;
    table: Float64Array;
    sums: Float64Array;
    totals: Float64Array;
  }[];
  private readonly lane: Float64Array;

  constructor(packed: PackedColumns, outputs: number) {
    this.packed = packed;
    this.outputs = outputs;
    this.batch = new Float64Array(BATCH_ROWS * outputs);
    this.lane = new Float64Array(BATCH_ROWS * STRIDE);
    const entries = packed.entryStart.length - 1;
    this.panels = Array.from({ length: Math.ceil(outputs / STRIDE) }, () => ({
      base: new Float64Array(STRIDE),
      table: new Float64Array(entries * STRIDE),
      sums: new Float64Array(entries * STRIDE),
      totals: new Float64Array(STRIDE),
    }));
  }

  /** Takes the weights, slots × outputs row-major, and a constant per output; starts counts of zero. */
  load(weights: Float64Array, constants: Float64Array): void {
    const { packed, outputs } = this;
    const slots = packed.reference.length;
    const own = new Float64Array(slots * STRIDE);
    this.panels.forEach(({ base, table, sums, totals }, p) => {
      const width = Math.min(STRIDE, outputs - p * STRIDE);
      base.fill(0);
      for (let j = 0; j < width; j++) base[j] = constants[p * STRIDE + j];
      for (let slot = 0; slot < slots; slot++) {
        for (let j = 0; j < width; j++) {
          const weight = weights[slot * outputs + p * STRIDE + j];
          own[slot * STRIDE + j] = weight;
          if (packed.reference[slot] === 1) base[j] += weight;
        }
      }
      fillTable(packed, STRIDE, own, table);
      sums.fill(0);
      totals.fill(0);
    });
  }

  /** Scores all rows and hands each to `visit`: where its scores start in `batch`, and its position. Counts what that leaves there. */
  run(visit: (at: number, row: number) => void): void {
    const rows = this.packed.rowStart.length - 1;
    for (let from = 0; from < rows; from += BATCH_ROWS) {
      const to = Math.min(from + BATCH_ROWS, rows);
      this.score(from, to);
      for (let r = from; r < to; r++) visit((r - from) * this.outputs, r);
      this.scatter(from, to);
    }
  }

  private score(from: number, to: number): void {
    const { packed, outputs, lane, batch } = this;
    this.panels.forEach(({ base, table }, p) => {
      scoreEntries4(packed, from, to, base, table, lane);
      const width = Math.min(STRIDE, outputs - p * STRIDE);
      for (let r = 0; r < to - from; r++) {
        for (let j = 0; j < width; j++) batch[r * outputs + p * STRIDE + j] = lane[r * STRIDE + j];
      }
    });
  }

  private scatter(from: number, to: number): void {
    const { packed, outputs, lane, batch } = this;
    this.panels.forEach(({ sums, totals }, p) => {
      const width = Math.min(STRIDE, outputs - p * STRIDE);
      for (let r = 0; r < to - from; r++) {
        for (let j = 0; j < width; j++) {
          const share = batch[r * outputs + p * STRIDE + j];
          lane[r * STRIDE + j] = share;
          totals[j] += share;
        }
      }
      scatterEntries4(packed, from, to, lane, sums);
    });
  }

  /** The counts: slots × outputs, row-major. */
  counts(): Float64Array {
    const { packed, outputs } = this;
    const slots = packed.reference.length;
    const out = new Float64Array(slots * outputs);
    this.panels.forEach(({ sums, totals }, p) => {
      const own = new Float64Array(slots * STRIDE);
      drainTable(packed, STRIDE, sums, own);
      const width = Math.min(STRIDE, outputs - p * STRIDE);
      for (let slot = 0; slot < slots; slot++) {
        for (let j = 0; j < width; j++) {
          out[slot * outputs + p * STRIDE + j] = own[slot * STRIDE + j] + packed.reference[slot] * totals[j];
        }
      }
    });
    return out;
  }

  /** The sum of all shares per output. */
  totals(): Float64Array {
    return Float64Array.from(
      { length: this.outputs },
      (_, j) => this.panels[Math.floor(j / STRIDE)].totals[j % STRIDE],
    );
  }
}
