import { type Model, predictColumns, type Table } from "conformant";
import { readRows } from "../reading/read-rows.ts";
import type { Connector } from "../sources/connector.ts";
import { UNSEEN } from "../sql/encode.ts";
import type { FieldSet } from "../sql/fields.ts";
import { scoreSql } from "../sql/score.ts";
import type { Shape } from "../sql/source-column.ts";

/** Predictions for some rows, and the columns that are copied through. */
export interface PredictedBatch {
  readonly rows: number;
  /** rows × K. */
  readonly probabilities: Float64Array;
  readonly texts: readonly (readonly (string | null)[])[];
  /** Cells with a category that the model does not know. */
  readonly unseen: number;
}

/** Terms (columns × classes × components) up to which a model is written as one SQL expression. */
const MOST_TERMS = 2000;

/**
 * Whether the engine computes the predictions. Where the rows live on a server it saves sending them; where the engine is in
 * this process the library's kernel is as fast and needs no detour.
 */
export function scoresInEngine(connector: Connector, model: Model): boolean {
  const { components, classifier } = model;
  const terms = classifier.schema.columns.length * classifier.classes.length * components.length;
  return connector.remote && terms <= MOST_TERMS;
}

/** Predicts all rows of a source, in order, a batch at a time. */
export function predictBatches(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  texts: readonly string[],
): AsyncGenerator<PredictedBatch> {
  return scoresInEngine(connector, model)
    ? scoreBatches(connector, fields, model, texts)
    : kernelBatches(connector, fields, model, texts);
}

/** The engine scores; only probabilities come back. A value that cannot be is looked for when it has spoilt a row. */
export async function* scoreBatches(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  texts: readonly string[],
): AsyncGenerator<PredictedBatch> {
  const { classes, schema } = model.classifier;
  const K = classes.length;
  const shapes: Shape[] = [
    ...classes.map(() => "number" as const),
    "code",
    ...texts.map(() => "text" as const),
  ];
  for await (const { rows, columns } of connector.query(
    scoreSql(connector.dialect, model, fields, texts),
    shapes,
  )) {
    const probabilities = new Float64Array(rows * K);
    for (let k = 0; k < K; k++) {
      const own = columns[k] as Float64Array;
      for (let r = 0; r < rows; r++) probabilities[r * K + k] = own[r];
    }
    if (probabilities.some(Number.isNaN))
      for await (const batch of readRows(connector, fields, schema)) void batch;
    const unseen = (columns[K] as Int32Array).reduce((sum, n) => sum + n, 0);
    yield { rows, probabilities, unseen, texts: columns.slice(K + 1) as PredictedBatch["texts"] };
  }
}

/** The engine encodes, the library's kernel predicts. */
export async function* kernelBatches(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  texts: readonly string[],
): AsyncGenerator<PredictedBatch> {
  const { schema } = model.classifier;
  for await (const { rows, columns, texts: kept } of readRows(connector, fields, schema, { texts })) {
    let unseen = 0;
    schema.columns.forEach(({ kind }, c) => {
      if (kind !== "categorical") return;
      const codes = columns[c] as Int32Array;
      for (let r = 0; r < rows; r++) {
        if (codes[r] !== UNSEEN) continue;
        codes[r] = -1;
        unseen++;
      }
    });
    const table: Table = { schema, rows, columns: columns as Table["columns"], unseen: [] };
    yield { rows, probabilities: predictColumns(model, table).probabilities, unseen, texts: kept };
  }
}
