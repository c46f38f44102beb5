import { type Data, type EncodedColumn, encode, type Schema, type Table } from "conformant";
import { isLinear, isMissing } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { fitConstants } from "./fit-constants.ts";
import type { Imputer } from "./imputer.ts";

/** Settings of {@link fitNearestNeighbors}. */
export interface NearestNeighborsOptions {
  /** How many training rows a missing value is averaged over. Default 5. */
  readonly neighbors?: number;
}

/**
 * Imputes a missing value by the mean of its column over the nearest training rows that have it, as scikit-learn's `KNNImputer`.
 * The distance passes over missing values,
 *
 *     d²(x, y) = (all slots / slots known in both) · Σ_{slots known in both} (x − y)²
 *
 * Numbers count as they are: columns on very different scales should be standardized first. Rows at equal distance are
 * taken in the order of the training data. A row that shares no known column with any donor gets the column's mean.
 */
export function fitNearestNeighbors(
  schema: Schema,
  data: Data,
  options: NearestNeighborsOptions = {},
): Imputer {
  const { neighbors = 5 } = options;
  const table = encode(schema, data);
  const training: Training = {
    table,
    means: fitConstants(schema, table, "mean").constants!,
    complete: table.columns.every((cells) => !cells.some((_, r) => isMissing(cells, r))),
  };
  const width = training.means.length;
  const fill = (rows: Float64Array, count: number): void => {
    for (let r = 0; r < count; r++) fillRow(training, neighbors, rows.subarray(r * width, (r + 1) * width));
  };
  return { method: "knn", schema, fill };
}

interface Training {
  readonly table: Table;
  readonly means: Float64Array;
  /** No training row has a missing value, so the same donors serve every column. */
  readonly complete: boolean;
}

function fillRow(training: Training, neighbors: number, row: Float64Array): void {
  const { schema } = training.table;
  const offsets = slotOffsets(schema);
  const missing = schema.columns.flatMap((_, i) => (Number.isNaN(row[offsets[i]]) ? [i] : []));
  if (missing.length === 0) return;
  const distances = squaredDistances(training, row);
  let donors: number[] | undefined;
  for (const i of missing) {
    if (!(training.complete && donors)) donors = nearest(training, distances, i, neighbors);
    const slots = row.subarray(offsets[i], offsets[i + 1]);
    if (donors.length > 0) averageDonors(training.table, donors, i, slots);
    else slots.set(training.means.subarray(offsets[i], offsets[i + 1]));
  }
}

/** Squared distances to all training rows, NaN where no slot is known in both. */
function squaredDistances({ table, complete }: Training, row: Float64Array): Float64Array {
  const offsets = slotOffsets(table.schema);
  const width = offsets[table.schema.columns.length];
  const sums = new Float64Array(table.rows);
  // With complete training rows the factor is the same for all of them; only a row without a known slot matters.
  const shared = new Int32Array(complete ? 0 : table.rows);
  let known = 0;
  table.schema.columns.forEach((column, i) => {
    const slots = row.subarray(offsets[i], offsets[i + 1]);
    if (Number.isNaN(slots[0])) return;
    known += slots.length;
    const cells = table.columns[i];
    if (column.kind === "numeric") addSquares(sums, cells, slots[0]);
    else if (column.kind === "binary") addMismatches(sums, cells, slots[0], 1, 2);
    else addMismatches(sums, cells, slots.indexOf(1), 2, slots.length);
    for (let r = 0; r < shared.length; r++) if (!isMissing(cells, r)) shared[r] += slots.length;
  });
  for (let r = 0; r < sums.length; r++) sums[r] *= width / (complete ? known : shared[r]);
  return sums;
}

function addSquares(sums: Float64Array, cells: EncodedColumn, x: number): void {
  for (let r = 0; r < sums.length; r++) {
    const difference = cells[r] - x;
    if (!Number.isNaN(difference)) sums[r] += difference * difference;
  }
}

/** Two different values of a one-hot group are 2 apart, of a 0/1 column 1. A table by code + 1 spares the branches. */
function addMismatches(
  sums: Float64Array,
  cells: EncodedColumn,
  code: number,
  apart: number,
  values: number,
): void {
  const distance = new Float64Array(values + 1).fill(apart);
  distance[0] = 0; // a missing value
  distance[code + 1] = 0;
  for (let r = 0; r < sums.length; r++) sums[r] += distance[cells[r] + 1];
}

/** The donors of a column nearest first: training rows that have it and a distance. */
function nearest(
  { table, complete }: Training,
  distances: Float64Array,
  column: number,
  neighbors: number,
): number[] {
  const cells = table.columns[column];
  const found: number[] = [];
  let farthest = Number.POSITIVE_INFINITY;
  for (let r = 0; r < distances.length; r++) {
    const distance = distances[r];
    if (!(distance < farthest) || (!complete && isMissing(cells, r))) continue;
    let at = found.length;
    while (at > 0 && distances[found[at - 1]] > distance) at--;
    found.splice(at, 0, r);
    if (found.length > neighbors) found.pop();
    if (found.length === neighbors) farthest = distances[found[neighbors - 1]];
  }
  return found;
}

/** The mean of a column's slots over the donors. */
function averageDonors(table: Table, donors: readonly number[], column: number, slots: Float64Array): void {
  const linear = isLinear(table.schema.columns[column]);
  const cells = table.columns[column];
  slots.fill(0);
  for (const r of donors) {
    if (linear) slots[0] += cells[r] / donors.length;
    else slots[cells[r]] += 1 / donors.length;
  }
}
