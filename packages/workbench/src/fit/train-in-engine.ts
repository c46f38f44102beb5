import type { Classifier, Schema, Table } from "conformant";
import { type LossSums, type RemoteTraining, slotOffsets, trainRemote } from "conformant/remote";
import type { ColumnReading } from "../columns/read-columns.ts";
import type { CellReading, LabeledCells, RowSums } from "../source/table-source.ts";
import type { FitContext } from "./training-options.ts";

/** Weights up to which a gradient is asked of the server; more would make queries that take longer to read than to run. */
const MOST_WEIGHTS = 1000;

/** Whether a classifier of these columns, the label last, is small enough to be trained by sums of an engine. */
export function trainsInEngine({ columns }: Schema): boolean {
  const label = columns[columns.length - 1];
  const classes = label.kind === "categorical" ? label.values.length : 2;
  const slots = slotOffsets({ columns: columns.slice(0, -1) })[columns.length - 1];
  return slots * (classes === 2 ? 1 : classes) <= MOST_WEIGHTS;
}

/**
 * Trains on all complete rows where they are: each step of the minimizer is a query that answers with the loss and its
 * gradient.
 *
 * @param sample of the rows, the label last
 * @param start the classifier of the sample, with the penalty to use
 */
export async function trainInEngine<Cells extends CellReading>(
  sums: RowSums<Cells>,
  { host: { reporter } }: FitContext<Cells>,
  { fields, chosen, also, rows, label: counted }: ColumnReading<Cells>,
  sample: Table,
  start: Classifier,
): Promise<Classifier> {
  const label = sample.schema.columns[sample.schema.columns.length - 1];
  if (label.kind !== "categorical") throw new TypeError("the label is not categorical");
  const withGaps = chosen
    .filter(({ known, column }) => known < rows && !also.includes(column))
    .map(({ column }) => column.name);
  const unlabeled = (counted?.known ?? rows) < rows ? [label.name] : [];
  const labeled: LabeledCells<Cells> = { fields, label, withGaps: [...withGaps, ...unlabeled] };
  const { complete, scaling } = await readScaling(sums, labeled, sample);
  let passes = 0;
  const answer = (classifier: Classifier): Promise<LossSums> => {
    reporter.progress(`training on all rows, pass ${++passes}`);
    return sums.loss(labeled, classifier, scaling);
  };
  const all = { rows: complete, rowsWithGaps: rows - complete, scaling };
  return trainRemote(sample, all, { label: label.name, l2: start.training?.l2 ?? 1 }, answer);
}

/** Mean and deviation of the numeric columns over all complete rows, in one pass about the means of the sample. */
async function readScaling<Cells extends CellReading>(
  sums: RowSums<Cells>,
  rows: LabeledCells<Cells>,
  sample: Table,
): Promise<{ complete: number; scaling: RemoteTraining["scaling"] }> {
  const columns = sample.schema.columns.flatMap(({ name, kind }, i) =>
    kind === "numeric" ? [{ name, origin: meanOf(sample.columns[i]) }] : [],
  );
  const [complete, ...moments] = await sums.moments(rows, columns);
  const scaling = columns.map(({ name, origin }, i) => {
    const shift = moments[2 * i] / complete;
    const variance = moments[2 * i + 1] / complete - shift * shift;
    return [name, { mean: origin + shift, scale: variance > 0 ? Math.sqrt(variance) : 1 }] as const;
  });
  return { complete, scaling: new Map(scaling) };
}

function meanOf(cells: ArrayLike<number>): number {
  let [sum, known] = [0, 0];
  for (let r = 0; r < cells.length; r++) {
    if (Number.isNaN(cells[r])) continue;
    sum += cells[r];
    known++;
  }
  return known > 0 ? sum / known : 0;
}
