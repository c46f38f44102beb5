import type { FitContext } from "./context.ts";
import type { EntryChanges, EntryRows, FitKernels } from "./kernels.ts";
import type { PackedColumns } from "./packed-columns.ts";

/** Score vectors that go through the rows together. */
const STRIDE = 4;
/** Rows that go forward and back together, and their scores, which stay in the cache in between. */
const [LEAST_ROWS, MOST_ROWS, BATCH_SCORES] = [256, 4096, 1 << 17];

/** Four outputs: a table over all entries forward, sums over them back. */
interface Panel {
  readonly base: Float64Array;
  readonly table: Float64Array;
  readonly sums: Float64Array;
  /** Outputs that are not padding. */
  readonly width: number;
}

/** Some rows on the way through a pass. */
export interface Batch {
  /** The scores of the rows from … to − 1, a line each: outputs, and −∞ up to whole fours. What is left there, the shares, is counted. */
  readonly scores: Float64Array;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly kernels: FitKernels;
  /** Room for three numbers a row. */
  readonly work: readonly Float64Array[];
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
 * @param visit called with the scores of all rows, batch after batch
 */
export function passOver(
  packed: PackedColumns,
  weights: Float64Array,
  constants: Float64Array,
  context: FitContext,
  visit: (batch: Batch) => void,
): PassCounts {
  const outputs = constants.length;
  const rows = packed.rowStart.length - 1;
  const together = Math.min(rows, MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(BATCH_SCORES / outputs)));
  const line = Math.ceil(outputs / STRIDE) * STRIDE;
  const entries = packed.entryStart.length - 1;
  const { changeSlot, reference } = packed;
  const forRows = together * (line + 3) + (rows + packed.entries.length) / 2;
  const forTables = line * (2 * entries + 1) + 4 * reference.length + entries / 2 + 1.5 * changeSlot.length;
  const room = forRows + forTables + 64;
  return context.use(room, (kernels) => {
    const pass = new Pass(kernels, packed, outputs);
    pass.load(weights, constants);
    const scores = kernels.numbers(together * line);
    const work = Array.from({ length: 3 }, () => kernels.numbers(together));
    for (let from = 0; from < rows; from += together) {
      const batch = { scores, line, from, to: Math.min(from + together, rows), kernels, work };
      pass.score(batch);
      visit(batch);
      pass.scatter(batch);
    }
    return pass.counts();
  });
}

class Pass {
  readonly #kernels: FitKernels;
  readonly #packed: PackedColumns;
  readonly #outputs: number;
  readonly #rows: EntryRows;
  readonly #changes: EntryChanges;
  readonly #panels: readonly Panel[];
  /** Slots × 4. */
  readonly #slots: Float64Array;
  readonly #totals: Float64Array;

