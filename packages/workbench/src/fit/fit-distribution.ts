import {
  type ChoiceOfMixture,
  conform,
  conformMixture,
  type KnownPredictor,
  type MixtureOptions,
  type Model,
  type Table,
} from "conformant";
import { type MixtureShape, mixtureShape } from "conformant/internal";
import { type Chunk, conformChunks } from "conformant/remote";
import { type ColumnReading, marginalsOf } from "../columns/read-columns.ts";
import { counted } from "../source/count.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import { sampleRows } from "../source/sample-rows.ts";
import type { CellReading } from "../source/table-source.ts";
import { watchWork } from "../source/watch-work.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { fitInEngine } from "./fit-in-engine.ts";
import { readTrainingTable } from "./read-training-table.ts";
import { rowsToDescribe } from "./sample-bounds.ts";
import { TimeLimit } from "./time-limit.ts";
import type { FitContext } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** What is known before the distribution is fitted. */
export interface Known {
  /** All rows in the predictor's columns, where they are in memory already. */
  readonly rows?: Table | undefined;
  /** A sample of them, where that is in memory. */
  readonly sample?: Table | undefined;
  /** A mixture that the training has fitted: of all rows where they are in memory, else of a sample. */
  readonly mixture?: Model | undefined;
  /** The size and kind of the mixture, where an earlier fit to the same rows chose them. */
  readonly shape?: MixtureShape | undefined;
  /** How the predictor was trained, for the checkpoint. */
  readonly training?: TrainingSummary | undefined;
  /** The state of an interrupted fit. */
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * Fits the distribution of the rows. One component of atoms is the paper's method and needs only the counts per column. A mixture
 * needs the rows: they stay in memory where they fit, are read again for each step where they do not, and are summed by the engine
 * where that is a server.
 */
export async function fitDistribution<Cells extends CellReading>(
  context: FitContext<Cells>,
  predictor: KnownPredictor,
  reading: ColumnReading<Cells>,
  known: Known = {},
): Promise<Model> {
  const { pseudocount, bins, seed, components, numeric } = context.training;
  // The counts of the source include rows without a label, which are skipped.
  const counts = () =>
    known.rows && known.rows.rows < reading.rows
      ? { ...known.rows, schema: predictor.schema }
      : marginalsOf(reading, predictor.schema);
  const paper = (): Model =>
    conform(predictor, counts(), {
      pseudocount,
      seed,
      bins,
      ...watchWork(context.host.reporter),
    });
  const anyNumber = predictor.schema.columns.some(({ kind }) => kind === "numeric");
  if (!known.shape && components === 1 && (numeric !== "gaussian" || !anyNumber)) return paper();
  const fitted = (): Promise<Model> => fitMixture(context, predictor, reading, known);
  // One component takes next to no time.
  const least = (): Promise<Model> => {
    const unlimited = { ...context, limit: new TimeLimit(Number.POSITIVE_INFINITY) };
    return fitMixture(unlimited, predictor, reading, {
      ...known,
      shape: { components: 1, numeric: "atoms" },
    });
  };
  const mixture =
    known.rows && known.mixture
      ? known.mixture
      : ((await context.limit.attempt("the fit of the mixture", fitted)) ?? (await least()));
  const marked = mixture.schema.columns.some(isIndicatorColumn);
  const model = mixture.components.length === 1 && !mixture.gaussianColumns && !marked ? paper() : mixture;
  const choice = mixture.certificate.choice ?? known.mixture?.certificate.choice;
  if (choice?.timedOut)
    context.host.reporter.warn(
      `the time limit ended the search at ${counted(largestTried(choice), "component")}; without it, or on a faster machine, the model may be better`,
    );
  return choice ? { ...model, certificate: { ...model.certificate, choice } } : model;
}

function largestTried({ curve }: ChoiceOfMixture): number {
  return Math.max(...curve.map(({ components }) => components));
}

async function fitMixture<Cells extends CellReading>(
  context: FitContext<Cells>,
  predictor: KnownPredictor,
  reading: ColumnReading<Cells>,
  { rows, sample, mixture: sized, shape, training, checkpoint }: Known,
): Promise<Model> {
  const { source, host } = context;
  const settings = mixtureSettings(context, shape ?? (sized && mixtureShape(sized)));
  const inEngine = (from: Checkpoint | Table): Promise<Model> =>
    fitInEngine(ofAtoms(context, sized), predictor, reading, training, from);
  if (checkpoint) return inEngine(checkpoint);
  const known = rows ?? sample;
  const read = known
    ? { table: known, sampled: rows === undefined }
    : await readTrainingTable(source, reading, predictor.schema, context.training, host.reporter);
  if (!read.sampled) {
    const { bounds, seed } = context.training;
    const most = rowsToDescribe(read.table, bounds) ?? read.table.rows;
    return conformMixture(predictor, inColumnsOf(predictor, sampleRows(read.table, most, seed)), settings);
  }
  if (source.remote && source.sums && context.training.numeric !== "gaussian") return inEngine(read.table);
  return fitInPasses(context, predictor, reading, settings);
}

/** Rows in the columns of a predictor; indicators of missing values are computed from the others. */
function inColumnsOf({ schema }: KnownPredictor, table: Table): Table {
  const columns = schema.columns.filter((column) => !isIndicatorColumn(column));
  return { ...table, schema: columns.length < schema.columns.length ? { columns } : schema };
}

/** The engine sums atoms: with as many components as the mixture of a sample has, unless that has a Gaussian. */
function ofAtoms<Cells extends CellReading>(
  context: FitContext<Cells>,
  sized: Model | undefined,
): FitContext<Cells> {
  if (!sized || sized.gaussianColumns) return context;
  return { ...context, training: { ...context.training, components: sized.components.length } };
}

/** The share of the time left that the search for a mixture may take. */
const SEARCH_LIMIT = 0.4;

/** How a mixture is fitted: in the shape of one that was chosen before, where there is one. */
function mixtureSettings<Cells extends CellReading>(
  { training, host, limit }: FitContext<Cells>,
  shape: MixtureShape | undefined,
): MixtureOptions {
  const { pseudocount, bins, seed, components, numeric } = training;
  return {
    pseudocount,
    bins,
    seed,
    timeLimit: limit.share(SEARCH_LIMIT),
    threads: host.threads,
    ...(shape ?? { components, numeric }),
    ...limit.watch(watchWork(host.reporter)),
  };
}

/** Fits a mixture to rows that are read again for each step. */
function fitInPasses<Cells extends CellReading>(
  { source, training: { sample }, host }: FitContext<Cells>,
  predictor: KnownPredictor,
  reading: ColumnReading<Cells>,
  settings: MixtureOptions,
): Promise<Model> {
  if (source.remote) {
    const rows = counted(reading.rows, "row");
    host.reporter.warn(
      `--numeric gaussian reads all ${rows} in passes; --numeric atoms leaves them where they are`,
    );
  }
  const { schema } = predictor;
  async function* chunks(): AsyncGenerator<Chunk> {
    for await (const { rows, columns } of source.rows(reading.fields, schema))
      yield { data: { schema, rows, columns: columns as Table["columns"], unseen: [] } };
  }
  return conformChunks(predictor, chunks, {
    ...settings,
    ...(sample !== undefined && { sampleRows: sample }),
  });
}
