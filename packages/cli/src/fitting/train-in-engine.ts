import type { Classifier, Schema, Table } from "conformant";
import { type LossSums, slotOffsets, trainRemote } from "conformant/remote";
import { type LabeledRows, lossSql, momentsSql, type Scaling, type Shape } from "conformant-workbench/sql";
import { type Connector, queryRow } from "../sources/connector.ts";
import type { EngineReading } from "./engine-reading.ts";
import type { FitRequest } from "./fit-request.ts";

/** Weights up to which a gradient is asked of the server; more would make queries that take longer to read than to run. */
const MOST_WEIGHTS = 1000;

/** Whether a classifier of these columns, the label last, can be trained by sums that the server computes. */
export function trainsInEngine({ connector }: FitRequest, { columns }: Schema): boolean {
  const label = columns[columns.length - 1];
  const classes = label.kind === "categorical" ? label.values.length : 2;
  const slots = slotOffsets({ columns: columns.slice(0, -1) })[columns.length - 1];
  return connector.remote && slots * (classes === 2 ? 1 : classes) <= MOST_WEIGHTS;
}

/**
 * Trains on all complete rows where they lie: each step of the minimiser is a query that answers with the loss and its
 * gradient.
 *
 * @param sample of the rows, the label last
 * @param start the classifier of the sample, with the penalty to use
 */
export async function trainInEngine(
  { connector, messages }: FitRequest,
  { fields, chosen, also, rows }: EngineReading,
  sample: Table,
  start: Classifier,
): Promise<Classifier> {
  const label = sample.schema.columns[sample.schema.columns.length - 1];
  if (label.kind !== "categorical") throw new TypeError("the label is not categorical");
  const withGaps = chosen
    .filter(({ known, column }) => known < rows && !also.includes(column))
    .map(({ column }) => column.name);
  const labelled: LabeledRows = { fields, label, withGaps };
  const { complete, scaling } = await readScaling(connector, labelled, sample);
  let passes = 0;
  const answer = (classifier: Classifier): Promise<LossSums> => {
    messages.progress(`training on all rows, pass ${++passes}`);
    return readLoss(connector, lossSql(connector.dialect, classifier, labelled, scaling), classifier);
  };
  const all = { rows: complete, rowsWithGaps: rows - complete, scaling };
  return trainRemote(sample, all, { label: label.name, l2: start.training?.l2 ?? 1 }, answer);
}

/** Mean and deviation of the numeric columns over all complete rows, in one pass about the means of the sample. */
async function readScaling(
  connector: Connector,
  rows: LabeledRows,
  sample: Table,
): Promise<{ complete: number; scaling: Map<string, Scaling> }> {
  const columns = sample.schema.columns.flatMap(({ name, kind }, i) =>
    kind === "numeric" ? [{ name, origin: meanOf(sample.columns[i]) }] : [],
  );
  const answer = await queryRow(
    connector,
    momentsSql(connector.dialect, rows, columns),
    1 + 2 * columns.length,
  );
  const [complete, ...sums] = answer.map(Number);
  const scaling = columns.map(({ name, origin }, i): [string, Scaling] => {
    const shift = sums[2 * i] / complete;
    const variance = sums[2 * i + 1] / complete - shift * shift;
    return [name, { mean: origin + shift, scale: variance > 0 ? Math.sqrt(variance) : 1 }];
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

async function readLoss(
  connector: Connector,
  sql: string,
  { schema, classes }: Classifier,
): Promise<LossSums> {
  const outputs = classes.length === 2 ? 1 : classes.length;
  const slots = slotOffsets(schema)[schema.columns.length];
  const bySlot = new Float64Array((slots + 1) * outputs);
  const shapes: Shape[] = ["code", ...new Array<Shape>(outputs + 1).fill("number")];
  let value = 0;
  for await (const { rows, columns } of connector.query(sql, shapes))
    for (let r = 0; r < rows; r++) {
      const slot = Number(columns[0][r]);
      for (let o = 0; o < outputs; o++) bySlot[slot * outputs + o] = Number(columns[1 + o][r]);
      if (slot === slots) value = Number(columns[1 + outputs][r]);
    }
  return { value, residuals: bySlot.subarray(slots * outputs), bySlot };
}
