import {
  type Chunk,
  type Classifier,
  conform,
  conformChunks,
  conformMixture,
  type MixtureOptions,
  type Model,
  mixtureShape,
  type Table,
  type TreeClassifier,
} from "conformant";
import { readRows } from "../reading/read-rows.ts";
import { counted } from "../terminal/numbers.ts";
import { watchWork } from "../terminal/watch-work.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { fitInEngine } from "./fit-in-engine.ts";
import type { FitRequest } from "./fit-request.ts";
import { type ColumnReading, marginalsOf } from "./read-columns.ts";
import { readTrainingTable } from "./training/read-training-table.ts";
import type { TrainingSummary } from "./training/training-summary.ts";

/** What is known before the distribution is learned. */
export interface Known {
  /** All rows in the classifier's columns, where they are in memory already. */
  readonly rows?: Table | undefined;
  /** A sample of them, where that is in memory. */
  readonly sample?: Table | undefined;
  /** A mixture of all these rows, where there is one. */
  readonly mixture?: Model | undefined;
  /** Trees that answer, where the classifier has no weights: the choice of the mixture is judged by their answers. */
  readonly trees?: TreeClassifier | undefined;
  /** How the classifier was trained, for the checkpoint. */
  readonly training?: TrainingSummary | undefined;
  /** The state of a fit that was broken off. */
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * Learns the distribution of the rows. One component of atoms is the paper's method and needs only the counts per column; a
 * mixture needs the rows, which stay in memory where they fit, are read again for each step where they do not, and stay where
 * they are where that is a server.
 */
export async function fitDistribution(
  request: FitRequest,
  classifier: Classifier,
  reading: ColumnReading,
  known: Known = {},
): Promise<Model> {
  const { pseudocount, seed, components, numeric } = request.options;
  const paper = (): Model =>
    conform(classifier, marginalsOf(reading, classifier.schema), {
      pseudocount,
      seed,
      ...watchWork(request.messages),
    });
  const anyNumber = classifier.schema.columns.some(({ kind }) => kind === "numeric");
  if (components === 1 && (numeric !== "gaussian" || !anyNumber)) return paper();
  const mixture =
    known.rows && known.mixture ? known.mixture : await fitMixture(request, classifier, reading, known);
  const model = mixture.components.length === 1 && !mixture.block ? paper() : mixture;
  const choice = mixture.certificate.choice ?? known.mixture?.certificate.choice;
  return choice ? { ...model, certificate: { ...model.certificate, choice } } : model;
}

async function fitMixture(
  request: FitRequest,
  classifier: Classifier,
  reading: ColumnReading,
  { rows, sample, mixture: sized, trees, training, checkpoint }: Known,
): Promise<Model> {
  const { options, messages, connector } = request;
  const { pseudocount, bins, seed, timeLimit, components, numeric } = options;
  const settings = {
    pseudocount,
    bins,
    seed,
    timeLimit,
    ...(sized ? mixtureShape(sized) : { components, numeric }),
    ...watchWork(messages),
  };
  const inEngine = (from: Checkpoint | Table): Promise<Model> =>
    fitInEngine(ofAtoms(request, sized), classifier, reading, training, from);
  if (checkpoint) return inEngine(checkpoint);
  const known = rows ?? sample;
  const read = known
    ? { table: known, sampled: rows === undefined }
    : await readTrainingTable(request, reading, classifier.schema);
  if (!read.sampled)
    return conformMixture(trees ?? classifier, { ...read.table, schema: classifier.schema }, settings);
  if (connector.remote && numeric !== "gaussian") return inEngine(read.table);
  return fitInPasses(request, trees ?? classifier, reading, settings);
}

/** The engine adds up atoms: of as many components as a mixture of a sample has, unless that was chosen for a Gaussian. */
function ofAtoms(request: FitRequest, sized: Model | undefined): FitRequest {
  if (!sized || sized.block) return request;
  return { ...request, options: { ...request.options, components: sized.components.length } };
}

/** Fits a mixture to rows that are read again for each step. */
function fitInPasses(
  request: FitRequest,
  classifier: Classifier | TreeClassifier,
  reading: ColumnReading,
  settings: MixtureOptions,
): Promise<Model> {
  const { options, messages, connector } = request;
  if (connector.remote) {
    const rows = counted(reading.rows, "row");
    messages.warn(
      `--numeric gaussian reads all ${rows} in passes; --numeric atoms leaves them where they are`,
    );
  }
  return conformChunks(classifier, () => chunksOf(request, reading, classifier), {
    ...settings,
    ...(options.sample !== undefined && { sampleRows: options.sample }),
  });
}

async function* chunksOf(
  { connector }: FitRequest,
  { fields }: ColumnReading,
  { schema }: Pick<Classifier, "schema">,
): AsyncGenerator<Chunk> {
  for await (const batch of readRows(connector, fields, schema)) {
    yield { data: { schema, rows: batch.rows, columns: batch.columns as Table["columns"], unseen: [] } };
  }
}
