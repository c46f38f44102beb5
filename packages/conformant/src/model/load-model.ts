import { readTreesInFile } from "../trees/trees-in-file.ts";
import { createModel } from "./kinds.ts";
import type { Model } from "./model.ts";
import { readModel } from "./read-model.ts";

/**
 * Reads the text of a model file. Everything in it is checked: that it is whole and unaltered, of a version this library
 * knows, and that all parts fit together.
 *
 *     const model = loadModel(readFileSync("model.json", "utf8"));
 *
 * @throws `model-format`, `model-version` or `model-altered`
 */
export function loadModel(text: string): Model {
  return readModel(text, createModel, readTreesInFile);
}
