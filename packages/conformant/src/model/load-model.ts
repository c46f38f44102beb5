import type { Classifier } from "../additive/classifier.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { need } from "../errors.ts";
import { createRegressor } from "../linear/linear-regressor.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { checkSchema } from "../schema/column.ts";
import { readRegressionTrees, readTreesInFile } from "../trees/trees-in-file.ts";
import { createModel } from "./kinds.ts";
import {
  type AnyModel,
  type KnownPredictor,
  type KnownRegressor,
  type Model,
  type RegressionModel,
  requireClasses,
  requireNumber,
} from "./model.ts";
import type { ModelJson } from "./model-json.ts";
import { readModel } from "./read-model.ts";

/**
 * Reads the text of a model file. Everything in it is checked: that it is whole and unaltered, of a version this library
 * knows, and that all parts fit together.
 *
 *     const model = loadModel(readFileSync("model.json", "utf8"));
 *
 * @throws `model-format`, `model-version` or `model-altered`; a model that predicts a number is an error
 */
export function loadModel(text: string): Model {
  const model = loadAnyModel(text);
  requireClasses(model, "loadModel");
  return model;
}

/**
 * Reads the text of a model file that predicts a number, as {@link loadModel} does.
 *
 *     const model = loadRegressionModel(readFileSync("prices.json", "utf8"));
 */
export function loadRegressionModel(text: string): RegressionModel {
  const model = loadAnyModel(text);
  requireNumber(model, "loadRegressionModel");
  return model;
}

/**
 * Reads the text of a model file of either sort, as {@link loadModel} does.
 *
 *     const model = loadAnyModel(text);
 *     if (isRegression(model)) predict(model, row); // a number
 */
export function loadAnyModel(text: string): AnyModel {
  const join = (predictor: Predictor, distribution: Distribution): AnyModel =>
    createModel(predictor, distribution) as Model<Predictor> as AnyModel;
  return readModel<KnownPredictor | KnownRegressor, AnyModel>(text, join, readOther);
}

function readOther(json: ModelJson, classifier: Classifier | undefined): KnownPredictor | KnownRegressor {
  const { regressor, trees } = json;
  if (classifier && trees) return readTreesInFile(trees, classifier);
  const schema = checkSchema(json.schema);
  need("regressor", "a known one", regressor?.kind, ["linear", "trees"].includes(String(regressor?.kind)));
  if (regressor?.kind === "linear") {
    const { kind: _, weights, ...parts } = regressor;
    return createRegressor({ ...parts, schema, weights: Float64Array.from(weights) });
  }
  if (!trees || !regressor) return need("trees", "present", trees, false) as never;
  return readRegressionTrees(trees, { schema, output: regressor.output, label: regressor.label });
}
