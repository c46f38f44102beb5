import type { Classifier } from "../classifier/classifier.ts";
import {
  type Chunks,
  type ChunksOptions,
  conformChunks as conformAdditive,
} from "../conform/remote/conform-chunks.ts";
import { requireMade } from "../errors.ts";
import type { Model } from "../model/model.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import { weightless } from "../trees/weightless.ts";
import { treesAnswering } from "./trees/trees-answering.ts";

/**
 * {@link conformMixture} for rows that do not fit in memory. The number of components, what describes numeric columns (atoms,
 * or a Gaussian and the moments it is shrunk towards) and a first fit come from a sample drawn uniformly; then EM goes on over
 * all rows, a chunk at a time. Memory depends on the sample and the chunks, not on the number of rows.
 */
export async function conformChunks(
  classifier: Classifier | TreeClassifier,
  chunks: Chunks,
  options: ChunksOptions = {},
): Promise<Model> {
  requireMade("classifier of any kind", classifier, "classifier");
  if (!("kind" in classifier)) return conformAdditive(classifier, chunks, options);
  const model = await conformAdditive(weightless(classifier), chunks, options, treesAnswering(classifier));
  return { ...model, trees: classifier };
}
