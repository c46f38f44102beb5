import type { DesignMatrix } from "./design-matrix.ts";

/** Least rows per slot that the correlations are estimated from; many more would cost more than the iterations they save… */
const ROWS_PER_SLOT = 4;
/** …except where they cost next to nothing: so many products of two slots are always affordable (some 20 ms). */
const PRODUCTS = 2e7;
/** A sample variance below this is rounding: the slot does not vary in the sample. */
const NO_VARIANCE = 1e-12;

/**
 * An estimate of the covariance of x̃: exact variances, and correlations from evenly spaced rows, shrunk towards 0 by
 * the factor rows / (rows + slots) because so many are estimated from so few. Positive semidefinite.
 *
 * @returns slots × slots, row-major; only the lower triangle is meant
 */
export function slotCovariance(design: DesignMatrix): Float64Array {
  const { slots, rows } = design;
  const wanted = Math.max(ROWS_PER_SLOT * slots, PRODUCTS / slots ** 2);
  const spacing = Math.max(1, Math.floor(rows / wanted));
  const sampled = Math.ceil(rows / spacing);
  const covariance = sampleCovariance(design, spacing);
  const variance = slotVariance(design);
  const factor = variance.map((exact, i) => {
    const estimate = covariance[i * slots + i];
    return estimate > NO_VARIANCE ? Math.sqrt(exact / estimate) : 0;
  });
  for (let i = 0; i < slots; i++) {
    const rowFactor = (factor[i] * sampled) / (sampled + slots);
    for (let j = 0; j < i; j++) covariance[i * slots + j] *= rowFactor * factor[j];
    covariance[i * slots + i] = variance[i];
  }
  return covariance;
}

/** Variance of each slot over all rows: share·(1 − share) for a 0/1 slot, 1 for a standardised number. */
export function slotVariance({ mean, numeric }: DesignMatrix): Float64Array {
  const variance = mean.map((share) => share * (1 - share));
  for (const slot of numeric) variance[slot] = 1;
  return variance;
}

/** Σ weight·x xᵀ / Σ weight − x̄ x̄ᵀ over every `spacing`-th row, with x the difference to the origin row. */
function sampleCovariance(design: DesignMatrix, spacing: number): Float64Array {
  const { slots, rows, rowWeights } = design;
  const products = new Float64Array(slots * slots);
  const sums = new Float64Array(slots);
  const row: SparseRow = { count: 0, slot: new Int32Array(slots), value: new Float64Array(slots) };
  let total = Number.MIN_VALUE; // not 0, even where all sampled rows have weight 0
  for (let r = 0; r < rows; r += spacing) {
    readRow(design, r, row);
    addProducts(row, rowWeights[r], products, slots);
    for (let i = 0; i < row.count; i++) sums[row.slot[i]] += rowWeights[r] * row.value[i];
    total += rowWeights[r];
  }
  for (let i = 0; i < slots; i++) {
    for (let j = 0; j < i; j++) {
      // Each product was added once, on the side of the diagonal that the order within the row gave.
      const sum = products[i * slots + j] + products[j * slots + i];
      products[i * slots + j] = sum / total - (sums[i] / total) * (sums[j] / total);
    }
    products[i * slots + i] = products[i * slots + i] / total - (sums[i] / total) ** 2;
  }
  return products;
}

/** The slots in which a row differs from the origin row, and by how much; the first `count` entries count. */
interface SparseRow {
  count: number;
  readonly slot: Int32Array;
  readonly value: Float64Array;
}

function readRow({ packed, standard }: DesignMatrix, r: number, row: SparseRow): void {
  const { rowStart, entries, entryStart, changeSlot, change } = packed;
  row.count = 0;
  for (let i = rowStart[r]; i < rowStart[r + 1]; i++) {
    for (let c = entryStart[entries[i]]; c < entryStart[entries[i] + 1]; c++) {
      row.slot[row.count] = changeSlot[c];
      row.value[row.count++] = change[c];
    }
  }
  const width = standard.slots.length;
  for (let c = 0; c < width; c++) {
    row.slot[row.count] = standard.slots[c];
    row.value[row.count++] = standard.values[r * width + c];
  }
}

function addProducts(
  { count, slot, value }: SparseRow,
  weight: number,
  out: Float64Array,
  slots: number,
): void {
  for (let i = 0; i < count; i++) {
    const start = slot[i] * slots;
    const factor = weight * value[i];
    for (let j = 0; j <= i; j++) out[start + slot[j]] += factor * value[j];
  }
}
