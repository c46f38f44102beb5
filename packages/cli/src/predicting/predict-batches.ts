import { type Model, predictColumns, type Table } from "conformant";
import { readObjects } from "../reading/read-objects.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Connector } from "../sources/connector.ts";
import { UNSEEN } from "../sql/encode.ts";
import type { FieldSet } from "../sql/fields.ts";
import { scoreSql } from "../sql/score.ts";
import type { Shape } from "../sql/source-column.ts";
import type { AddedColumns, AddedValue } from "./added-columns.ts";

/** Predictions for some rows, and the columns that are copied through. */
export interface PredictedBatch {
  readonly rows: number;
  /** rows × K. */
  readonly probabilities: Float64Array;
  /** What was asked besides, row by row. */
  readonly added: readonly (readonly AddedValue[])[];
  readonly texts: readonly (readonly (string | null)[])[];
  /** Cells with a category that the model does not know. */
  readonly unseen: number;
}

/** Terms (columns × classes × components) up to which a model is written as one SQL expression. */
const MOST_TERMS = 2000;
/** Rows that are questioned between two signs of progress. */
const QUESTIONED = 64;

/**
 * Whether the engine computes the predictions. Where the rows live on a server it saves sending them; where the engine is in
 * this process the library's kernel is as fast and needs no detour. PostgreSQL interprets the expression and
 * takes up to six times as long with a mixture as sending its rows does (docs/performance.md); with a Gaussian block or trees
 * there is no expression.
 */
export function scoresInEngine(connector: Connector, model: Model): boolean {
  const { components, classifier, block, trees } = model;
  const terms = classifier.schema.columns.length * classifier.classes.length * components.length;
  if (connector.dialect.name === "postgres" && components.length > 1) return false;
  return connector.remote && !block && !trees && terms <= MOST_TERMS;
}

/** Predicts all rows of a source, in order, a batch at a time. */
export function predictBatches(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  texts: readonly string[],
  added: AddedColumns,
): AsyncGenerator<PredictedBatch> {
  if (added.columns.length > 0) return questionBatches(connector, fields, model, texts, added);
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
    yield { rows, probabilities, unseen, added: [], texts: columns.slice(K + 1) as PredictedBatch["texts"] };
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
    const { probabilities, standardErrors } = predictColumns(model, table);
    const added = Array.from(standardErrors ?? [], (error) => [error]);
    yield { rows, probabilities, unseen, added, texts: kept };
  }
}

/** Rows as objects, for the questions that are asked of one row at a time. */
async function* questionBatches(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  texts: readonly string[],
  { valuesOf }: AddedColumns,
): AsyncGenerator<PredictedBatch> {
  for await (const batch of readObjects(connector, fields, model.classifier.schema, texts)) {
    for (let start = 0; start < batch.rows.length; start += QUESTIONED) {
      const rows = batch.rows.slice(start, start + QUESTIONED);
      const { probabilities, unseen, standardErrors } = predictColumns(model, rows);
      yield {
        rows: rows.length,
        probabilities,
        unseen: unseen.reduce((sum, { count }) => sum + count, 0),
        added: rows.map((row, r) => [...(standardErrors ? [standardErrors[r]] : []), ...valuesOf(row)]),
        texts: batch.texts.map((column) => column.slice(start, start + QUESTIONED)),
      };
    }
  }
}
