import { lendKernels } from "../../kernels/fast-kernels.ts";
import type { Kernels } from "../../kernels/kernels.ts";
import type { Objective } from "../../math/descent/line-search.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import { BATCH_ROWS, Panel } from "./panel.ts";
import { type PanelLayout, panelPart } from "./panel-layout.ts";

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
  return (parameters, gradient) => lendKernels(room, (kernels) => pass(kernels, parameters, gradient));
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
      scores[s] = Math.exp(scores[s] - largest[r]);
      sum[r] += scores[s];
    }
  }
}

function scaleRows(scores: Float64Array, factor: Float64Array, rows: number): void {
  for (let s = 0; s < 4 * rows; s++) scores[s] *= factor[s >> 2];
}
