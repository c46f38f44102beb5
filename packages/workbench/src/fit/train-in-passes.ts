import type { Classifier, Model, Schema, Table } from "conformant";
import { random } from "conformant";
import { completeTable, findCompleteRows, pickRows } from "conformant/internal";
import { type LossSums, lossSums, type RemoteTraining, trainRemote } from "conformant/remote";
import type { ColumnReading } from "../columns/read-columns.ts";
import type { Host, RowStore } from "../source/host.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutColumns } from "../source/without-columns.ts";
import { labeledRows, rowBytes } from "./read-training-table.ts";
import type { Trained } from "./train-classifier.ts";
import type { FitContext } from "./training-options.ts";

/** Rows of a start: its classifier is near enough that few passes over all rows are left, and its mixture completes rows well. */
export const START_ROWS = 50_000;
/** Rows up to which all of them are trained on at once, however many columns they have. */
const FEW_ROWS = 200_000;
/** How many times the memory of encoded rows their training takes, roughly. */
const TRAINING_MEMORY = 8;
/** Bytes of encoded rows up to which a server sends them once; more stay there, and each pass is a query. */
const MOST_SENT = 1 << 30;

/** Where the rows are kept to train on all of them in passes; undefined where that is not needed or not possible. */
export function storeForPasses<Cells extends CellReading>(
  { source, training, host }: FitContext<Cells>,
  { rows }: Pick<ColumnReading, "rows">,
  schema: Schema,
): Host["createRowStore"] {
  if (training.sample !== undefined || rows <= FEW_ROWS) return undefined;
  const most = Math.min(training.bounds.bytesAtOnce, source.memoryBudget / TRAINING_MEMORY);
  if (rows * rowBytes(schema) <= most) return undefined;
  return !source.remote || rows * rowBytes(schema) <= MOST_SENT ? host.createRowStore : undefined;
}

/**
 * Trains on all rows with memory for some of them: they are read once into a store outside memory, a missing value completed by a
 * draw from the mixture of the start, and every step of the minimizer is a pass over that store.
 *
 * @param sample some of the rows, the label last
 * @param start what it came to
 */
export async function trainInPasses<Cells extends CellReading>(
  createStore: (schema: Schema) => RowStore,
  { source, training: { seed }, host: { reporter } }: FitContext<Cells>,
  reading: ColumnReading<Cells>,
  sample: Table,
  start: Trained,
): Promise<Classifier> {
  const own = (table: Table): Table => withoutColumns(table, reading.also);
  const { schema } = own(sample);
  const store = createStore(schema);
  try {
    const scales = new Scales(schema);
    const complete = rowCompleter(start.distribution, own, seed);
    let completed = 0;
    for await (const all of readTables(source, reading.fields, sample.schema)) {
      const batch = labeledRows(all);
      const { table, rowsCompleted } = complete(batch);
      completed += rowsCompleted;
      scales.add(table);
      store.append(table);
      reporter.progress("reading rows", store.rows, reading.rows);
    }
    const scaling = scales.finish(store.rows);
    const rowsWithGaps = start.distribution ? 0 : reading.rows - store.rows;
    const classifier = await trainRemote(
      complete(sample).table,
      { rows: store.rows, rowsWithGaps, scaling },
      {
        label: start.classifier.label as string,
        l2: start.classifier.training?.l2 ?? 1,
        ...watchWork(reporter),
      },
      async (now) => passOver(store, now, scaling),
    );
    const { training } = classifier;
    return completed === 0 || !training
      ? classifier
      : { ...classifier, training: { ...training, rowsCompleted: completed } };
  } finally {
    store.close();
  }
}

function passOver(store: RowStore, classifier: Classifier, scaling: RemoteTraining["scaling"]): LossSums {
  let total: ReturnType<typeof lossSums> | undefined;
  for (const block of store.blocks()) {
    const { value, residuals, bySlot } = lossSums(classifier, block, scaling);
    if (!total) total = { value, residuals, bySlot };
    else {
      const { residuals: sums, bySlot: slots } = total;
      for (let k = 0; k < sums.length; k++) sums[k] += residuals[k];
      for (let j = 0; j < slots.length; j++) slots[j] += bySlot[j];
      total = { value: total.value + value, residuals: sums, bySlot: slots };
    }
  }
  return total ?? { value: 0, residuals: [], bySlot: [] };
}

type Completer = (table: Table) => { readonly table: Table; readonly rowsCompleted: number };

/**
 * Fills gaps by draws from a model, or leaves rows with gaps out where there is none.
 *
 * @param own the columns that are learned from
 */
function rowCompleter(model: Model | undefined, own: (table: Table) => Table, seed: number): Completer {
  const generator = random(seed);
  return (all) => {
    const table = own(all);
    const rows = findCompleteRows(table);
    if (rows.length === table.rows) return { table, rowsCompleted: 0 };
    if (!model) return { table: pickRows(table, rows), rowsCompleted: 0 };
    const completed = completeTable(model, all, generator);
    return { table: own(completed.table), rowsCompleted: table.rows - rows.length };
  };
}

async function* readTables<Cells extends CellReading>(
  source: TableSource<Cells>,
  fields: Cells,
  schema: Schema,
): AsyncGenerator<Table> {
  for await (const { rows, columns } of source.rows(fields, schema))
    yield { schema, rows, columns: columns as Table["columns"], unseen: [] };
}

/** Means and deviations of numeric columns, in one pass (Welford's method, a table at a time). */
class Scales {
  readonly #schema: Schema;
  #rows = 0;
  readonly #means: Float64Array;
  /** Σ (x − mean)². */
  readonly #squares: Float64Array;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#means = new Float64Array(schema.columns.length);
    this.#squares = new Float64Array(schema.columns.length);
  }

  add({ rows, columns }: Table): void {
    if (rows === 0) return;
    const total = this.#rows + rows;
    this.#schema.columns.forEach(({ kind }, i) => {
      if (kind !== "numeric") return;
      const cells = columns[i] as Float64Array;
      let [mean, squares] = [0, 0];
      for (let r = 0; r < rows; r++) mean += cells[r] / rows;
      for (let r = 0; r < rows; r++) squares += (cells[r] - mean) ** 2;
      const shift = mean - this.#means[i];
      this.#squares[i] += squares + (shift * shift * this.#rows * rows) / total;
      this.#means[i] += (shift * rows) / total;
    });
    this.#rows = total;
  }

  finish(rows: number): RemoteTraining["scaling"] {
    return new Map(
      this.#schema.columns.flatMap(({ name, kind }, i) => {
        if (kind !== "numeric") return [];
        const deviation = Math.sqrt(this.#squares[i] / rows);
        return [[name, { mean: this.#means[i], scale: deviation > 0 ? deviation : 1 }]];
      }),
    );
  }
}
