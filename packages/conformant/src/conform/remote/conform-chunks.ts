import type { Classifier } from "../../classifier/classifier.ts";
import { ConformantError, requireFunction, requireInteger, requireMade, show } from "../../errors.ts";
import { addSums } from "../../math/add-sums.ts";
import type { Model } from "../../model/model.ts";
import type { Data, Table } from "../../schema/data.ts";
import { readWeightedRows } from "../../schema/rows/weighted-rows.ts";
import { Watch } from "../../watch.ts";
import type { Answering } from "../choosing/answering.ts";
import { splitRows } from "../mixture/atom-rows.ts";
import { type Expectation, expectation } from "../mixture/em/expectation.ts";
import { type Answer, conformRemote, type StartOptions, startMixture } from "./conform-remote.ts";
import { RowReservoir } from "./row-reservoir.ts";

/** Some of the rows of a table that does not fit in memory. */
export interface Chunk {
  readonly data: Data;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number>;
}

/** Reads all rows, from the first chunk to the last, each time it is called. */
export type Chunks = () => Iterable<Chunk> | AsyncIterable<Chunk>;

/** Options of {@link conformChunks}. */
export interface ChunksOptions extends Omit<StartOptions, "weights"> {
  /** Rows of the sample that the fit starts from. Default 50,000. */
  readonly sampleRows?: number;
}

/** Where reading the sample ends, and the fit to it, as shares of the whole work. */
const PARTS = { read: 0.1, start: 0.4 } as const;

/**
 * Fits a mixture to chunks of rows: size, kind and a first fit from a sample, then EM over all of them.
 *
 * @param answering what the choice of size and kind is judged by; default: the classifier
 */
export async function conformChunks(
  classifier: Classifier,
  chunks: Chunks,
  options: ChunksOptions = {},
  answering?: Answering,
): Promise<Model> {
  requireMade("classifier", classifier);
  requireFunction("chunks", chunks);
  const watch = new Watch(options, "reading");
  const { sample, weights, totalWeight } = await sampleChunks(classifier, chunks, options, watch.check);
  watch.step(PARTS.read);
  const watched = { ...options, ...watch.part(PARTS.read, PARTS.start), weights };
  const start = startMixture(classifier, sample, totalWeight, watched, answering);
  const { schema, intercept } = classifier;
  const answer: Answer = (components, atoms) =>
    sumOver(chunks, watch.check, ({ data, weights }) => {
      const rows = readWeightedRows(schema, data, { weights });
      return expectation(atoms, intercept, components, splitRows(rows, atoms, intercept, start));
    });
  return conformRemote(classifier, start, answer, watch.part(PARTS.start, 1));
}

function requireChunks(given: ReturnType<Chunks>): ReturnType<Chunks> {
  const own = given as { [Symbol.iterator]?: unknown; [Symbol.asyncIterator]?: unknown } | null | undefined;
  if (own?.[Symbol.iterator] !== undefined || own?.[Symbol.asyncIterator] !== undefined) return given;
  const message = `chunks must give something to go through, got ${show(given)}`;
  throw new ConformantError("invalid-argument", message, { argument: "chunks", value: given });
}

/** What all chunks come to. */
async function sumOver(
  chunks: Chunks,
  check: () => void,
  expect: (chunk: Chunk) => Expectation,
): Promise<Expectation> {
  let sum: Expectation | undefined;
  for await (const chunk of chunks()) {
    check();
    const part = expect(chunk);
    sum = sum ? addSums(sum, part) : part;
  }
  if (sum) return sum;
  const message =
    "chunks gave no rows when it was called again; it must read all rows, from the first, at every call";
  throw new ConformantError("invalid-argument", message, { argument: "chunks" });
}

async function sampleChunks(
  classifier: Classifier,
  chunks: Chunks,
  { sampleRows = 50_000, seed = 0 }: ChunksOptions,
  check: () => void,
): Promise<{ sample: Table; weights: Float64Array; totalWeight: number }> {
  const reservoir = new RowReservoir(
    classifier.schema,
    requireInteger("options.sampleRows", sampleRows, 1),
    seed,
  );
  let totalWeight = 0;
  for await (const chunk of requireChunks(chunks())) {
    check();
    requireMade("chunk", chunk, "a chunk");
    const { data, weights: given } = chunk;
    const { table, weights } = readWeightedRows(classifier.schema, data, { weights: given });
    reservoir.add(table, weights);
    for (const weight of weights) totalWeight += weight;
  }
  const { table, weights } = reservoir.finish();
  if (!(totalWeight > 0) || table.rows === 0)
    throw new ConformantError(
      "empty-data",
      `conformChunks needs rows to learn from, got a total weight of ${totalWeight}`,
    );
  return { sample: table, weights, totalWeight };
}
