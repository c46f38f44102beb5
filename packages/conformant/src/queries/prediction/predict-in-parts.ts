import type { Model } from "../../model/model.ts";
import { isMixture } from "../../posterior/predict-row.ts";
import type { Table } from "../../schema/data.ts";
import type { LaidOut } from "../../schema/encode.ts";
import { isShared, type PartedWork, type Threads, thisThread } from "../../threads/threads.ts";
import type { Watch } from "../../watch.ts";
import { predictSome, predictTable, rowsTogether } from "./predict-table.ts";

/** Cells × components × classes that a part has at least: a few milliseconds, beside which handing it over is nothing. */
const TERMS = 1 << 21;

/** The rows to predict. */
interface RowsGiven extends Pick<LaidOut, "unchecked"> {
  readonly rows: number;
  readonly columns: Table["columns"];
  /** Rows of a part; the last may have fewer. */
  readonly each: number;
}

/** Writes the expected predictions of some rows, each × K. */
export const predictPart: PartedWork<Model, RowsGiven> = {
  name: "predict",
  doPart: (model, { rows, columns, each, unchecked }, part, out) => {
    const table: Table = { schema: model.classifier.schema, rows, columns, unseen: [] };
    const [from, to] = [part * each, Math.min((part + 1) * each, rows)];
    const K = model.classifier.classes.length;
    predictSome(model, { table, unchecked }, from, out.subarray(0, (to - from) * K));
  },
};

/** The expected predictions of all rows by several threads, rows × K; by this one where the others would not make it faster. */
export function predictInParts(model: Model, laidOut: LaidOut, threads: Threads, watch: Watch): Float64Array {
  const { table, unchecked } = laidOut;
  const [n, K] = [table.columns.length, model.classifier.classes.length];
  const size = rowsTogether(model);
  const each = size * Math.max(1, Math.floor(TERMS / (size * n * model.components.length * K)));
  // One component is about as fast as its cells are copied, so that only those pay that need not be.
  const pays = table.rows > each && (isMixture(model) || table.columns.every(isShared));
  if (!pays || threads === thisThread) return predictTable(model, laidOut, watch);
  const columns = threads.share(table.columns);
  const given = { rows: table.rows, columns, each, unchecked };
  const count = Math.ceil(table.rows / each);
  const parts = { lasting: model, given, count, numbers: each * K };
  return threads.run(predictPart, parts, (share) => watch.step(share)).subarray(0, table.rows * K);
}
