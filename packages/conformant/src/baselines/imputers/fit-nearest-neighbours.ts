import { requireInteger, requireOptions } from "../../errors.ts";
import { isLinear, type Schema, slotOffsets } from "../../schema/column.ts";
import { type Data, type EncodedColumn, isGapCell, type Table } from "../../schema/data.ts";
import { encode } from "../../schema/encode.ts";
import { fitConstants } from "./fit-constants.ts";
import type { Imputer } from "./imputer.ts";

/** Settings of {@link fitNearestNeighbours}. */
export interface NearestNeighboursOptions {
  /** How many training rows a gap is averaged over. Default 5. */
  readonly neighbours?: number;
}

/**
 * Fills a gap with the mean of its column over the nearest training rows that have it, as scikit-learn's `KNNImputer`.
 * Near is meant by the distance that passes over gaps,
 *
 *     d²(x, y) = (all slots / slots known in both) · Σ_{slots known in both} (x − y)²
 *
 * Numbers count as they are: columns on very different scales should be standardised first. Rows at equal distance are
 * taken in the order of the training data. A row that shares no known column with any donor gets the column's mean.
 */
export function fitNearestNeighbours(
  schema: Schema,
  data: Data,
  options: NearestNeighboursOptions = {},
): Imputer {
  requireOptions(options);
  const neighbours = requireInteger("options.neighbours", options.neighbours ?? 5, 1);
  const table = encode(schema, data);
  const training: Training = {
    table,
    means: fitConstants(schema, table, "mean").constants!,
    complete: table.columns.every((cells) => !cells.some((_, r) => isGapCell(cells, r))),
  };
  const width = training.means.length;
  const fill = (rows: Float64Array, count: number): void => {
    for (let r = 0; r < count; r++) fillRow(training, neighbours, rows.subarray(r * width, (r + 1) * width));
  };
  return { method: "knn", schema, fill };
}

interface Training {
  readonly table: Table;
  readonly means: Float64Array;
  /** No training row has a gap, so the same donors serve every column. */
  readonly complete: boolean;
}

function fillRow(training: Training, neighbours: number, row: Float64Array): void {
  const { schema } = training.table;
  const offsets = slotOffsets(schema);
  const missing = schema.columns.flatMap((_, i) => (Number.isNaN(row[offsets[i]]) ? [i] : []));
  if (missing.length === 0) return;
  const distances = squaredDistances(training, row);
  let donors: number[] | undefined;
  for (const i of missing) {
    if (!(training.complete && donors)) donors = nearest(training, distances, i, neighbours);
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
    for (let r = 0; r < shared.length; r++) if (!isGapCell(cells, r)) shared[r] += slots.length;
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
  distance[0] = 0; // a gap
  distance[code + 1] = 0;
  for (let r = 0; r < sums.length; r++) sums[r] += distance[cells[r] + 1];
}

/** The donors of a column nearest first: training rows that have it and a distance. */
function nearest(
  { table, complete }: Training,
  distances: Float64Array,
  column: number,
  neighbours: number,
): number[] {
  const cells = table.columns[column];
  const found: number[] = [];
  let farthest = Number.POSITIVE_INFINITY;
  for (let r = 0; r < distances.length; r++) {
    const distance = distances[r];
    if (!(distance < farthest) || (!complete && isGapCell(cells, r))) continue;
    let at = found.length;
    while (at > 0 && distances[found[at - 1]] > distance) at--;
    found.splice(at, 0, r);
    if (found.length > neighbours) found.pop();
    if (found.length === neighbours) farthest = distances[found[neighbours - 1]];
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
