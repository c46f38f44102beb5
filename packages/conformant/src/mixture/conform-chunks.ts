import { ConformantError, requireFunction, requireMade, show } from "../errors.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { type Random, random } from "../math/random.ts";
import { addSums } from "../math/sum-records.ts";
import { kindOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { integer, type OptionsOf, readOptions } from "../options.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { Watch } from "../progress.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { isDiscrete, type Schema } from "../schema/column.ts";
import type { Data, EncodedColumn, Table } from "../schema/data.ts";
import { readWeightedRows } from "../schema/rows.ts";
import {
  type Answer,
  conformRemote,
  type StartOptions,
  startMixture,
  startOptions,
} from "./conform-remote.ts";
import { type Expectation, expectation } from "./e-step.ts";
import { splitRows } from "./packed-rows.ts";

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
  readonly sampleRows?: number | undefined;
}

const { weights: _, ...withoutWeights } = startOptions;

/** How {@link ChunksOptions} are read. */
const chunksOptions = {
  ...withoutWeights,
  sampleRows: integer(50_000, { least: 1 }),
} satisfies OptionsOf<ChunksOptions>;

/** Where reading the sample ends, and the fit to it, as shares of the whole work. */
const PARTS = { read: 0.1, start: 0.4 } as const;

/**
 * `conformMixture` for rows that do not fit in memory. Size, kind and a first fit come from a sample drawn uniformly; then EM goes
 * over all rows, a chunk at a time. Memory depends on the sample and the chunks, not on the number of rows.
 */
export async function conformChunks<P extends Predictor>(
  classifier: P,
  chunks: Chunks,
  options: ChunksOptions = {},
): Promise<Model<P>> {
  const tilt = kindOf(classifier, "classifier").tilt(classifier);
  requireFunction("chunks", chunks);
  const { sampleRows, ...read } = readOptions(options, chunksOptions);
  const { seed, strict } = read;
  const watch = new Watch(read, "reading");
  const reservoir = new RowReservoir(tilt.schema, sampleRows, seed);
  const { sample, weights, totalWeight } = await sampleChunks(reservoir, tilt, chunks, strict, watch.check);
  watch.step(PARTS.read);
  const watched = { ...read, ...watch.part(PARTS.read, PARTS.start), weights };
  const start = startMixture(classifier, sample, totalWeight, watched);
  const { schema, intercept } = tilt;
  const answer: Answer = (components, atoms) =>
    sumOver(chunks, watch.check, ({ data, weights }) => {
      const rows = readWeightedRows(schema, data, { weights, strict });
      const split = splitRows(rows, atoms, intercept, start, manyRows);
      return expectation(atoms, intercept, components, split, manyRows);
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
  reservoir: RowReservoir,
  { schema }: ClassTilt,
  chunks: Chunks,
  strict: boolean,
  check: () => void,
): Promise<{ sample: Table; weights: Float64Array; totalWeight: number }> {
  let totalWeight = 0;
  for await (const chunk of requireChunks(chunks())) {
    check();
    requireMade("chunk", chunk, "a chunk");
    const { data, weights: given } = chunk;
    const { table, weights } = readWeightedRows(schema, data, { weights: given, strict });
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

/** A sample of rows that come by in any number, each with the same chance (Vitter 1985, algorithm R). Rows of weight 0 do not count. */
export class RowReservoir {
  readonly #schema: Schema;
  readonly #columns: readonly EncodedColumn[];
  readonly #weights: Float64Array;
  readonly #random: Random;
  #seen = 0;

  constructor(schema: Schema, size: number, seed: number) {
    this.#schema = schema;
    this.#columns = schema.columns.map((column) =>
      isDiscrete(column) ? new Int32Array(size) : new Float64Array(size),
    );
    this.#weights = new Float64Array(size);
    this.#random = random(seed);
  }

  add({ columns, rows }: Table, weights: Float64Array): void {
    for (let r = 0; r < rows; r++) {
      if (weights[r] === 0) continue;
      const place = this.#placeOf(this.#seen++);
      if (place >= this.#weights.length) continue;
      this.#weights[place] = weights[r];
      for (let c = 0; c < columns.length; c++) this.#columns[c][place] = columns[c][r];
    }
  }

  /** The place of the next row; one beyond the sample leaves it out. */
  #placeOf(seen: number): number {
    return seen < this.#weights.length ? seen : this.#random.integer(seen + 1);
  }

  finish(): { table: Table; weights: Float64Array } {
    const rows = Math.min(this.#seen, this.#weights.length);
    const columns = this.#columns.map((cells) => cells.subarray(0, rows));
    return {
      table: { schema: this.#schema, rows, columns, unseen: [] },
      weights: this.#weights.subarray(0, rows),
    };
  }
}
