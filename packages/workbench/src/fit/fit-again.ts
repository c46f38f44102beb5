import {
  type Column,
  conform,
  conformMixture,
  encode,
  type KnownPredictor,
  type Model,
  predictColumns,
  random,
  type Schema,
  type Table,
  type WatchOptions,
} from "conformant";
import { type MixtureShape, mixtureShape } from "conformant/internal";
import type { Host } from "../source/host.ts";
import { splitLabel } from "../source/labeled-rows.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import { sampleRows } from "../source/sample-rows.ts";
import type { Answers, FitAgain, Masking } from "./out-of-fold.ts";
import { rowsToDescribe } from "./sample-bounds.ts";
import type { TrainingOptions } from "./training-options.ts";

/**
 * Trains on other rows, the label last, as a training before: with the penalty, the size of the mixture and everything else that was
 * chosen then.
 */
export type TrainAgain = (
  rows: Table,
  watch: WatchOptions,
) => { readonly predictor: KnownPredictor; readonly mixture?: Model | undefined };

/** Fits the whole pipeline again, classifier and distribution, in the shape of a model that was fitted to all rows. */
export function fitAgainAs(
  model: Model,
  trainAgain: TrainAgain,
  { pseudocount, bins, seed, bounds }: TrainingOptions,
  { threads }: Host,
): FitAgain {
  const how = { pseudocount, bins, seed };
  const isMixture = model.certificate.mixture !== undefined;
  return (rows, watch) => {
    const { table, labels } = splitLabel(rows);
    if (labels.every((code) => code === labels[0])) return onlyClass(model, labels[0], rows.rows);
    const { predictor, mixture } = trainAgain(rows, watch);
    const shape = shapeWithin(mixtureShape(model), predictor.schema);
    const described = (): Table => sampleRows(table, rowsToDescribe(table, bounds) ?? table.rows, seed);
    const again = isMixture
      ? (mixture ??
        conformMixture(predictor, described(), { ...how, ...shape, ...watch, threads, rough: true }))
      : conform(predictor, table, how);
    return (asked, masking) => {
      // Whether a value is missing in the data is settled before cells are masked.
      const rows = masking ? maskAtRandom(encode(again.schema, asked), masking) : asked;
      return predictColumns(again, rows, { threads }).probabilities;
    };
  };
}

/** The rows with a share of their cells masked, but no indicators: the masked values are missing at random. */
function maskAtRandom(table: Table, { rate, seed }: Masking): Table {
  const generator = random(seed);
  const columns = table.columns.map((cells, c) => {
    if (isIndicatorColumn(table.schema.columns[c])) return cells;
    const missing = table.schema.columns[c].kind === "numeric" ? Number.NaN : -1;
    return cells.map((cell: number) => (generator.uniform() < rate ? missing : cell));
  });
  return { ...table, columns: columns as Table["columns"] };
}

/** The shape for rows that lack some of the columns. */
export function shapeWithin<Shape extends Pick<MixtureShape, "numeric">>(
  shape: Shape,
  { columns }: Schema,
): Shape {
  const { numeric } = shape;
  if (typeof numeric !== "object") return shape;
  const within = numeric.filter((wanted) => columns.some(({ name }) => name === wanted));
  return { ...shape, numeric: within.length > 0 ? within : "atoms" };
}

/** Rows of one class teach nothing but that: (n + 1) / (n + K) for it and 1 / (n + K) for every other class. */
function onlyClass(model: Model, label: number, rows: number): Answers {
  const K = model.response.outputs.length;
  return (asked) =>
    Float64Array.from({ length: asked.rows * K }, (_, at) => (at % K === label ? rows + 1 : 1) / (rows + K));
}

/** Those of some columns that a table has. */
export function columnsWithin(columns: readonly Column[], { schema }: Table): Column[] {
  const names = new Set(schema.columns.map(({ name }) => name));
  return columns.filter(({ name }) => names.has(name));
}
