import * as packed from "../../packing/packed-scores.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import type { PanelLayout } from "./panel-layout.ts";
import * as standard from "./standard-scores.ts";

/**
 * One panel's way through the rows, block by block: scores b + x̃·w forward, the gradient Σ_r x̃_r · residual_r back.
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

  constructor(design: DesignMatrix, layout: PanelLayout, panel: number, blockRows: number) {
    this.design = design;
    this.stride = layout.stride;
    this.used = Math.min(layout.stride, layout.outputs - panel * layout.stride);
    this.scores = new Float64Array(blockRows * layout.stride);
    this.weights = panelSums(design, layout.stride);
    this.gradient = panelSums(design, layout.stride);
  }

  /** Takes its block of the parameters, and starts a gradient of zero. */
  load(block: Float64Array): void {
    const { design, stride, weights, gradient } = this;
    packed.fillTable(design.packed, stride, block, weights.patterns);
    design.standard.slots.forEach((slot, c) => {
      for (let j = 0; j < stride; j++) weights.numeric[c * stride + j] = block[slot * stride + j];
    });
    for (let j = 0; j < stride; j++) weights.total[j] = originScore(design, stride, block, j);
    weights.total.fill(Number.NEGATIVE_INFINITY, this.used); // a padded column is a class of probability 0
    gradient.patterns.fill(0);
    gradient.numeric.fill(0);
    gradient.total.fill(0);
  }

  /** Fills `scores` for the rows from … to − 1. */
  score(from: number, to: number): void {
    const { design, weights, scores } = this;
    const four = this.stride === 4;
    const scorePatterns = four ? packed.scorePatterns4 : packed.scorePatterns1;
    const addValues = four ? standard.addValues4 : standard.addValues1;
    scorePatterns(design.packed, from, to, weights.total, weights.patterns, scores);
    addValues(design.standard, from, to, weights.numeric, scores);
  }

  /** Adds the rows from … to − 1 to the gradient, with their residuals in `scores`. */
  scatter(from: number, to: number): void {
    const { design, gradient, scores, stride } = this;
    const four = stride === 4;
    const scatterPatterns = four ? packed.scatterPatterns4 : packed.scatterPatterns1;
    const scatterValues = four ? standard.scatterValues4 : standard.scatterValues1;
    scatterPatterns(design.packed, from, to, scores, gradient.patterns);
    scatterValues(design.standard, from, to, scores, gradient.numeric);
    for (let s = 0; s < (to - from) * stride; s += stride) {
      for (let j = 0; j < stride; j++) gradient.total[j] += scores[s + j];
    }
  }

  /** Overwrites its block of the gradient. */
  unload(block: Float64Array): void {
    const { design, stride, gradient } = this;
    for (let slot = 0; slot <= design.slots; slot++) {
      const origin = slot < design.slots ? design.origin[slot] : 1;
      for (let j = 0; j < stride; j++) block[slot * stride + j] = origin * gradient.total[j];
    }
    packed.drainTable(design.packed, stride, gradient.patterns, block);
    design.standard.slots.forEach((slot, c) => {
      for (let j = 0; j < stride; j++) block[slot * stride + j] += gradient.numeric[c * stride + j];
    });
  }
}

/** Forward sums of weights, back sums of residuals. */
interface PanelSums {
  /** Patterns × stride: weights summed over a pattern's changes, residuals over the rows that have the pattern. */
  readonly patterns: Float64Array;
  /** Numeric columns × stride: the weights, and Σ_r value · residual. */
  readonly numeric: Float64Array;
  /** Stride: the scores of the origin row, and the sums of all residuals. */
  readonly total: Float64Array;
}

function panelSums(design: DesignMatrix, stride: number): PanelSums {
  return {
    patterns: new Float64Array((design.packed.patternStart.length - 1) * stride),
    numeric: new Float64Array(design.standard.slots.length * stride),
    total: new Float64Array(stride),
  };
}

/** Intercept + Σ_slot origin_slot · weight_slot in column j. */
function originScore(
  { slots, origin }: DesignMatrix,
  stride: number,
  block: Float64Array,
  j: number,
): number {
  let sum = block[slots * stride + j];
  for (let slot = 0; slot < slots; slot++) sum += origin[slot] * block[slot * stride + j];
  return sum;
}
