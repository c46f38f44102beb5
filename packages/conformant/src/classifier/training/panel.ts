import * as packed from "../../packing/packed-scores.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import type { PanelLayout } from "./panel-layout.ts";
import * as standard from "./standard-scores.ts";

/**
 * One panel's way through the rows, batch by batch: scores b + x̃·w forward, the gradient Σ_r x̃_r · residual_r back.
 */
export class Panel {
  /** Block rows × stride: scores after {@link score}; the caller turns them into residuals before {@link scatter}. */
  readonly scores: Float64Array;
  private readonly design: DesignMatrix;
  private readonly stride: 1 | 4;
  /** Columns that are not padding. */
  private readonly used: number;
  private readonly weights: PanelSums;
  private readonly gradient: PanelSums;

  constructor(design: DesignMatrix, layout: PanelLayout, panel: number, batchRows: number) {
    this.design = design;
    this.stride = layout.stride;
    this.used = Math.min(layout.stride, layout.outputs - panel * layout.stride);
    this.scores = new Float64Array(batchRows * layout.stride);
    this.weights = panelSums(design, layout.stride);
    this.gradient = panelSums(design, layout.stride);
  }

  /** Takes its part of the parameters, and starts a gradient of zero. */
  load(part: Float64Array): void {
    const { design, stride, weights, gradient } = this;
    packed.fillTable(design.packed, stride, part, weights.entries);
    design.standard.slots.forEach((slot, c) => {
      for (let j = 0; j < stride; j++) weights.numeric[c * stride + j] = part[slot * stride + j];
    });
    for (let j = 0; j < stride; j++) weights.total[j] = originScore(design, stride, part, j);
    weights.total.fill(Number.NEGATIVE_INFINITY, this.used); // a padded column is a class of probability 0
    gradient.entries.fill(0);
    gradient.numeric.fill(0);
    gradient.total.fill(0);
  }

  /** Fills `scores` for the rows from … to − 1. */
  score(from: number, to: number): void {
    const { design, weights, scores } = this;
    const four = this.stride === 4;
    const scoreEntries = four ? packed.scoreEntries4 : packed.scoreEntries1;
    const addValues = four ? standard.addValues4 : standard.addValues1;
    scoreEntries(design.packed, from, to, weights.total, weights.entries, scores);
    addValues(design.standard, from, to, weights.numeric, scores);
  }

  /** Adds the rows from … to − 1 to the gradient, with their residuals in `scores`. */
  scatter(from: number, to: number): void {
    const { design, gradient, scores, stride } = this;
    const four = stride === 4;
    const scatterEntries = four ? packed.scatterEntries4 : packed.scatterEntries1;
    const scatterValues = four ? standard.scatterValues4 : standard.scatterValues1;
    scatterEntries(design.packed, from, to, scores, gradient.entries);
    scatterValues(design.standard, from, to, scores, gradient.numeric);
    for (let s = 0; s < (to - from) * stride; s += stride) {
      for (let j = 0; j < stride; j++) gradient.total[j] += scores[s + j];
    }
  }

  /** Overwrites its part of the gradient. */
  unload(part: Float64Array): void {
    const { design, stride, gradient } = this;
    for (let slot = 0; slot <= design.slots; slot++) {
      const origin = slot < design.slots ? design.origin[slot] : 1;
      for (let j = 0; j < stride; j++) part[slot * stride + j] = origin * gradient.total[j];
    }
    packed.drainTable(design.packed, stride, gradient.entries, part);
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

function panelSums(design: DesignMatrix, stride: number): PanelSums {
  return {
    entries: new Float64Array((design.packed.entryStart.length - 1) * stride),
    numeric: new Float64Array(design.standard.slots.length * stride),
    total: new Float64Array(stride),
  };
}

/** Intercept + Σ_slot origin_slot · weight_slot in column j. */
function originScore({ slots, origin }: DesignMatrix, stride: number, part: Float64Array, j: number): number {
  let sum = part[slots * stride + j];
  for (let slot = 0; slot < slots; slot++) sum += origin[slot] * part[slot * stride + j];
  return sum;
}
