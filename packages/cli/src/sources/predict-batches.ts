import {
  type AnyModel,
  type Data,
  isRegression,
  predictColumns,
  type Table,
  type UnseenValues,
} from "conformant";
import { expectationOf } from "conformant/internal";
import type { ThreadOptions } from "conformant/threads";
import { treesOf } from "conformant/trees";
import { type AddedColumns, type AddedValue, UNSEEN } from "conformant-workbench";
import { labelSql, type Shape, scoreNames, scoreSql } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";
import { readObjects } from "./read-objects.ts";
import { type EncodedBatch, readRows } from "./read-rows.ts";
import type { Selection } from "./select-predictions.ts";

/** Predictions for a batch of rows, and the columns that are copied to the output. */
export interface PredictedBatch {
  readonly rows: number;
  /** rows × K: probabilities, or one number per row. */
  readonly probabilities: Float64Array;
  /** Present if the engine computed the predictions: the class of each row (of a number none), and the probabilities as the engine formats them. */
  readonly answered?: AnsweredRows;
  /** The added columns, row by row. */
  readonly added: readonly (readonly AddedValue[])[];
  readonly texts: readonly (readonly (string | null)[])[];
  /** Cells with a category that the model does not know. */
  readonly unseen: number;
}

/** Predictions that are already complete. */
export interface AnsweredRows {
  readonly decisions: Int32Array;
  readonly probabilities: readonly (readonly string[])[];
}

/** Scores that stand for the sum of a linear regressor in SQL, at most. */
const SUM_SCORES = 3;
/** Terms (columns × classes × components) up to which a model is written as one SQL expression. */
const MOST_TERMS = 2000;

/**
 * Whether a model is evaluated as one SQL expression. Trees and sampled answers have none, engines do not plan very long ones, and
 * conditioning a Gaussian row by row takes a server longer than sending the rows (docs/performance.md).
 */
function hasExpression(model: AnyModel): boolean {
  const { components, schema, gaussianColumns } = model;
  if (gaussianColumns || treesOf(model) || expectationOf(model).sampled) return false;
  const scores = isRegression(model) ? SUM_SCORES : model.response.outputs.length;
  return schema.columns.length * scores * components.length <= MOST_TERMS;
}

/** Rows between two progress updates. */
const QUESTIONED = 64;

/**
 * Whether the engine computes the predictions. On a server this saves sending the rows; with an engine in
 * this process the library's kernel is as fast.
 */
export function scoresInEngine({ remote, dialect }: Connector, model: AnyModel): boolean {
  return remote && model.components.length <= dialect.mostComponents && hasExpression(model);
}

/**
 * Whether the engine computes predictions that are stored in it. A server does if it can, so that no row is sent back
 * and forth; for DuckDB in this process, the library evaluates a mixture faster.
 */
export function scoresInPlace(connector: Connector, model: AnyModel, added: AddedColumns): boolean {
  if (added.columns.length > 0 || !hasExpression(model)) return false;
  return connector.remote || model.components.length === 1;
}

/** The rows to predict, and the threads to use. */
export interface BatchOptions extends ThreadOptions {
  /** A condition on the rows; without one, all rows. */
  readonly where?: string | undefined;
}

/** Predicts the rows of a source in order, a batch at a time. */
export function predictBatches(
  selection: Selection,
  texts: readonly string[],
  added: AddedColumns,
  options: BatchOptions = {},
): AsyncGenerator<PredictedBatch> {
  if (added.columns.length > 0) return questionBatches(selection, texts, added, options.where);
  return scoresInEngine(selection.connector, selection.model)
    ? scoreBatches(selection, texts, options.where)
    : kernelBatches(selection, texts, options);
}