  constructor(kernels: FitKernels, packed: PackedColumns, outputs: number) {
    const entries = packed.entryStart.length - 1;
    this.#kernels = kernels;
    this.#packed = packed;
    this.#outputs = outputs;
    this.#rows = kernels.holdEntries(packed);
    this.#changes = kernels.holdChanges(packed);
    this.#slots = kernels.numbers(packed.reference.length * STRIDE);
    this.#panels = Array.from({ length: Math.ceil(outputs / STRIDE) }, (_, p) => ({
      base: kernels.numbers(STRIDE),
      table: kernels.numbers(entries * STRIDE),
      sums: kernels.numbers(entries * STRIDE).fill(0),
      width: Math.min(STRIDE, outputs - p * STRIDE),
    }));
    this.#totals = new Float64Array(this.#panels.length * STRIDE);
  }

  load(weights: Float64Array, constants: Float64Array): void {
    const { reference } = this.#packed;
    const own = this.#slots.fill(0);
    this.#panels.forEach(({ base, table, width }, p) => {
      base.fill(Number.NEGATIVE_INFINITY); // a padded output is one of probability 0
      for (let j = 0; j < width; j++) base[j] = constants[p * STRIDE + j];
      for (let slot = 0; slot < reference.length; slot++) {
        for (let j = 0; j < width; j++) {
          const weight = weights[slot * this.#outputs + p * STRIDE + j];
          own[slot * STRIDE + j] = weight;
          if (reference[slot] === 1) base[j] += weight;
        }
      }
      if (width < STRIDE)
        for (let at = width; at < own.length; at += STRIDE) own.fill(0, at, at + STRIDE - width);
      this.#kernels.fillTable(this.#changes, own, table);
    });
  }

  /** Writes the scores of a batch. */
  score({ scores, line, from, to }: Batch): void {
    this.#panels.forEach(({ base, table }, p) => {
      const own = scores.subarray(p * STRIDE);
      this.#kernels.scoreEntries(this.#rows, from, to, base, table, own, line);
    });
  }

  /** Counts the shares of a batch. */
  scatter({ scores, line, from, to }: Batch): void {
    const totals = this.#totals;
    for (let at = 0; at < (to - from) * line; at += line)
      for (let j = 0; j < line; j++) totals[j] += scores[at + j];
    this.#panels.forEach(({ sums }, p) => {
      this.#kernels.scatterEntries(this.#rows, from, to, scores.subarray(p * STRIDE), sums, line);
    });
  }

  counts(): PassCounts {
    const { reference } = this.#packed;
    const [outputs, totals] = [this.#outputs, this.#totals];
    const counts = new Float64Array(reference.length * outputs);
    const own = this.#slots;
    this.#panels.forEach(({ sums, width }, p) => {
      this.#kernels.drainTable(this.#changes, sums, own.fill(0));
      for (let slot = 0; slot < reference.length; slot++) {
        for (let j = 0; j < width; j++)
          counts[slot * outputs + p * STRIDE + j] =
            own[slot * STRIDE + j] + reference[slot] * totals[p * STRIDE + j];
      }
    });
    return { counts, totals: totals.slice(0, outputs) };
  }
}

/*
 * The passes over packed rows for one output, and what stands between weights of slots and tables over entries, as the kernels have them for
 * four. `scores` starts at row `from`.
 */

/** scores_r = base + Σ_{entries p of row r} table_p for the rows from … to − 1. */
export function scoreEntries1(
  { rowStart, entries }: PackedColumns,
  from: number,
  to: number,
  base: Float64Array,
  table: Float64Array,
  scores: Float64Array,
): void {
  for (let r = from; r < to; r++) {
    let a = base[0];
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) a += table[entries[i]];
    scores[r - from] = a;
  }
}

/** sums_p += Σ_{rows r with entry p} residuals_r, over the rows from … to − 1: the transpose of scoring. */
export function scatterEntries1(
  { rowStart, entries }: PackedColumns,
  from: number,
  to: number,
  residuals: Float64Array,
  sums: Float64Array,
): void {
  for (let r = from; r < to; r++) {
    const a = residuals[r - from];
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) sums[entries[i]] += a;
  }
}

/** table_p = Σ_{changes of p} change · weights_slot, one number each. */
export function fillTable1(
  { entryStart, changeSlot, change }: PackedColumns,
  weights: Float64Array,
  table: Float64Array,
): void {
  for (let p = 0; p + 1 < entryStart.length; p++) {
    let sum = 0;
    for (let i = entryStart[p]; i < entryStart[p + 1]; i++) sum += change[i] * weights[changeSlot[i]];
    table[p] = sum;
  }
}

/** gradient_slot += Σ_{entries p that change the slot} change · sums_p: the transpose of {@link fillTable1}. */
export function drainTable1(
  { entryStart, changeSlot, change }: PackedColumns,
  sums: Float64Array,
  gradient: Float64Array,
): void {
  for (let p = 0; p + 1 < entryStart.length; p++)
    for (let i = entryStart[p]; i < entryStart[p + 1]; i++) gradient[changeSlot[i]] += change[i] * sums[p];
}
