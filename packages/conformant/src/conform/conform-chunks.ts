import type { Classifier } from "../classifier/classifier.ts";
import { ConformantError, requireInteger } from "../errors.ts";
import type { Model } from "../model/model.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { checkWeights } from "../schema/weights.ts";
import { splitRows } from "./atom-rows.ts";
import { bestSize, chooseComponents } from "./choose-components.ts";
import { checkChoice, checkSettings, type MixtureOptions, mixtureModel } from "./conform-mixture.ts";
import { type EmResult, em, type MixtureProblem } from "./em.ts";
import { addExpectations, type Expectation, expectation } from "./expectation.ts";
import { fitRows, type WeightedRows } from "./fit-rows.ts";
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
export interface ChunksOptions extends Omit<MixtureOptions, "weights"> {
  /** Rows of the sample that the fit starts from. Default 50,000. */
  readonly sampleRows?: number;
  /** Steps over all chunks at most, one reading each; the sample's fit leaves little to do. Default 10. */
  readonly passes?: number;
}

/**
 * {@link conformMixture} for rows that do not fit in memory. The number of components, the atoms of numeric columns and a first
 * fit come from a sample drawn uniformly; then EM goes on over all rows, a chunk at a time. Memory depends on the sample and
 * the chunks, not on the number of rows.
 */
export async function conformChunks(
  classifier: Classifier,
  chunks: Chunks,
  options: ChunksOptions = {},
): Promise<Model> {
  const settings = checkSettings(options);
  const choice = checkChoice(options);
  const passes = requireInteger("options.passes", options.passes ?? 10, 1);
  const { sample, totalWeight } = await sampleChunks(classifier, chunks, options);
  const heldOut = choice && chooseComponents(classifier, sample, settings, choice);
  const components = heldOut
    ? bestSize(heldOut)
    : requireInteger("options.components", options.components, 1);
  const { best, problem: first } = fitRows(classifier, sample, components, settings);
  const problem: MixtureProblem = {
    ...first,
    totalWeight,
    settings: { ...settings, maxSteps: passes },
    gainedBefore: best.objective[best.objective.length - 1] - best.objective[0],
  };
  const result = await emOnChunks(problem, startFrom(first, best, sample, totalWeight), chunks);
  return mixtureModel(problem, result, heldOut);
}

/** The sample's expected counts under its own fit, in the proportion of all rows. */
function startFrom(
  { classifier, atoms }: MixtureProblem,
  { components }: EmResult,
  { table, rows, weights }: WeightedRows,
  totalWeight: number,
): Float64Array[] {
  const split = splitRows(table, atoms, classifier.intercept, rows, weights);
  const { counts } = expectation(atoms, classifier.intercept, components, split);
  return counts.map((own) => own.map((count) => (count * totalWeight) / split.totalWeight));
}

async function emOnChunks(
  problem: MixtureProblem,
  start: readonly Float64Array[],
  chunks: Chunks,
): Promise<EmResult> {
  const { atoms, classifier } = problem;
  const steps = em(problem, start);
  let next = steps.next();
  while (!next.done) {
    let sum: Expectation | undefined;
    for await (const chunk of chunks()) {
      const { table, weights } = read(classifier, chunk);
      const split = splitRows(table, atoms, classifier.intercept, everyRow(table), weights);
      const part = expectation(atoms, classifier.intercept, next.value, split);
      sum = sum ? addExpectations(sum, part) : part;
    }
    next = steps.next(sum as Expectation);
  }
  return next.value;
}

async function sampleChunks(
  classifier: Classifier,
  chunks: Chunks,
  { sampleRows = 50_000, seed = 0 }: ChunksOptions,
): Promise<{ sample: WeightedRows; totalWeight: number }> {
  const reservoir = new RowReservoir(
    classifier.schema,
    requireInteger("options.sampleRows", sampleRows, 1),
    seed,
  );
  let totalWeight = 0;
  for await (const chunk of chunks()) {
    const { table, weights } = read(classifier, chunk);
    reservoir.add(table, weights);
    for (const weight of weights) totalWeight += weight;
  }
  const { table, weights } = reservoir.finish();
  if (!(totalWeight > 0) || table.rows === 0)
    throw new ConformantError(
      "empty-data",
      `conformChunks needs rows to learn from, got a total weight of ${totalWeight}`,
    );
  return { sample: { table, rows: everyRow(table), weights }, totalWeight };
}

function read(classifier: Classifier, { data, weights }: Chunk): { table: Table; weights: Float64Array } {
  const table = encode(classifier.schema, data);
  return { table, weights: checkWeights(weights, table.rows) ?? new Float64Array(table.rows).fill(1) };
}

function everyRow(table: Table): Int32Array {
  return Int32Array.from({ length: table.rows }, (_, r) => r);
}
