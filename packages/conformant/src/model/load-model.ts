import type { Model } from "./model.ts";
import { readModel } from "./read-model.ts";
import { readTreesInFile } from "./trees-in-file.ts";

/**
 * Reads the text of a model file. Everything in it is checked: that it is whole and unaltered, of a version this library
 * knows, and that all parts fit together.
 *
 * @throws `model-format`, `model-version` or `model-altered`
 */
export function loadModel(text: string): Model {
  return readModel(text, readTreesInFile);
}
