import { readAdult } from "./adult.ts";
import { readAuthorsAdult } from "./adult-authors.ts";
import { readCovtype } from "./covtype.ts";
import type { Dataset, DatasetName, Split } from "./dataset.ts";
import { readImages } from "./images.ts";
import { readSplice } from "./splice.ts";

/** Reads and encodes a dataset; the seed decides the split where the publisher has none. */
export function readDataset(
  name: DatasetName,
  folders: readonly string[],
  seed: number,
  split: Split = "ours",
): Dataset {
  switch (name) {
    case "mnist":
    case "fashion":
      return readImages(name, folders);
    case "covtype":
      return readCovtype(folders, seed);
    case "adult":
      return split === "authors" ? readAuthorsAdult(folders, seed) : readAdult(folders);
    case "splice":
      return readSplice(folders, seed, split);
  }
}