/** The engine scores the rows and returns only probabilities. An invalid value is looked up only after a row had no answer. */
export async function* scoreBatches(
  { connector, fields, model }: Selection,
  texts: readonly string[],
  where?: string,
): AsyncGenerator<PredictedBatch> {
  const {
    schema,
    response: { outputs },
  } = model;
  const K = outputs.length;
  const { dialect } = connector;
  const shapes: Shape[] = [
    "code",
    ...outputs.map(() => "text" as const),
    "code",
    ...texts.map(() => "text" as const),
  ];
  const numbers = outputs.map((_, k) => scoreNames.probability(k));
  // A row without an answer has no class, and a number never has one.
  const decision = isRegression(model)
    ? "-1"
    : `COALESCE(${labelSql(dialect, outputs, (_, k) => String(k))}, -1)`;
  const selected = [
    `${decision} AS decision_`,
    ...[...numbers, scoreNames.unseen, ...texts.map((_, t) => scoreNames.copy(t))],
  ];
  const sql = `SELECT ${selected.join(", ")} FROM (${scoreSql(dialect, model, fields, texts, where)}) AS answers`;
  for await (const { rows, columns } of connector.query(sql, shapes)) {
    const decisions = columns[0] as Int32Array;
    const written = columns.slice(1, K + 1) as unknown as readonly (readonly string[])[];
    if (written[0].some(isNoNumber))
      for await (const batch of readRows(connector, fields, schema, { where })) void batch;
    const unseen = (columns[K + 1] as Int32Array).reduce((sum, n) => sum + n, 0);
    yield {
      rows,
      get probabilities() {
        return Float64Array.from({ length: rows * K }, (_, j) => Number(written[j % K][Math.floor(j / K)]));
      },
      answered: { decisions, probabilities: written },
      unseen,
      added: [],
      texts: columns.slice(K + 2) as PredictedBatch["texts"],
    };
  }
}

function isNoNumber(text: string | null): boolean {
  return text === null || /^nan$/i.test(text);
}

/** The engine encodes the rows and the library's kernel predicts them, in several threads if prediction dominates the time. */
export async function* kernelBatches(
  { connector, fields, model }: Selection,
  texts: readonly string[],
  { where, threads }: BatchOptions = {},
): AsyncGenerator<PredictedBatch> {
  const { schema } = model;
  const read = readRows(connector, fields, schema, { texts, where });
  const isCostly = model.components.length > 1 || treesOf(model) !== undefined;
  for await (const { rows, columns, texts: kept } of isCostly && threads ? gatherBatches(read) : read) {
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
    const { probabilities, standardErrors } = predictAny(model, table, { threads });
    const added = Array.from(standardErrors ?? [], (error) => [error]);
    yield { rows, probabilities, unseen, added, texts: kept };
  }
}

/** Rows as objects, for questions about one row at a time. */
async function* questionBatches(
  { connector, fields, model }: Selection,
  texts: readonly string[],
  { valuesOf }: AddedColumns,
  where?: string,
): AsyncGenerator<PredictedBatch> {
  for await (const batch of readObjects(connector, fields, model.schema, { texts, where })) {
    for (let start = 0; start < batch.rows.length; start += QUESTIONED) {
      const rows = batch.rows.slice(start, start + QUESTIONED);
      const { probabilities, unseen, standardErrors } = predictAny(model, rows);
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

/** Predictions of classes or numbers, rows × K. */
function predictAny(
  model: AnyModel,
  data: Data,
  options: ThreadOptions = {},
): {
  readonly probabilities: Float64Array;
  readonly standardErrors?: Float64Array;
  readonly unseen: readonly UnseenValues[];
} {
  if (!isRegression(model)) return predictColumns(model, data, options);
  const { values, ...rest } = predictColumns(model, data, options);
  return { probabilities: values, ...rest };
}

/** The largest batch, in rows, and in cells for long rows. */
const [GATHERED_ROWS, GATHERED_CELLS] = [16_384, 4_000_000];

/** Merges batches into larger ones in shared memory. */
async function* gatherBatches(batches: AsyncIterable<EncodedBatch>): AsyncGenerator<EncodedBatch> {
  let waiting: EncodedBatch[] = [];
  let rows = 0;
  for await (const batch of batches) {
    waiting.push(batch);
    rows += batch.rows;
    if (rows < Math.min(GATHERED_ROWS, GATHERED_CELLS / batch.columns.length)) continue;
    yield joinBatches(waiting, rows);
    [waiting, rows] = [[], 0];
  }
  if (rows > 0) yield joinBatches(waiting, rows);
}

function joinBatches(batches: readonly EncodedBatch[], rows: number): EncodedBatch {
  const [{ start, columns, texts }] = batches;
  return {
    rows,
    start,
    columns: columns.map((first, c) => {
      const cells = batches.map((batch) => batch.columns[c] as Float64Array | Int32Array);
      const Kind = first.constructor as new (buffer: SharedArrayBuffer) => Float64Array | Int32Array;
      const joined = new Kind(new SharedArrayBuffer(rows * cells[0].BYTES_PER_ELEMENT));
      batches.forEach((batch, b) => {
        joined.set(cells[b], batch.start - start);
      });
      return joined;
    }),
    texts: texts.map((_, t) => batches.flatMap((batch) => batch.texts[t])),
  };
}
