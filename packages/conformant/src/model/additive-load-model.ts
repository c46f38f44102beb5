import { additiveResponse, type Classifier } from "../additive/classifier.ts";
import { ConformantError } from "../errors.ts";
import type { Model } from "./model.ts";
import type { ModelJson } from "./model-json.ts";
import { readModel } from "./read-model.ts";

/**
 * Reads the text of a model file, as `loadModel` of the library does, of an additive classifier.
 *
 * @throws `model-format`, `model-version` or `model-altered`; a model of trees is an error
 */
export function loadModel(text: string): Model {
  return readModel(
    text,
    (predictor: Classifier, distribution) => ({
      ...distribution,
      predictor,
      response: additiveResponse(predictor),
    }),
    rejectOther,
  );
}

function rejectOther({ regressor }: ModelJson): never {
  const what = regressor ? "a regressor" : "trees";
  throw new ConformantError(
    "model-format",
    `the model file has ${what}, which conformant/predict does not support`,
    { hint: 'import { loadModel, predict } from "conformant"' },
  );
}
