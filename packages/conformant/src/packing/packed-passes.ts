import { lendKernels } from "../kernels/fast-kernels.ts";
import type { EntryRows, Kernels } from "../kernels/kernels.ts";
import type { PackedColumns } from "./packed-columns.ts";
import { drainTable, fillTable } from "./packed-scores.ts";

/** Score vectors that go through the rows together. */
const STRIDE = 4;
/** Rows that go forward and back together, and their scores, which stay in the cache in between. */
const [LEAST_ROWS, MOST_ROWS, BATCH_SCORES] = [256, 4096, 1 << 17];

/** Four outputs: a table over all entries forward, sums over them back. */
interface Panel {
  readonly base: Float64Array;
  readonly table: Float64Array;
  readonly sums: Float64Array;
  readonly totals: Float64Array;
  /** Outputs that are not padding. */
  readonly width: number;
}

/** What a pass has counted. */
export interface PassCounts {
  /** Σ_r share · x_r: slots × outputs, row-major. */
  readonly counts: Float64Array;
  /** Σ_r share per output. */
  readonly totals: Float64Array;
}

/**
 * A pass over packed rows with many score vectors ("outputs"): scores forward, weighted counts back. The outputs go four
 * at a time, so that the table over all entries stays in the cache.
 *
 * @param weights slots × outputs, row-major
 * @param constants one per output
 * @param visit called for every row with the scores of a batch, rows × outputs, where those of the row start, and its position; what it
 * leaves there, the shares, is counted
 */
export function passOver(
  packed: PackedColumns,
  weights: Float64Array,
  constants: Float64Array,
  visit: (batch: Float64Array, at: number, row: number) => void,
): PassCounts {
  const outputs = constants.length;
  const rows = packed.rowStart.length - 1;
  const together = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(BATCH_SCORES / outputs)));
  const panels = Math.ceil(outputs / STRIDE);
  const entries = packed.entryStart.length - 1;
  const room =
    panels * (2 * entries + 3) * STRIDE + together * STRIDE + (rows + packed.entries.length) / 2 + 64;
  return lendKernels(room, (kernels) => {
    const pass = new Pass(kernels, packed, outputs, together);
    pass.load(weights, constants);
    const batch = new Float64Array(together * outputs);
    for (let from = 0; from < rows; from += together) {
      const to = Math.min(from + together, rows);
      pass.score(from, to, batch);
      for (let r = from; r < to; r++) visit(batch, (r - from) * outputs, r);
      pass.scatter(from, to, batch);
    }
    return pass.counts();
  });
}

class Pass {
  readonly #kernels: Kernels;
  readonly #packed: PackedColumns;
  readonly #outputs: number;
  readonly #rows: EntryRows;
  readonly #panels: readonly Panel[];
  readonly #lane: Float64Array;

  constructor(kernels: Kernels, packed: PackedColumns, outputs: number, together: number) {
    const entries = packed.entryStart.length - 1;
    this.#kernels = kernels;
    this.#packed = packed;
    this.#outputs = outputs;
    this.#rows = kernels.holdEntries(packed);
    this.#lane = kernels.numbers(together * STRIDE);
    this.#panels = Array.from({ length: Math.ceil(outputs / STRIDE) }, (_, p) => ({
      base: kernels.numbers(STRIDE),
      table: kernels.numbers(entries * STRIDE),
      sums: kernels.numbers(entries * STRIDE).fill(0),
      totals: new Float64Array(STRIDE),
      width: Math.min(STRIDE, outputs - p * STRIDE),
    }));
  }

  load(weights: Float64Array, constants: Float64Array): void {
    const { reference } = this.#packed;
    const own = new Float64Array(reference.length * STRIDE);
    this.#panels.forEach(({ base, table, width }, p) => {
      base.fill(0);
      for (let j = 0; j < width; j++) base[j] = constants[p * STRIDE + j];
      for (let slot = 0; slot < reference.length; slot++) {
        for (let j = 0; j < width; j++) {
          const weight = weights[slot * this.#outputs + p * STRIDE + j];
          own[slot * STRIDE + j] = weight;
          if (reference[slot] === 1) base[j] += weight;
        }
      }
      fillTable(this.#packed, STRIDE, own, table);
    });
  }

  /** Writes the scores of some rows, rows × outputs. */
  score(from: number, to: number, batch: Float64Array): void {
    const [lane, outputs] = [this.#lane, this.#outputs];
    this.#panels.forEach(({ base, table, width }, p) => {
      this.#kernels.scoreEntries(this.#rows, from, to, base, table, lane);
      for (let r = 0; r < to - from; r++)
        for (let j = 0; j < width; j++) batch[r * outputs + p * STRIDE + j] = lane[r * STRIDE + j];
    });
  }

  /** Counts the shares of some rows. */
  scatter(from: number, to: number, batch: Float64Array): void {
    const [lane, outputs] = [this.#lane, this.#outputs];
    this.#panels.forEach(({ sums, totals, width }, p) => {
      if (width < STRIDE) lane.fill(0);
      for (let r = 0; r < to - from; r++) {
        for (let j = 0; j < width; j++) {
          const share = batch[r * outputs + p * STRIDE + j];
          lane[r * STRIDE + j] = share;
          totals[j] += share;
        }
      }
      this.#kernels.scatterEntries(this.#rows, from, to, lane, sums);
    });
  }

  counts(): PassCounts {
    const { reference } = this.#packed;
    const outputs = this.#outputs;
    const counts = new Float64Array(reference.length * outputs);
    this.#panels.forEach(({ sums, totals, width }, p) => {
      const own = new Float64Array(reference.length * STRIDE);
      drainTable(this.#packed, STRIDE, sums, own);
      for (let slot = 0; slot < reference.length; slot++) {
        for (let j = 0; j < width; j++)
          counts[slot * outputs + p * STRIDE + j] = own[slot * STRIDE + j] + reference[slot] * totals[j];
      }
    });
    const totals = Float64Array.from(
      { length: outputs },
      (_, j) => this.#panels[Math.floor(j / STRIDE)].totals[j % STRIDE],
    );
    return { counts, totals };
  }
}
