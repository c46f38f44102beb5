import type { Classifier } from "conformant";
import { type LossSums, slotOffsets } from "conformant/remote";
import type { LabeledCells } from "conformant-workbench";
import { type FieldSet, lossSql, momentsSql, type Scaling, type Shape } from "conformant-workbench/sql";
import { type Connector, queryRow } from "./connector.ts";

/** The number of complete rows and, for each column, Σ (x − origin) and Σ (x − origin)², computed where the rows are. */
export async function momentsInEngine(
  connector: Connector,
  rows: LabeledCells<FieldSet>,
  columns: readonly { readonly name: string; readonly origin: number }[],
): Promise<number[]> {
  const sql = momentsSql(connector.dialect, rows, columns);
  return (await queryRow(connector, sql, 1 + 2 * columns.length)).map(Number);
}

/** The loss of a classifier over the complete rows and its gradient, computed where the rows are. */
export async function lossInEngine(
  connector: Connector,
  labeled: LabeledCells<FieldSet>,
  classifier: Classifier,
  scaling: ReadonlyMap<string, Scaling>,
): Promise<LossSums> {
  const { schema, classes } = classifier;
  const sql = lossSql(connector.dialect, classifier, labeled, scaling);
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
