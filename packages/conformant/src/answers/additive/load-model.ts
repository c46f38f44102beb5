import { ConformantError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { readModel } from "../../model/read-model.ts";

/**
 * Reads the text of a model file, as `loadModel` of the library does, of an additive classifier.
 *
 * @throws `model-format`, `model-version` or `model-altered`; a model of trees is refused
 */
export function loadModel(text: string): Model {
  return readModel(text, rejectTrees);
}

function rejectTrees(): never {
  throw new ConformantError(
    "model-format",
    "the model file holds trees, which conformant/predict does not read",
    { hint: 'import { loadModel, predict } from "conformant"' },
  );
}
