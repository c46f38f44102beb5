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
