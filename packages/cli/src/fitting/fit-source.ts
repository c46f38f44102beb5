import type { KnownPredictor, MixtureOptions, Model, Table } from "conformant";
import { type Chunk, conformChunks } from "conformant/remote";
import {
  counted,
  fitDistribution,
  fitMixtureOfRows,
  mixtureSettings,
  type TrainingSummary,
} from "conformant-workbench";
import { readRows } from "../sources/read-rows.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { EngineReading } from "./engine-reading.ts";
import { fitInEngine } from "./fit-in-engine.ts";
import type { FitRequest } from "./fit-request.ts";
import { readTrainingTable } from "./read-training-table.ts";

/** What is known before the distribution is learned. */
export interface Known {
  /** All rows in the classifier's columns, where they are in memory already. */
  readonly rows?: Table | undefined;
  /** A sample of them, where that is in memory. */
  readonly sample?: Table | undefined;
  /** A mixture of all these rows, where there is one. */
  readonly mixture?: Model | undefined;
  /** How the classifier was trained, for the checkpoint. */
  readonly training?: TrainingSummary | undefined;
  /** The state of a fit that was broken off. */
  readonly checkpoint?: Checkpoint | undefined;
}

/**
 * Learns the distribution of the rows, which stay in memory where they fit, are read again for each step where they do not, and
 * stay where they are where that is a server.
 */
export function fitSource(
  request: FitRequest,
  classifier: KnownPredictor,
  reading: EngineReading,
  known: Known = {},
): Promise<Model> {
  const mixture = (): Model | Promise<Model> =>
    known.rows && known.mixture ? known.mixture : fitMixture(request, classifier, reading, known);
  return fitDistribution(request, classifier, reading, mixture, known.mixture);
}

async function fitMixture(
  request: FitRequest,
  classifier: KnownPredictor,
  reading: EngineReading,
  { rows, sample, mixture: sized, training, checkpoint }: Known,
): Promise<Model> {
  const { options, connector } = request;
  const settings = mixtureSettings(request, sized);
  const inEngine = (from: Checkpoint | Table): Promise<Model> =>
    fitInEngine(ofAtoms(request, sized), classifier, reading, training, from);
  if (checkpoint) return inEngine(checkpoint);
  const known = rows ?? sample;
  const read = known
    ? { table: known, sampled: rows === undefined }
    : await readTrainingTable(request, reading, classifier.schema);
  if (!read.sampled) return fitMixtureOfRows(classifier, read.table, settings);
  if (connector.remote && options.numeric !== "gaussian") return inEngine(read.table);
  return fitInPasses(request, classifier, reading, settings);
}

/** The engine adds up atoms: of as many components as a mixture of a sample has, unless that was chosen for a Gaussian. */
function ofAtoms(request: FitRequest, sized: Model | undefined): FitRequest {
  if (!sized || sized.block) return request;
  return { ...request, options: { ...request.options, components: sized.components.length } };
}

/** Fits a mixture to rows that are read again for each step. */
function fitInPasses(
  request: FitRequest,
  classifier: KnownPredictor,
  reading: EngineReading,
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
  { fields }: EngineReading,
  { schema }: Pick<KnownPredictor, "schema">,
): AsyncGenerator<Chunk> {
  for await (const batch of readRows(connector, fields, schema)) {
    yield { data: { schema, rows: batch.rows, columns: batch.columns as Table["columns"], unseen: [] } };
  }
}
