import type { FitContext } from "../kernels/context.ts";
import type { EntryRows, Kernels } from "../kernels/kernels.ts";
import { drainTable1, fillTable1, scatterEntries1, scoreEntries1 } from "../kernels/packed-passes.ts";
import { drainTable, fillTable } from "../kernels/plain-fitting.ts";
import { exponential } from "../math/exponential.ts";
import type { Objective } from "../math/lbfgs.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import * as standard from "./numeric-columns.ts";

/**
 * Σ_r weight_r · loss_r + ½·l2·‖w‖² and its gradient, scikit-learn's objective with C = 1/l2 and a free intercept.
 *
 *     two classes:  loss = log(1 + e^z) − [label = 1]·z,   z = b + w·x̃
 *     K > 2:        loss = log Σ_k e^{z_k} − z_label,      z_k = b_k + w_k·x̃
 *
 * @param layout of the parameters and of the gradient
 * @param labels class code of every row
 */
export function logisticLoss(
  design: DesignMatrix,
  layout: PanelLayout,
  labels: Int32Array,
  l2: number,
  context: FitContext,
): Objective {
  const { packed, rows, rowWeights } = design;
  const { stride, outputs } = layout;
  const residuals = outputs === 1 ? binaryResiduals : softmaxResiduals(BATCH_ROWS);
  const pass = (kernels: Kernels, parameters: Float64Array, gradient: Float64Array): number => {
    const held = stride === 1 ? packed : kernels.holdEntries(packed);
    const panels = Array.from(
      { length: layout.panels },
      (_, p) => new Panel(kernels, held, design, stride, Math.min(stride, outputs - p * stride)),
    );
    for (const [p, panel] of panels.entries()) panel.load(panelPart(layout, parameters, p));
    let value = 0;
    for (let from = 0; from < rows; from += BATCH_ROWS) {
      const to = Math.min(from + BATCH_ROWS, rows);
      for (const panel of panels) panel.score(from, to);
      value += residuals(panels, labels.subarray(from, to), rowWeights.subarray(from, to));
      for (const panel of panels) panel.scatter(from, to);
    }
    panels.forEach((panel, p) => {
      const weights = panelPart(layout, parameters, p).subarray(0, -stride);
      const part = panelPart(layout, gradient, p);
      panel.unload(part);
      value += addPenalty(weights, part, l2);
    });
    return value;
  };
  const room = layout.panels * Panel.room(design, stride) + (rows + packed.entries.length) / 2 + 64;
  return (parameters, gradient) => context.use(room, (kernels) => pass(kernels, parameters, gradient));
}

/** Adds the gradient of the penalty; returns ½·l2·‖w‖². */
function addPenalty(weights: Float64Array, gradient: Float64Array, l2: number): number {
  let squares = 0;
  for (let j = 0; j < weights.length; j++) {
    squares += weights[j] * weights[j];
    gradient[j] += l2 * weights[j];
  }
  return 0.5 * l2 * squares;
}

/** Turns the scores of a batch into weight · ∂loss/∂score; returns Σ weight · loss. */
type Residuals = (panels: readonly Panel[], labels: Int32Array, weights: Float64Array) => number;

const binaryResiduals: Residuals = ([{ scores }], labels, weights) => {
  let value = 0;
  for (let r = 0; r < labels.length; r++) {
    const z = scores[r];
    const small = Math.exp(-Math.abs(z));
    const positive = (z >= 0 ? 1 : small) / (1 + small);
    value += weights[r] * (Math.log1p(small) + Math.max(z, 0) - labels[r] * z);
    scores[r] = weights[r] * (positive - labels[r]);
  }
  return value;
};

/** Softmax over the columns of all panels, pass by pass; a padded column has score −∞ and so residual 0. */
function softmaxResiduals(batchRows: number): Residuals {
  const largest = new Float64Array(batchRows);
  const sum = new Float64Array(batchRows);
  return (panels, labels, weights) => {
    largest.fill(Number.NEGATIVE_INFINITY);
    sum.fill(0);
    for (const { scores } of panels) raiseLargest(scores, largest, labels.length);
    let value = 0;
    for (let r = 0; r < labels.length; r++) {
      value += weights[r] * (largest[r] - panels[labels[r] >> 2].scores[4 * r + (labels[r] & 3)]);
    }
    for (const { scores } of panels) exponentiate(scores, largest, sum, labels.length);
    for (let r = 0; r < labels.length; r++) {
      value += weights[r] * Math.log(sum[r]);
      sum[r] = weights[r] / sum[r];
    }
    for (const { scores } of panels) scaleRows(scores, sum, labels.length);
    for (let r = 0; r < labels.length; r++) {
      panels[labels[r] >> 2].scores[4 * r + (labels[r] & 3)] -= weights[r];
    }
    return value;
  };
}

function raiseLargest(scores: Float64Array, largest: Float64Array, rows: number): void {
  for (let r = 0; r < rows; r++) {
    for (let s = 4 * r; s < 4 * r + 4; s++) if (scores[s] > largest[r]) largest[r] = scores[s];
  }
}

function exponentiate(scores: Float64Array, largest: Float64Array, sum: Float64Array, rows: number): void {
  for (let r = 0; r < rows; r++) {
    for (let s = 4 * r; s < 4 * r + 4; s++) {
      scores[s] = exponential(scores[s] - largest[r]);
      sum[r] += scores[s];
    }
  }
}

function scaleRows(scores: Float64Array, factor: Float64Array, rows: number): void {
  for (let s = 0; s < 4 * rows; s++) scores[s] *= factor[s >> 2];
}

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

/**
 * How the trainer's parameters stand in one vector. There is one output (a score vector) per class, or a single one, the
 * log-odds of the second class, where there are two. Outputs are taken four at a time, because sums over four stay in
 * registers: a *panel* is (slots + 1) × stride numbers, row-major, the intercepts in its last row, and the
 * vector is one panel after the other. Where the number of outputs is no multiple of the stride, the last panel is
 * padded with columns that are always zero.
 */
export interface PanelLayout {
  readonly slots: number;
  readonly outputs: number;
  /** Outputs side by side in a panel. */
  readonly stride: 1 | 4;
  readonly panels: number;
  /** Numbers in a panel, and in the whole vector. */
  readonly partLength: number;
  readonly length: number;
}

export function panelLayout(slots: number, classCount: number): PanelLayout {
  const outputs = classCount === 2 ? 1 : classCount;
  const stride = outputs === 1 ? 1 : 4;
  const panels = Math.ceil(outputs / stride);
  const partLength = (slots + 1) * stride;
  return { slots, outputs, stride, panels, partLength, length: panels * partLength };
}

/** Where the weight of a slot stands, or the intercept for slot = slots. */
export function parameterIndex(layout: PanelLayout, slot: number, output: number): number {
  const { stride, partLength } = layout;
  return Math.floor(output / stride) * partLength + slot * stride + (output % stride);
}

/** The numbers of one panel, not copied. */
export function panelPart(layout: PanelLayout, vector: Float64Array, panel: number): Float64Array {
  return vector.subarray(panel * layout.partLength, (panel + 1) * layout.partLength);
}
