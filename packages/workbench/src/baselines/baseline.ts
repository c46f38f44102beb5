import {
  ConformantError,
  type Data,
  type KnownPredictor,
  type Predictions,
  predictColumns,
  type Schema,
  type WatchOptions,
} from "conformant";
import { classifyImputed } from "./classify-imputed.ts";
import { type ChainedEquationsOptions, fitChainedEquations } from "./fit-chained-equations.ts";
import { fitConstants } from "./fit-constants.ts";
import { type EmOptions, fitEm } from "./fit-em.ts";
import { fitNearestNeighbors, type NearestNeighborsOptions } from "./fit-nearest-neighbors.ts";
import type { Imputer, ImputerMethod } from "./imputer.ts";
import { type NaiveBayesOptions, trainNaiveBayes } from "./naive-bayes.ts";
import { inOrderOf, type ReducedModelsOptions, reducedModels } from "./reduced-models.ts";

/** The baselines, by their names in results. */
export const BASELINE_NAMES = [
  "min",
  "max",
  "mean",
  "median",
  "most_frequent",
  "em",
  "mice",
  "knn",
  "naive_bayes",
  "reduced",
] as const;

/** One of {@link BASELINE_NAMES}. */
export type BaselineName = (typeof BASELINE_NAMES)[number];

/** Another way to predict rows with missing values, fitted on training data alone. */
export interface Baseline {
  readonly name: BaselineName;
  /** Class probabilities in the order of the classifier's classes; one row or many. */
  predict(data: Data, options?: WatchOptions): Predictions;
}

/** The settings of the imputers that have any. */
export interface ImputerOptions extends WatchOptions {
  readonly em?: EmOptions;
  readonly mice?: ChainedEquationsOptions;
  readonly knn?: NearestNeighborsOptions;
}

/** The settings of the baselines that have any. */
export interface BaselineOptions extends ImputerOptions {
  /** Settings of naive Bayes; the label is the classifier's. */
  readonly naiveBayes?: Pick<NaiveBayesOptions, "pseudocount" | "bins">;
  /** Settings of the reduced models. */
  readonly reduced?: Omit<ReducedModelsOptions, "label">;
}

/**
 * Fits a baseline by name. Imputers impute missing values for the given classifier or trees. Naive Bayes and reduced models learn
 * from the labels of the training data, in the column that the classifier names as its label.
 */
export function fitBaseline(
  name: BaselineName,
  given: KnownPredictor,
  training: Data,
  options: BaselineOptions = {},
): Baseline {
  if (name === "naive_bayes") return naiveBayesBaseline(given, training, options);
  if (name === "reduced") {
    const label = labelOf(given, name);
    const models = reducedModels(given, training, { ...options.reduced, label });
    return { name, predict: (data, watch) => models.predict(data, watch) };
  }
  const imputer = fitImputer(name, given.schema, training, options);
  return { name, predict: (data, watch) => classifyImputed(given, imputer, data, watch) };
}

/** Fits an imputer by name on training data, whose rows may have missing values themselves. */
export function fitImputer(
  method: ImputerMethod,
  schema: Schema,
  data: Data,
  options: ImputerOptions = {},
): Imputer {
  const { onProgress, signal } = options;
  switch (method) {
    case "em":
      return fitEm(schema, data, { onProgress, signal, ...options.em });
    case "mice":
      return fitChainedEquations(schema, data, { onProgress, signal, ...options.mice });
    case "knn":
      return fitNearestNeighbors(schema, data, options.knn);
    default:
      return fitConstants(schema, data, method);
  }
}

function naiveBayesBaseline(classifier: KnownPredictor, training: Data, options: BaselineOptions): Baseline {
  const label = labelOf(classifier, "naive_bayes");
  const columns = classifier.schema.columns.map((column) => column.name);
  const types = Object.fromEntries(
    classifier.schema.columns.flatMap(({ name, kind }) => (kind === "binned" ? [] : [[name, kind] as const])),
  );
  const model = trainNaiveBayes(training, { ...options.naiveBayes, label, columns, types });
  const predict = (data: Data, watch: WatchOptions = {}): Predictions =>
    inOrderOf(classifier.classes, predictColumns(model, data, { ...watch, extra: "ignore" }));
  return { name: "naive_bayes", predict };
}

function labelOf({ label }: KnownPredictor, name: BaselineName): string {
  if (label !== undefined) return label;
  const message = `${name} learns from labels, but the classifier does not name its label column`;
  throw new ConformantError("invalid-argument", message, { argument: "classifier" });
}
