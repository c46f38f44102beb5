import { adult } from "./adult.ts";
import { covtype } from "./covtype.ts";
import type { DatasetSource } from "./dataset.ts";
import { fashion } from "./fashion.ts";
import { mnist } from "./mnist.ts";
import { splice } from "./splice.ts";

/** The datasets in the order of the paper's Table 1. Another one is entered here. */
export const DATASETS: readonly DatasetSource[] = [mnist, fashion, covtype, adult, splice];

export const DATASET_NAMES: readonly string[] = DATASETS.map(({ name }) => name);

/** The dataset of a name. */
export function datasetOf(name: string): DatasetSource {
  const found = DATASETS.find((source) => source.name === name);
  if (found) return found;
  throw new Error(`a dataset must be one of ${DATASET_NAMES.join(", ")}, got ${JSON.stringify(name)}`);
}
