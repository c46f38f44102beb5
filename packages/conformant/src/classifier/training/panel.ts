import type { EntryRows, Kernels } from "../../kernels/kernels.ts";
import { drainTable, fillTable } from "../../kernels/plain/entry-changes.ts";
import { drainTable1, fillTable1, scatterEntries1, scoreEntries1 } from "../../packing/packed-scores.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import * as standard from "./standard-scores.ts";

/** Rows that go forward and back together: their scores and entries stay in the cache in between. */
export const BATCH_ROWS = 512;

/**
 * One panel's way through the rows, batch by batch: scores b + x̃·w forward, the gradient Σ_r x̃_r · residual_r back.
 */
export class Panel {
  /** Block rows × stride: scores after {@link score}; the caller turns them into residuals before {@link scatter}. */
  readonly scores: Float64Array;
  readonly #kernels: Kernels;
  readonly #rows: EntryRows;
  readonly #design: DesignMatrix;
  readonly #stride: 1 | 4;
  readonly #used: number;
  readonly #weights: PanelSums;
  readonly #gradient: PanelSums;

  /**
   * @param rows the design's packed rows, where the kernels find them
   * @param used outputs that are not padding
   */
  constructor(kernels: Kernels, rows: EntryRows, design: DesignMatrix, stride: 1 | 4, used: number) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#design = design;
    this.#stride = stride;
    this.#used = used;
    this.scores = kernels.numbers(BATCH_ROWS * stride);
    this.#weights = panelSums(kernels, design, stride);
    this.#gradient = panelSums(kernels, design, stride);
  }

  /** How many numbers the kernels hold for a panel. */
  static room(design: DesignMatrix, stride: number): number {
    return (
      BATCH_ROWS * stride + 2 * stride * (design.packed.entryStart.length + design.standard.slots.length) + 16
    );
  }

  /** Takes its part of the parameters, and starts a gradient of zero. */
  load(part: Float64Array): void {
    const [design, stride, weights, gradient] = [this.#design, this.#stride, this.#weights, this.#gradient];
    const fill = stride === 4 ? fillTable : fillTable1;
    fill(design.packed, part, weights.entries);
    design.standard.slots.forEach((slot, c) => {
      for (let j = 0; j < stride; j++) weights.numeric[c * stride + j] = part[slot * stride + j];
    });
    for (let j = 0; j < stride; j++) weights.total[j] = originScore(design, stride, part, j);
    weights.total.fill(Number.NEGATIVE_INFINITY, this.#used); // a padded column is a class of probability 0
    gradient.entries.fill(0);
    gradient.numeric.fill(0);
    gradient.total.fill(0);
  }

  /** Fills `scores` for the rows from … to − 1. */
  score(from: number, to: number): void {
    const { scores } = this;
    const [kernels, rows, design, weights] = [this.#kernels, this.#rows, this.#design, this.#weights];
    const stride = this.#stride;
    if (stride === 4) {
      kernels.scoreEntries(rows, from, to, weights.total, weights.entries, scores, stride);
      standard.addValues4(design.standard, from, to, weights.numeric, scores);
    } else {
      scoreEntries1(design.packed, from, to, weights.total, weights.entries, scores);
      standard.addValues1(design.standard, from, to, weights.numeric, scores);
    }
  }

  /** Adds the rows from … to − 1 to the gradient, with their residuals in `scores`. */
  scatter(from: number, to: number): void {
    const { scores } = this;
    const [kernels, rows, design, gradient, stride] = [
      this.#kernels,
      this.#rows,
      this.#design,
      this.#gradient,
      this.#stride,
    ];
    if (stride === 4) {
      kernels.scatterEntries(rows, from, to, scores, gradient.entries, stride);
      standard.scatterValues4(design.standard, from, to, scores, gradient.numeric);
    } else {
      scatterEntries1(design.packed, from, to, scores, gradient.entries);
      standard.scatterValues1(design.standard, from, to, scores, gradient.numeric);
    }
    for (let s = 0; s < (to - from) * stride; s += stride) {
      for (let j = 0; j < stride; j++) gradient.total[j] += scores[s + j];
    }
  }

  /** Overwrites its part of the gradient. */
  unload(part: Float64Array): void {
    const [design, stride, gradient] = [this.#design, this.#stride, this.#gradient];
    for (let slot = 0; slot <= design.slots; slot++) {
      const origin = slot < design.slots ? design.origin[slot] : 1;
      for (let j = 0; j < stride; j++) part[slot * stride + j] = origin * gradient.total[j];
    }
    const drain = stride === 4 ? drainTable : drainTable1;
    drain(design.packed, gradient.entries, part);
    design.standard.slots.forEach((slot, c) => {
      for (let j = 0; j < stride; j++) part[slot * stride + j] += gradient.numeric[c * stride + j];
    });
  }
}

/** Forward sums of weights, back sums of residuals. */
interface PanelSums {
  /** Entries × stride: weights summed over a entry's changes, residuals over the rows that have the entry. */
  readonly entries: Float64Array;
  /** Numeric columns × stride: the weights, and Σ_r value · residual. */
  readonly numeric: Float64Array;
  /** Stride: the scores of the origin row, and the sums of all residuals. */
  readonly total: Float64Array;
}

function panelSums(kernels: Kernels, design: DesignMatrix, stride: number): PanelSums {
  return {
    entries: kernels.numbers((design.packed.entryStart.length - 1) * stride),
    numeric: kernels.numbers(design.standard.slots.length * stride),
    total: kernels.numbers(stride),
  };
}

/** Intercept + Σ_slot origin_slot · weight_slot in column j. */
function originScore({ slots, origin }: DesignMatrix, stride: number, part: Float64Array, j: number): number {
  let sum = part[slots * stride + j];
  for (let slot = 0; slot < slots; slot++) sum += origin[slot] * part[slot * stride + j];
  return sum;
}
